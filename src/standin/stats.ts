import type { JsonObject } from "../core/json/json.ts";
import { deriveAppState } from "./apps/entry.ts";
import type { World } from "./world.ts";

/** Bytes a running app is said to use. */
const APP_MEMORY = 128 * 1024 * 1024;

/**
 * Starts `app.stats:{"interval":n}` (docs/host-api.md, section 4): one sample of every app per interval, the first after
 * one interval, stopped apps as zeros. An interval below 2 s ends the subscription at once.
 */
export function startAppStats(
  world: World,
  name: string,
  send: (notification: JsonObject) => void,
): (() => void) | undefined {
  const [source, argument] = splitSource(name);
  if (source !== "app.stats" || argument === undefined) return undefined;
  const interval = readInterval(argument);
  if (interval === undefined) {
    const error = {
      error: 22,
      errname: "EINVAL",
      reason: "[EINVAL] interval: Input should be greater than or equal to 2",
    };
    send({ jsonrpc: "2.0", method: "notify_unsubscribed", params: { collection: name, error } });
    return undefined;
  }
  const stop = new AbortController();
  void sample(world, name, interval, send, stop.signal);
  return () => stop.abort();
}

function splitSource(name: string): [string, string | undefined] {
  const colon = name.indexOf(":");
  return colon < 0 ? [name, undefined] : [name.slice(0, colon), name.slice(colon + 1)];
}

function readInterval(argument: string): number | undefined {
  try {
    const { interval } = JSON.parse(argument);
    return typeof interval === "number" && interval >= 2 ? interval : undefined;
  } catch {
    return undefined;
  }
}

async function sample(
  world: World,
  collection: string,
  seconds: number,
  send: (notification: JsonObject) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await world.pace(seconds * 1000, signal).catch(() => undefined);
    if (signal.aborted) return;
    const fields = Object.values(world.state.apps).map((app) => {
      const up = deriveAppState(app.containers) === "RUNNING";
      return {
        app_name: app.name,
        cpu_usage: up ? 1 : 0,
        memory: up ? APP_MEMORY : 0,
        networks: up ? [{ interface_name: "eth0", rx_bytes: 0, tx_bytes: 0 }] : [],
        blkio: { read: 0, write: 0 },
      };
    });
    send({ jsonrpc: "2.0", method: "collection_update", params: { msg: "added", collection, fields } });
  }
}
