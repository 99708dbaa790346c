import type { JsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { isFinal } from "../../core/task-states.ts";
import type { Host } from "../ports/host.ts";
import type { HostApp, ImageRegistry, UpgradeTarget } from "../ports/host-records.ts";
import type { TurnRows } from "../ports/turn-rows.ts";
import { type AskKnown, type Known, type KnownDeps, keepKnown } from "../standing/known-answer.ts";

/** Ms one answer of the host serves all surfaces. */
export const HOST_ANSWER_MS = 1_000;

/** Questions to the host for what is shown: its last answer where it does not answer now. */
export interface HostAnswers {
  readonly facts: AskKnown<HostFacts>;
  readonly apps: AskKnown<readonly HostApp[]>;
  readonly addresses: AskKnown<readonly string[]>;
  /** null where the host can't tell. */
  readonly imageRegistry: AskKnown<ImageRegistry | null>;
  /** Stored values of an instance, asked anew. Holds secrets. */
  appConfig(name: string): Promise<Known<JsonObject>>;
  /** Where an upgrade of an instance leads. */
  upgradeTarget(name: string, maxAgeMs: number): Promise<Known<UpgradeTarget | null>>;
  /** Notes a committed turn: once a task has ended, what the host said before serves nobody any more. */
  note(rows: Pick<TurnRows, "tasks">): void;
}

/** Nothing is asked before the first question. */
export function createHostAnswers(
  host: Pick<Host, "facts" | "apps" | "addresses" | "imageRegistry" | "appConfig" | "upgradeTarget">,
  { watch, clock }: Omit<KnownDeps, "changedAt">,
): HostAnswers {
  let changedAt = Number.NEGATIVE_INFINITY;
  const deps: KnownDeps = { watch, clock, changedAt: () => changedAt };
  const askConfig = keepByName((name) => keepKnown(deps, () => host.appConfig(name)));
  const askTarget = keepByName((name) => keepKnown(deps, () => host.upgradeTarget(name)));
  return {
    facts: keepKnown(deps, () => host.facts()),
    apps: keepKnown(deps, () => host.apps()),
    addresses: keepKnown(deps, () => host.addresses()),
    imageRegistry: keepKnown(deps, async () => (await host.imageRegistry?.()) ?? null),
    appConfig: (name) => askConfig(name)(),
    upgradeTarget: (name, maxAgeMs) => askTarget(name)(maxAgeMs),
    note({ tasks }) {
      if (tasks.some(({ row }) => isFinal(row.facts.state))) changedAt = clock.monotonic();
    },
  };
}

/** One question for each instance, asked under its name again and again. */
function keepByName<Value>(make: (name: string) => AskKnown<Value>): (name: string) => AskKnown<Value> {
  const asks = new Map<string, AskKnown<Value>>();
  return (name) => {
    const ask = asks.get(name) ?? make(name);
    asks.set(name, ask);
    return ask;
  };
}
