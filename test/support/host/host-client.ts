import { createHostRpc, type HostRpcOptions } from "../../../src/adapters/host-rpc/create-host-rpc.ts";
import type { SessionTiming } from "../../../src/adapters/host-rpc/timing.ts";
import type { Clock, Logger } from "../../../src/engine/ports/environment.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import { API_KEY } from "./wire-host.ts";

/** The machine's own time, with a list of every wait that was asked for, in ms. */
export function recordingClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after: (ms, run) => {
      waits.push(ms);
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** Keeps every line, so that a test can search them. */
export function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (fields: unknown, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, debug: write, info: write, warn: write, error: write };
}

/** Times that suit a host on the loopback. */
export const FAST: Partial<SessionTiming> = {
  backoffMs: [10, 100],
  busyMs: 10,
  reconnectWaitMs: 5_000,
  authRetryMs: 60_000,
  pollMs: 50,
};

/** A client of a host on the loopback, vouched for as a stand-in. */
export function openClient(url: string, more: Partial<HostRpcOptions> = {}): Host {
  return createHostRpc({
    url,
    username: "svc",
    apiKey: API_KEY,
    trustPlaintext: true,
    locations: { Performance: "/mnt/tank/apps" },
    clock: recordingClock(),
    logger: recordingLogger(),
    ...more,
    timing: { ...FAST, ...more.timing },
  });
}
