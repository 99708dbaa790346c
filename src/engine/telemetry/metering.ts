import {
  type Attributes,
  type BatchObservableCallback,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  metrics,
  type Observable,
} from "@opentelemetry/api";
import { GoneReadings } from "./gone-readings.ts";
import { METRICS, type MetricAttributes, type Reading, type RecordedMetric } from "./metric-table.ts";
import { tellQuietly } from "./tell-quietly.ts";
import { toAttributes } from "./to-attributes.ts";

type Recorder = (value: number, attributes: Attributes) => void;

/** Makes the metrics of the table. Without an SDK they are nothing, and where a part of one throws nobody is harmed. */
export class Metering {
  readonly #meter: Meter;
  /** By the names of metrics. */
  readonly #recorders = new Map<string, Recorder>();

  /** Default: the provider that is registered now. */
  constructor(provider: MeterProvider = metrics.getMeterProvider()) {
    this.#meter = provider.getMeter("slipway");
    if (this.#meter !== createNoopMeter()) tellQuietly(() => this.#makeRecorders());
  }

  /** Records that something happened, so often or for so long. */
  record<Name extends RecordedMetric>(metric: Name, value: number, attributes: MetricAttributes<Name>): void {
    tellQuietly(() => this.#recorders.get(METRICS[metric].name)?.(value, toAttributes(attributes)));
  }

  /** Has the state read whenever somebody collects, until the returned function is called. */
  read(readState: () => readonly Reading[]): () => void {
    const observables = new Map<string, Observable>();
    const gone = new GoneReadings();
    const observe: BatchObservableCallback = (result) => {
      tellQuietly(() => {
        for (const { metric, value, attributes } of gone.fill(readState())) {
          const observable = observables.get(METRICS[metric].name);
          if (observable !== undefined) result.observe(observable, value, attributes);
        }
      });
    };
    tellQuietly(() => {
      for (const row of Object.values(METRICS)) {
        const options = { description: row.of, unit: row.unit };
        if (row.kind === "gauge") observables.set(row.name, this.#meter.createObservableGauge(row.name, options));
        if (row.kind === "total") observables.set(row.name, this.#meter.createObservableCounter(row.name, options));
      }
      this.#meter.addBatchObservableCallback(observe, [...observables.values()]);
    });
    return () => tellQuietly(() => this.#meter.removeBatchObservableCallback(observe, [...observables.values()]));
  }

  #makeRecorders(): void {
    for (const row of Object.values(METRICS)) {
      const options = { description: row.of, unit: row.unit };
      if (row.kind === "counter") {
        const counter = this.#meter.createCounter(row.name, options);
        this.#recorders.set(row.name, (value, attributes) => counter.add(value, attributes));
      }
      if (row.kind === "histogram") {
        const advice = { explicitBucketBoundaries: [...row.boundaries] };
        const histogram = this.#meter.createHistogram(row.name, { ...options, advice });
        this.#recorders.set(row.name, (value, attributes) => histogram.record(value, attributes));
      }
    }
  }
}
