import { createHash, randomUUID } from "node:crypto";
import { HostCatalog } from "./apps/catalog.ts";
import { CatalogQuestions } from "./apps/catalog-questions.ts";
import { buildAppEntry } from "./apps/entry.ts";
import { AppRuntime, type StartOutcome } from "./apps/runtime.ts";
import { type StandinClock, systemClock } from "./clock.ts";
import { EventHub } from "./events.ts";
import { Faults } from "./faults.ts";
import { makeMountpoints } from "./files/mountpoints.ts";
import { createInterference } from "./interference.ts";
import { JobQueue } from "./jobs/queue.ts";
import { deriveLanAddress } from "./locations.ts";
import { createSeededRandom } from "./random.ts";
import type { StandinOptions } from "./settings.ts";
import { openState, type StateFile } from "./state.ts";
import type { World } from "./world.ts";

/** ms a job waits before it runs, at speed 1. */
const TICK_MS = 15;

const GIB = 1024 ** 3;

/** The world of one stand-in, and what its server needs beside it. */
interface NewWorld {
  readonly world: World;
  readonly file: StateFile;
  readonly clock: StandinClock;
  /** `ms` divided by the speed. */
  paced(ms: number): number;
  /** The host's service dies and starts again: connections cut, jobs forgotten. */
  restartService(): void;
}

/** Opens the state of a directory and sets up what lives on it; nothing listens yet. */
export function createWorld(dir: string, options: StandinOptions, dropSockets: () => void): NewWorld {
  const clock = options.clock ?? systemClock;
  const speed = options.speed ?? 1;
  const seedHex = createHash("sha256")
    .update(`${options.seed ?? dir}`)
    .digest("hex");
  const random = createSeededRandom(Number.parseInt(seedHex.slice(0, 8), 16));
  const file = openState(dir, {
    username: options.username ?? "slipway",
    seedHex,
    ...(options.apiKey !== undefined && { apiKey: options.apiKey }),
  });
  const { state, commit } = file;
  state.bootId = randomUUID();
  commit();
  makeMountpoints(dir, state);

  const generation = options.generation ?? "25.10";
  const lanIp = options.lanIp ?? deriveLanAddress(dir);
  const scaleMs = (ms: number): number => ms / speed;
  const waitScaled = (ms: number, signal?: AbortSignal): Promise<void> => clock.sleep(scaleMs(ms), signal);
  const catalog = new HostCatalog(options.catalogs ?? [], state);
  const events = new EventHub();
  const faults = new Faults();
  const restartService = (): void => {
    jobs.restart();
    dropSockets();
  };
  const jobs = new JobQueue(
    events,
    { now: () => clock.now(), tick: (signal) => waitScaled(TICK_MS, signal) },
    createInterference(faults, { dropSockets, restartService }),
  );
  const runtime = new AppRuntime(
    {
      address: lanIp,
      random,
      now: () => clock.now(),
      pace: waitScaled,
      paced: scaleMs,
      outcome: () => startOutcome(faults),
      changed: (app) => {
        commit();
        tellApp("changed", app);
      },
    },
    options.answers ?? {},
  );
  const tellApp: World["tellApp"] = (msg, app, shown) => {
    const entry = buildAppEntry(app, { catalog, generation, ...(shown !== undefined && { state: shown }) });
    events.emit(msg, "app.query", app.name, entry);
  };
  const world: World = {
    dir,
    generation,
    lanIp,
    oddEntries: new Map(),
    network: options.network ?? { reached: lanIp, inUse: [lanIp] },
    hardware: {
      memoryBytes: options.memoryBytes ?? 16 * GIB,
      cores: options.cores ?? 4,
      gpus: options.gpus ?? [],
    },
    state,
    catalog,
    questions: new CatalogQuestions(options.schemas ?? []),
    certificates: options.certificates ?? [1],
    runtime,
    jobs,
    events,
    faults,
    random,
    snapshotReads: { queries: 0, names: 0, rows: 0 },
    scansSnapshots: options.scansSnapshots ?? true,
    boot: { at: clock.now() },
    now: () => clock.now(),
    commit,
    pace: waitScaled,
    tellApp,
    helperJob: (method, args, run) =>
      jobs.submit({
        method,
        description: "",
        args,
        messageIds: [],
        credentials: null,
        abortable: false,
        lock: null,
        run,
      }),
  };
  return { world, file, clock, paced: scaleMs, restartService };
}

function startOutcome(faults: Faults): StartOutcome {
  if (faults.take("app-crashed")) return "crashes";
  return faults.take("app-never-healthy") ? "never-healthy" : "healthy";
}
