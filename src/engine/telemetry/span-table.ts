/** The spans an engine makes, as data: docs/operating.md shows this table. */

interface SpanRow {
  /** Its name; what stands in angle brackets is replaced. */
  readonly name: string;
  readonly of: string;
  readonly attributes: readonly string[];
}

export const SPANS = {
  task: {
    name: "task <kind>",
    of: "a task in one life of the engine, until it has ended, has failed, or the engine closes",
    attributes: [
      "slipway.task.id",
      "slipway.task.kind",
      "slipway.task.state",
      "slipway.task.resumed",
      "slipway.app.id",
      "slipway.hook.id",
      "error.type",
    ],
  },
  turn: {
    name: "turn <event>",
    of: "an event from being taken to being on disk, and the state it led to",
    attributes: [
      "slipway.event.type",
      "slipway.turn.outcome",
      "slipway.task.id",
      "slipway.task.state",
      "slipway.task.revision",
      "slipway.effect.id",
    ],
  },
  effect: {
    name: "effect <name>",
    of: "an effect being performed in this life; `slipway.event.type` is the event it ended with",
    attributes: [
      "slipway.effect.id",
      "slipway.effect.class",
      "slipway.effect.resumed",
      "slipway.effect.aborted",
      "slipway.event.type",
      "error.type",
    ],
  },
  reconcile: {
    name: "reconcile <name>",
    of: "an effect of an earlier life whose fate is found out",
    attributes: [
      "slipway.effect.id",
      "slipway.effect.class",
      "slipway.effect.aborted",
      "slipway.effect.found",
      "slipway.event.type",
      "error.type",
    ],
  },
  hostCall: {
    name: "<rpc.method>",
    of: "a call to the host (of kind client), where it is made within another span",
    attributes: ["rpc.system.name", "rpc.method", "error.type"],
  },
  hookRun: {
    name: "hook run",
    of: "a hook's script, with what it waited for; `slipway.run.cpu_time` in seconds",
    attributes: [
      "slipway.run.id",
      "slipway.app.id",
      "slipway.run.end",
      "slipway.run.cpu_time",
      "slipway.run.requests",
      "error.type",
    ],
  },
  widgetQuery: {
    name: "widget query",
    of: "a widget's script, with its wait for a place; a trace of its own",
    attributes: [
      "slipway.run.id",
      "slipway.app.id",
      "slipway.run.end",
      "slipway.run.cpu_time",
      "slipway.run.requests",
      "error.type",
    ],
  },
} as const satisfies Record<string, SpanRow>;

export type SpanName = keyof typeof SPANS;

/** What a span of the table may say: names, ids, codes and numbers, never what somebody has typed or answered. */
export type SpanAttributes<Name extends SpanName> = {
  readonly [Key in (typeof SPANS)[Name]["attributes"][number]]?: string | number | boolean | undefined;
};
