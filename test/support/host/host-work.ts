import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/core/json/json.ts";
import { type JobEnd, performJob } from "../../../src/engine/effects/app/host-job.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import type { JobCall } from "../../../src/engine/ports/host-records.ts";
import type { MachineEvent } from "../../../src/engine/runtime/effect.ts";
import { DEFAULT_TIMING } from "../../../src/engine/runtime/timing.ts";
import { STANDIN_LOCATIONS } from "../../../src/standin/locations.ts";
import type { StandinOptions } from "../../../src/standin/settings.ts";
import { createStandinHost, type StandinHost } from "../../../src/standin/standin.ts";
import { openClient, recordingClock, recordingLogger } from "./host-client.ts";

/** A stand-in and the client of it, with what the engine does to carry a job through. */
export interface HostWork {
  readonly standin: StandinHost;
  readonly host: Host;
  /** Runs a job the way an effect does; `seen` gets every percent. */
  run(call: JobCall, seen?: number[]): Promise<JobEnd>;
  /** Calls of one method the stand-in received. */
  received(method: string): number;
  stop(): Promise<void>;
}

export interface HostWorkOptions extends Omit<Partial<StandinOptions>, "dir"> {
  readonly client?: Parameters<typeof openClient>[1];
}

/** Opens both; the stand-in runs 20 times as fast as a host. */
export async function openHostWork({ client, ...options }: HostWorkOptions = {}): Promise<HostWork> {
  const dir = mkdtempSync(join(tmpdir(), "slipway-host-"));
  const fast = { dir, speed: 20, limits: { ratePerWindow: 10_000 }, scansSnapshots: false };
  const standin = await createStandinHost({ ...fast, ...options });
  const { url, username, apiKey } = standin;
  const host = openClient(url, { username, apiKey, locations: STANDIN_LOCATIONS, localRoot: dir, ...client });
  const deps = {
    host,
    clock: recordingClock(),
    logger: recordingLogger(),
    timing: { ...DEFAULT_TIMING, hostRetry: 20 },
  };
  return {
    standin,
    host,
    received: (method) => standin.control.calls().filter((call) => call.method === method).length,
    run(call, seen = []) {
      let note: JsonObject | null = null;
      const slot = {
        requestId: randomUUID(),
        signal: AbortSignal.timeout(60_000),
        read: () => note,
        write: (next: JsonObject) => {
          note = next;
        },
        setHostSilent: () => {},
        emit: (event: MachineEvent) => {
          if (event.type === "host.app.progress") seen.push(Number(event["percent"]));
        },
      };
      return performJob(deps, slot, { call, happened: () => happened(host, call) });
    },
    async stop() {
      await host.close();
      await standin.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function happened(host: Host, call: JobCall): Promise<boolean> {
  if (call.method === "createApp") return (await host.app(call.name)) !== null;
  if (call.method === "upgradeApp") return (await host.app(call.name))?.version === call.version;
  return false;
}

/** The older jellyfin of the stand-in's catalog, so that there is something to upgrade to. */
export const INSTALL = {
  method: "createApp",
  name: "jellyfin",
  catalogApp: "jellyfin",
  train: "community",
  version: "1.3.11",
  values: { network: { web_port: { bind_mode: "published", port_number: 18_096, host_ips: [] } } },
} as const satisfies JobCall;

export const UPGRADE = { method: "upgradeApp", name: "jellyfin", version: "1.3.12" } as const satisfies JobCall;
