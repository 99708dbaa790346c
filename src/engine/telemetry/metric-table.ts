/** The metrics of an engine, as data: docs/operating.md shows this table. No attribute has more values than code names. */

interface MetricRow {
  readonly name: string;
  /** `gauge` and `total` are read when somebody collects, `counter` and `histogram` are recorded as things happen. */
  readonly kind: "counter" | "gauge" | "histogram" | "total";
  /** UCUM. */
  readonly unit: string;
  readonly of: string;
  readonly attributes: readonly string[];
  /** Of a histogram, in its unit. */
  readonly boundaries?: readonly number[];
}

/** As the semantic conventions have them for calls. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const TURN_SECONDS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

export const METRICS = {
  tasks: {
    name: "slipway.task.count",
    kind: "gauge",
    unit: "{task}",
    of: "tasks that have not ended for good",
    attributes: ["slipway.task.kind", "slipway.task.state"],
  },
  ended: {
    name: "slipway.task.ended",
    kind: "counter",
    unit: "{task}",
    of: "tasks that came to an end, or failed, since the engine was opened",
    attributes: ["slipway.task.kind", "slipway.task.state"],
  },
  turn: {
    name: "slipway.turn.duration",
    kind: "histogram",
    unit: "s",
    of: "turns: how many, and how long from taking the event until it was on disk",
    attributes: ["slipway.task.kind", "slipway.turn.outcome"],
    boundaries: TURN_SECONDS,
  },
  inbox: {
    name: "slipway.turn.queue",
    kind: "gauge",
    unit: "{event}",
    of: "events of this process that wait for their turn",
    attributes: [],
  },
  effects: {
    name: "slipway.effect.in_flight",
    kind: "gauge",
    unit: "{effect}",
    of: "effects that were asked for and have no result",
    attributes: ["slipway.effect.name"],
  },
  oldestEffect: {
    name: "slipway.effect.oldest_age",
    kind: "gauge",
    unit: "s",
    of: "age of the oldest of them, earlier lives included",
    attributes: ["slipway.effect.name"],
  },
  hostCall: {
    name: "rpc.client.call.duration",
    kind: "histogram",
    unit: "s",
    of: "calls to the host: how many, and how long until they were answered",
    attributes: ["rpc.system.name", "rpc.method", "error.type"],
    boundaries: CALL_SECONDS,
  },
  reconnects: {
    name: "slipway.host.reconnects",
    kind: "total",
    unit: "{connection}",
    of: "connections to the host beyond the first",
    attributes: [],
  },
  runs: {
    name: "slipway.sandbox.runs",
    kind: "counter",
    unit: "{run}",
    of: "runs of scripts by how they ended; past any quota they end with `quota`",
    attributes: ["slipway.run.kind", "slipway.run.end"],
  },
  waiting: {
    name: "slipway.sandbox.queue",
    kind: "gauge",
    unit: "{run}",
    of: "runs of scripts that wait for others to end",
    attributes: ["slipway.run.kind"],
  },
  children: {
    name: "slipway.sandbox.children",
    kind: "gauge",
    unit: "{process}",
    of: "processes for scripts, the warm one included",
    attributes: [],
  },
  database: {
    name: "slipway.database.size",
    kind: "gauge",
    unit: "By",
    of: "the database's file and its write-ahead log",
    attributes: [],
  },
  watchers: {
    name: "slipway.watcher.count",
    kind: "gauge",
    unit: "{watcher}",
    of: "those who follow the event log, the engine itself included",
    attributes: [],
  },
  lag: {
    name: "slipway.watcher.lag",
    kind: "gauge",
    unit: "{event}",
    of: "events the slowest of them has yet to be told",
    attributes: [],
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRICS;

type KindOf<Name extends MetricName> = (typeof METRICS)[Name]["kind"];

/** Metrics that are recorded as things happen. */
export type RecordedMetric = {
  [Name in MetricName]: KindOf<Name> extends "counter" | "histogram" ? Name : never;
}[MetricName];

/** Metrics that are read when somebody collects. */
export type ReadMetric = Exclude<MetricName, RecordedMetric>;

/** What a value of the metric is told apart by. */
export type MetricAttributes<Name extends MetricName> = {
  readonly [Key in (typeof METRICS)[Name]["attributes"][number]]?: string | undefined;
};

/** A value of a metric at the moment it is read. */
export interface Reading<Name extends ReadMetric = ReadMetric> {
  readonly metric: Name;
  readonly value: number;
  readonly attributes?: MetricAttributes<Name>;
}
