import type { JsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Host } from "../ports/host.ts";
import type { HostApp } from "../ports/host-records.ts";
import { type AskKnown, type Known, type KnownDeps, keepKnown } from "../standing/known-answer.ts";

/** Ms one answer of the host serves all surfaces. */
export const HOST_ANSWER_MS = 1_000;

/** Questions to the host for what is shown: its last answer where it does not answer now. */
export interface HostAnswers {
  readonly facts: AskKnown<HostFacts>;
  readonly apps: AskKnown<readonly HostApp[]>;
  readonly addresses: AskKnown<readonly string[]>;
  /** Stored values of an instance, asked anew. Holds secrets. */
  appConfig(name: string): Promise<Known<JsonObject>>;
}

/** Nothing is asked before the first question. */
export function createHostAnswers(
  host: Pick<Host, "facts" | "apps" | "addresses" | "appConfig">,
  deps: KnownDeps,
): HostAnswers {
  const configs = new Map<string, AskKnown<JsonObject>>();
  return {
    facts: keepKnown(deps, () => host.facts()),
    apps: keepKnown(deps, () => host.apps()),
    addresses: keepKnown(deps, () => host.addresses()),
    appConfig(name) {
      const ask = configs.get(name) ?? keepKnown(deps, () => host.appConfig(name));
      configs.set(name, ask);
      return ask();
    },
  };
}
