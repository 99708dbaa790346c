/** OpenTelemetry's own SDK in memory, as an embedder would register it. */
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TelemetrySettings } from "../../../src/engine/telemetry/telemetry.ts";

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** A number of a metric, with what it is told apart by. */
export interface MetricValue {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of a histogram: how many were recorded. */
  readonly value: number;
}

export interface RecordedTelemetry {
  readonly settings: TelemetrySettings;
  /** Every span that has ended, in the order of their ends. */
  spans(): readonly ReadableSpan[];
  /** Collects now; by the metrics' names. */
  collect(): Promise<ReadonlyMap<string, readonly MetricValue[]>>;
}

export function recordTelemetry(): RecordedTelemetry {
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meterProvider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 2 ** 30 })],
  });
  return {
    settings: {
      tracerProvider: new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
      meterProvider,
    },
    spans: () => spans.getFinishedSpans(),
    async collect() {
      metrics.reset();
      await meterProvider.forceFlush();
      const [{ scopeMetrics } = { scopeMetrics: [] }] = metrics.getMetrics();
      return new Map(
        scopeMetrics.flatMap(({ metrics }) =>
          metrics.map(({ descriptor, dataPoints }) => [
            descriptor.name,
            dataPoints.map(({ attributes, value }) => ({
              attributes,
              value: typeof value === "number" ? value : value.count,
            })),
          ]),
        ),
      );
    },
  };
}

/** Every span by its name and those of what it belongs to, outermost first: `task install > turn xstate.init`. */
export function listPaths(spans: readonly ReadableSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const pathOf = (span: ReadableSpan): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? "");
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  return spans.map(pathOf);
}

/** The traces the spans belong to. */
export function listTraces(spans: readonly ReadableSpan[]): readonly string[] {
  return [...new Set(spans.map((span) => span.spanContext().traceId))];
}
