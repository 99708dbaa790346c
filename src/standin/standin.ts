/**
 * The embedded host: the storage OS's API on real sockets, over a model of it in one directory (docs/host-api.md
 * section 11).
 *
 * Invariants:
 * 1. What the API has answered is on disk: a kill loses jobs, as a restart of the real service does, and nothing else.
 * 2. Only one stand-in runs per directory.
 * 3. Nothing leaves this machine: apps listen on the directory's loopback address.
 */

import { claimDirectory } from "./claim.ts";
import { answerControl, type StandinControl } from "./control/control.ts";
import { createControl } from "./control/control-commands.ts";
import { createWorld } from "./create-world.ts";
import { parseFault } from "./faults.ts";
import { joinLocalPath } from "./files/paths.ts";
import { MASK, maskArguments } from "./jobs/job.ts";
import { collectMethods } from "./methods/index.ts";
import { removeReady, writeReady } from "./ready.ts";
import { RateLimit } from "./rpc/rate-limit.ts";
import { type ApiServer, serveApi } from "./rpc/server.ts";
import { isSince, type RecordedCall, type StandinOptions, WIRE_LIMITS, type WireLimits } from "./settings.ts";
import { makeStateDirectory } from "./state-directory.ts";
import { startAppStats } from "./stats.ts";

/** A running stand-in. */
export interface StandinHost {
  /** `ws://ADDR:PORT/api/current`, `wss:` with TLS. */
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  /** Where its apps listen. */
  readonly lanIp: string;
  readonly dir: string;
  readonly control: StandinControl;
  /** Where a host path lies on this machine. */
  localPath(hostPath: string): string;
  /** Whether a client is connected, a job runs, or somebody asked how to join since the last look. */
  busy(): boolean;
  /** Ends it: connections cut, running jobs lost, apps' ports freed; its state stays in the directory. */
  close(): Promise<void>;
}

/** ms after which a newer host's front proxy cuts an idle socket. */
const IDLE_MS_26 = 3_600_000;

/** Calls kept for inspection, at least. */
const KEPT_CALLS = 20_000;

/**
 * Starts a stand-in on a directory, making it on first use.
 *
 * Throws `HOST_STANDIN_BUSY` when one runs there already, `HOST_STANDIN_STATE` when the directory can't be made, holds
 * something else or a link in place of a folder of its own, `STORE_UNTRUSTED` when another user could have written it,
 * `HTTP_LISTEN_FAILED` when its API can't listen where it should, `CLI_USAGE` for a fault it does not know or schemas it
 * can't read.
 */
export async function createStandinHost(options: StandinOptions): Promise<StandinHost> {
  const dir = makeStateDirectory(options.dir);
  const armed = (options.faults ?? []).map(parseFault);
  const claim = await claimDirectory(dir);
  try {
    // What a killed one left behind: from here on the file says that this one answers.
    removeReady(dir);
    const host = await start(dir, options);
    for (const fault of armed) host.faults.arm(fault);
    const { close } = host;
    return {
      ...host.public,
      busy: () => claim.takeAsked() || host.public.busy(),
      close: async () => {
        claim.end();
        removeReady(dir);
        await close();
        await claim.release();
      },
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function start(dir: string, options: StandinOptions) {
  const service: { server?: ApiServer } = {};
  const dropSockets = (): void => service.server?.dropAll();
  const { world, file, clock, paced, restartService } = createWorld(dir, options, dropSockets);
  const { state, generation, runtime, jobs, faults, lanIp } = world;
  const calls: RecordedCall[] = [];
  const control = createControl({ world, file, calls, restartService, dropSockets });
  const limits: WireLimits = {
    ...WIRE_LIMITS,
    ...(isSince(generation, "26.0") && { idleMs: IDLE_MS_26 }),
    ...options.limits,
  };
  let sequence = 0;
  await runtime.resume(Object.values(state.apps));
  const listen = options.listen ?? { address: "127.0.0.1", port: 0 };
  const server = await serveApi({
    around: {
      world,
      methods: collectMethods(generation),
      limits,
      rateLimit: new RateLimit(limits.ratePerWindow, paced(limits.rateWindowMs)),
      called: ({ method, id, params }) => {
        sequence += 1;
        const shown = method === "auth.login_with_api_key" ? [MASK] : maskArguments(params);
        const call = { sequence, at: clock.now(), method, id: id ?? null, params: shown };
        calls.push(call);
        if (calls.length >= 2 * KEPT_CALLS) calls.splice(0, KEPT_CALLS);
        options.onCall?.(call);
      },
      startSource: (name, send) => startAppStats(world, name, send),
    },
    listen,
    ...(options.tls !== undefined && { tls: options.tls }),
    control: (request, response) => answerControl(control, state.apiKey, request, response),
  }).catch(async (error: unknown) => {
    // The apps resumed above answer already.
    await runtime.close();
    throw error;
  });
  service.server = server;
  const host = listen.address.includes(":") ? `[${listen.address}]` : listen.address;
  const url = `${options.tls === undefined ? "ws" : "wss"}://${host}:${server.port}/api/current`;
  const { username, apiKey } = state;
  writeReady(dir, { url, username, apiKey, lanIp, pid: process.pid });
  return {
    faults,
    public: {
      url,
      username,
      apiKey,
      lanIp,
      dir,
      control,
      localPath: (hostPath: string) => joinLocalPath(dir, hostPath),
      busy: () => server.clients() > 0 || jobs.list().some(({ finishedAt }) => finishedAt === null),
    },
    close: async () => {
      jobs.restart();
      await server.close();
      await runtime.close();
    },
  };
}
