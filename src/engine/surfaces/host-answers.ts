import type { HostFacts } from "../../core/plan/host-facts.ts";
import { findApp } from "../find-app.ts";
import type { Clock } from "../ports/environment.ts";
import type { Host, HostApp } from "../ports/host.ts";
import { recent } from "./recent.ts";

/** Ms one answer of the host serves all surfaces. */
export const HOST_ANSWER_MS = 1_000;

/** What the surfaces ask the host, each question at most once per `HOST_ANSWER_MS`. Rejects as the host does. */
export interface HostAnswers {
  facts(): Promise<HostFacts>;
  apps(): Promise<readonly HostApp[]>;
  addresses(): Promise<readonly string[]>;
  /** null when the host says that the app is not installed. */
  installedApp(appId: string): Promise<HostApp | null>;
}

/** Nothing is asked before the first question. */
export function createHostAnswers(host: Pick<Host, "facts" | "apps" | "addresses">, clock: Clock): HostAnswers {
  const apps = recent(clock, HOST_ANSWER_MS, () => host.apps());
  return {
    facts: recent(clock, HOST_ANSWER_MS, () => host.facts()),
    apps,
    addresses: recent(clock, HOST_ANSWER_MS, () => host.addresses()),
    installedApp: async (appId) => findApp(await apps(), appId),
  };
}
