/** The ports an app's own scripts may reach on the host's LAN address. */
import type { NetworkPolicy } from "../../sandbox/contract.ts";
import type { Requirements } from "../core/script/dictionary.ts";
import { findApp } from "./find-app.ts";
import type { Clock } from "./ports/environment.ts";
import type { Host } from "./ports/host.ts";
import type { HostApp } from "./ports/host-records.ts";
import { listListeningPorts } from "./system/listening-ports.ts";
import { rememberFor } from "./system/remember-for.ts";

/**
 * The port an app's own scripts reach it at; undefined: none. On the host's own network it is one that its portals name,
 * or one that its script requires and the embedder vouches for: at any other something else may answer.
 */
export function findOwnPort(
  app: HostApp,
  required: Requirements["ports"],
  vouchedPorts: readonly number[],
): number | undefined {
  if (app.hostNetworkPorts === undefined) return app.port;
  const own = listListeningPorts();
  const vouched = required.filter((port) => vouchedPorts.includes(port));
  return [...app.hostNetworkPorts, ...vouched].find((port) => !own.includes(port));
}

/** Ms one answer of the host serves the requests of a run: refused ones too do not cost the host a list each. */
const ANSWER_MS = 1_000;

/**
 * What the scripts of an app may reach, by an answer of the host that is at most a second old. `isStarting` speaks of the
 * answer the ports were last taken from, in which the state is older than the ports: an app seen to run has its ports there.
 */
export function createReach(
  clock: Clock,
  host: { readonly apps: Host["apps"]; readonly appPorts: () => Promise<readonly number[]> },
  appId: string,
): Required<Pick<NetworkPolicy, "lanPorts" | "isStarting">> {
  const ask = rememberFor(clock, ANSWER_MS, async () => {
    const app = findApp(await host.apps(), appId);
    return { app, ports: [...(await host.appPorts()), ...(app?.hostNetworkPorts ?? [])] };
  });
  let last: HostApp | null = null;
  return {
    lanPorts: async () => {
      const { app, ports } = await ask();
      last = app;
      return ports;
    },
    isStarting: async () => last !== null && last.state !== "RUNNING",
  };
}
