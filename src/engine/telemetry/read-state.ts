import type { Sandbox } from "../../../sandbox/contract.ts";
import type { Clock } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Reading } from "./metric-table.ts";

interface StateSources {
  readonly store: Pick<Store, "tally">;
  readonly runtime: Pick<Runtime, "load">;
  readonly host: Pick<Host, "connection">;
  readonly sandbox: Pick<Sandbox, "load">;
  readonly clock: Pick<Clock, "now">;
}

/** Every metric that is read, as things stand. */
export function readState({ store, runtime, host, sandbox, clock }: StateSources): readonly Reading[] {
  const { tasks, effects, bytes } = store.tally();
  const { inbox, watchers, lag } = runtime.load();
  const { children, waiting } = sandbox.load();
  const connection = host.connection?.();
  return [
    ...tasks.map(({ kind, state, count }) => ({
      metric: "tasks" as const,
      value: count,
      attributes: { "slipway.task.kind": kind, "slipway.task.state": state },
    })),
    ...effects.flatMap(({ name, count, oldest }) => {
      const attributes = { "slipway.effect.name": name };
      const age = Math.max(0, clock.now() - oldest) / 1_000;
      return [
        { metric: "effects" as const, value: count, attributes },
        { metric: "oldestEffect" as const, value: age, attributes },
      ];
    }),
    { metric: "inbox", value: inbox },
    ...(connection === undefined
      ? []
      : [{ metric: "reconnects" as const, value: Math.max(0, connection.connections - 1) }]),
    { metric: "waiting", value: waiting.hook, attributes: { "slipway.run.kind": "hook" } },
    { metric: "waiting", value: waiting.widget, attributes: { "slipway.run.kind": "widget" } },
    { metric: "children", value: children },
    { metric: "database", value: bytes },
    { metric: "watchers", value: watchers },
    { metric: "lag", value: lag },
  ];
}
