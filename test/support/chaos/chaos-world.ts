/** What chaos steps change: a whole engine on a scripted host, a clock that stands still, a provider, scripts. */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { TaskView } from "../../../src/engine/api.ts";
import type { FolderRemoval } from "../../../src/engine/ports/folders.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import type { HostJob } from "../../../src/engine/ports/host-records.ts";
import type { Providers } from "../../../src/engine/ports/providers.ts";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { createEngineWorld, type EngineWorld } from "../engine/engine-world.ts";
import { createScriptedSandbox } from "../engine/scripted-sandbox.ts";
import { createTestClock, type TestClock } from "../test-clock.ts";
import { CATALOG, SECRETS } from "./chaos-apps.ts";
import { ChaosRuns } from "./chaos-runs.ts";
import type { Job } from "./chaos-steps.ts";
import { flat } from "./task-trees.ts";

const MEMORY = "/dev/shm";

export interface ChaosWorld {
  /** Another one after a restart. */
  world: EngineWorld;
  readonly clock: TestClock;
  readonly provider: { agrees: boolean };
  readonly runs: ChaosRuns;
  /** How the held jobs are let go. */
  readonly held: Map<Job, () => void>;
}

/** Opens one in which nothing is under way. */
export async function openChaosWorld(): Promise<ChaosWorld> {
  const clock = createTestClock();
  const provider = { agrees: false };
  const runs = new ChaosRuns();
  const providers: Providers = {
    ask: async ({ method }) => {
      const body =
        method === "POST"
          ? { id: 7, code: "AB12", expiresIn: 600 }
          : { id: 7, authToken: provider.agrees ? SECRETS.token : null };
      return { status: 200, text: JSON.stringify(body) };
    },
  };
  const world = await createEngineWorld({
    catalog: CATALOG,
    shareCatalog: true,
    host: { datasets: ["tank", "tank/apps"] },
    // A kill is a copy of the files here, so nothing depends on what reached a disk.
    ...(existsSync(MEMORY) && { parent: MEMORY }),
    engine: {
      sandbox: createScriptedSandbox(runs.script),
      clock,
      providers,
      folders: { ...NO_FOLDERS, remove: removeNothing },
      timing: { inputDeadline: 3_600_000 },
    },
  });
  repeatProgress(world.host);
  return { world, clock, provider, runs, held: new Map() };
}

/** As of an empty folder: what the host is asked meanwhile is what chaos is about. */
async function removeNothing({ prove }: FolderRemoval): Promise<{ readonly ok: true; readonly isKept: false }> {
  await prove();
  return { ok: true, isKept: false };
}

/** Every task there is. */
export function listTasks({ world }: Pick<ChaosWorld, "world">): readonly TaskView[] {
  return world.engine.tasks().flatMap(flat);
}

/** Lets the held jobs go. */
export function release({ held }: Pick<ChaosWorld, "held">): void {
  for (const end of held.values()) end();
  held.clear();
}

/** Lets what can go on go on. */
export async function waitTicks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await setImmediate();
}

/** The host tells every progress of a job twice, and its last once more when the job is over. */
function repeatProgress(host: Host): void {
  const { waitJob } = host;
  host.waitJob = async (ref, { signal, progress }) => {
    const twice = (job: HostJob) => {
      progress(job);
      progress(job);
    };
    const job = await waitJob(ref, { signal, progress: twice });
    if (job !== null) void setImmediate().then(() => progress(job));
    return job;
  };
}
