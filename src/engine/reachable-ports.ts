/** The ports an app's own scripts may reach on the host's LAN address. */
import type { Requirements } from "../core/script/dictionary.ts";
import type { Host } from "./ports/host.ts";
import type { HostApp } from "./ports/host-records.ts";
import { listListeningPorts } from "./system/listening-ports.ts";

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

/** Asks for the ports scripts of an app may reach, as the host says; null: it is not there yet. */
export function createLanPorts(
  listApps: Host["apps"],
  appPorts: () => Promise<readonly number[]>,
  app: HostApp | null,
): () => Promise<readonly number[]> {
  if (app?.hostNetworkPorts === undefined) return appPorts;
  return async () => {
    const [ports, apps] = await Promise.all([appPorts(), listApps()]);
    return [...ports, ...(apps.find(({ name }) => name === app.name)?.hostNetworkPorts ?? [])];
  };
}
