/** A whole engine (SQLite, client, sandbox) on a stand-in that is disturbed at chosen moments. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import { findWaitingTask } from "../../../src/cli/ui/task-text.ts";
import type { Failure } from "../../../src/core/codes/problems.ts";
import { NOT_RUNNING } from "../../../src/core/task/task-failures.ts";
import type { Engine, TaskView } from "../../../src/engine/api.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import { STANDIN_LOCATIONS } from "../../../src/standin/locations.ts";
import type { HostGeneration } from "../../../src/standin/settings.ts";
import { createStandinHost, type StandinHost } from "../../../src/standin/standin.ts";
import { openClient } from "../host/host-client.ts";
import { rawScript } from "../scripts/scripts.ts";
import { WITHIN_MS } from "../within.ts";
import { QUICK } from "./engine-world.ts";
import { createTestFolder } from "./runtime-world.ts";

/** What a task came to, and what a person was shown and pressed on the way. */
export interface Outcome {
  readonly task: TaskView;
  /** Failures of the task itself; Retry was pressed after each, Skip where the app does not run. */
  readonly failures: readonly Failure[];
  /** Hooks that waited for a person; Skip was pressed. */
  readonly skipped: readonly string[];
}

export interface DisturbedEngine {
  readonly engine: Engine;
  readonly standin: StandinHost;
  readonly host: Host;
  /** Calls the host has received since `reset`. */
  calls(): number;
  /** Strikes once, as the n-th call from now on arrives at the host. */
  atCall(n: number, strike: () => void): void;
  /** An empty host without faults. */
  reset(): Promise<void>;
  /**
   * Installs the app, or upgrades it to a version the host releases now; `disturb` is called when the task has begun.
   * Presses Retry and Skip until the task has ended.
   */
  install(disturb?: () => void): Promise<Outcome>;
  upgrade(disturb?: () => void): Promise<Outcome>;
  close(): Promise<void>;
}

/** How much faster than a host the stand-in is. */
export const SPEED = 100;

/** ms after which the client takes an answer for lost. */
export const CALL_MS = 500;

/** Id of the app all of it is about. */
export const APP = "sturdy";

/** A hook that tells the app of its event. */
function greeting(event: string): Record<string, unknown> {
  return {
    id: event,
    title: event,
    events: [event],
    entrypoint: "run",
    scriptContent: `export async function run(ctx) {
      const answer = await fetch(ctx.baseUrl + "/${event}", { method: "POST" });
      if (!answer.ok) ctx.fail("the app refused");
    }`,
  };
}

/** A directory to own, snapshot and mount, one to share, and a hook at each event. */
const SCRIPT = rawScript({
  requirements: {
    locations: ["ApplicationsPerformance", "Media"],
    specifications: [],
    permissions: ["READ_WRITE_LOCATIONS"],
    ports: [30_977],
  },
  ensure_directories_exists: [
    {
      path: "$LOCATION(ApplicationsPerformance)/sturdy",
      owner: { user: "apps", group: "apps" },
      snapshot: { id: "data" },
    },
    { path: "$LOCATION(Media)/films/new", network_share: true },
  ],
  app_values: {
    sturdy: { secret: "$RANDOM_STRING(32)" },
    network: { web_port: { bind_mode: "published", port_number: 30_977 } },
    storage: {
      data: "$HOST_PATH($LOCATION(ApplicationsPerformance)/sturdy)",
      additional_storage: ["$MOUNTED_HOST_PATH($LOCATION(Media)/films/new, /films)"],
    },
  },
  hooks: [
    { ...greeting("onBeforeInstall"), scriptContent: "export async function run() {}" },
    greeting("onAfterInstall"),
    greeting("onBeforeUpgrade"),
    greeting("onAfterUpgrade"),
  ],
});

/** The app's answers: each hook's request is taken. */
const ANSWERS = { answers: [{ method: "POST", path: "/*", status: 200 }] };

/** Opens all of it. `callMs`: ms after which the client takes an answer for lost. */
export async function openDisturbedEngine(
  sandbox: Sandbox,
  { callMs = CALL_MS, generation = "25.10" }: { readonly callMs?: number; readonly generation?: HostGeneration } = {},
): Promise<DisturbedEngine> {
  const folder = createTestFolder();
  const root = join(folder.path, "catalog");
  mkdirSync(root);
  writeFileSync(join(root, `${APP}.json`), JSON.stringify(SCRIPT));
  const dir = join(folder.path, "host");
  let received = 0;
  const strikes = new Map<number, () => void>();
  const standin = await createStandinHost({
    dir,
    generation,
    catalogs: [root],
    speed: SPEED,
    scansSnapshots: false,
    answers: { [APP]: ANSWERS },
    limits: { ratePerWindow: 1_000_000 },
    onCall: () => {
      received += 1;
      const strike = strikes.get(received);
      strikes.delete(received);
      strike?.();
    },
  });
  const { url, username, apiKey, control } = standin;
  const host = openClient(url, {
    username,
    apiKey,
    locations: STANDIN_LOCATIONS,
    localRoot: dir,
    timing: { callMs, pollMs: 20, backoffMs: [5, 50] },
  });
  const engine = createEngine({
    host,
    store: openStore({ file: join(folder.path, "slipway.db") }),
    catalog: await openCatalogDirectory(root),
    sandbox,
    timing: { ...QUICK, runningDeadline: 1_000 },
  });
  await engine.recover();

  async function seeThrough({ id }: TaskView, disturb?: () => void): Promise<Outcome> {
    disturb?.();
    const failures: Failure[] = [];
    const skipped: string[] = [];
    for (;;) {
      const task = await engine.settled(id, AbortSignal.timeout(WITHIN_MS));
      const waiting = findWaitingTask(task);
      if (waiting !== null) {
        skipped.push(waiting.hookId ?? "");
        await engine.skip(waiting.id);
      } else if (task.failure === undefined || task.state !== "FAILED") {
        return { task, failures, skipped };
      } else {
        failures.push(task.failure);
        if (failures.length > MOST_RETRIES) throw new Error(`stuck: ${JSON.stringify(failures)}`);
        // A person goes on all the same.
        await (task.failure.code === NOT_RUNNING ? engine.skip(id) : engine.retry(id));
      }
    }
  }

  return {
    engine,
    standin,
    host,
    calls: () => received,
    atCall: (n, strike) => strikes.set(received + n, strike),
    async reset() {
      strikes.clear();
      await control.reset();
      received = 0;
    },
    install: async (disturb) => seeThrough(await engine.install(APP), disturb),
    async upgrade(disturb) {
      control.release(APP);
      return seeThrough(await engine.upgrade(APP), disturb);
    },
    async close() {
      await engine.close();
      await host.close();
      await standin.close();
      folder.remove();
    },
  };
}

/** No fault strikes more often than this in one task. */
const MOST_RETRIES = 3;

/** What one install, and perhaps one upgrade, leaves on the host: everything once, whatever struck on the way. */
export function expectDoneOnce({ standin }: DisturbedEngine, upgraded: boolean, shown?: string): void {
  const { apps, shares, snapshots, ownership, datasets } = standin.control.state();
  const told = standin.control.requests(APP).map(({ url }) => url);
  expect(
    {
      apps: Object.values(apps).map(({ name, formerVersions }) => [name, formerVersions.length]),
      shares: shares.map(({ path }) => path),
      dataset: `${DATA.slice(5)}` in datasets,
      owner: ownership[DATA]?.uid,
      snapshots: snapshots.flatMap(({ properties }) => properties["platform:purpose"] ?? []),
      toldTwice: told.filter((url, at) => told.indexOf(url) !== at),
    },
    shown,
  ).toEqual({
    apps: [[APP, upgraded ? 1 : 0]],
    shares: ["/mnt/tank/Media/films/new"],
    dataset: true,
    owner: 568,
    snapshots: upgraded ? ["pre-upgrade"] : [],
    toldTwice: [],
  });
}

const DATA = "/mnt/tank/ApplicationsPerformance/sturdy";
