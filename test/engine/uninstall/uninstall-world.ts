/** Demo, installed beside another app on a host with the films of the owner, for tests that uninstall it. */
import type { Engine, UninstallRequest } from "../../../src/engine/api.ts";
import type { FolderRemoval } from "../../../src/engine/ports/folders.ts";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory } from "../../support/engine/scripted-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

/** The location demo's directories lie in. */
export const LOCATION = "$LOCATION(ApplicationsPerformance)";
/** The script of demo. */
export const DEMO = {
  requirements: { locations: ["ApplicationsPerformance", "Media"], specifications: [], permissions: [], ports: [] },
  installation_questions: [{ question: "Name?", type: "text", key: "name", default: "Ann" }],
  ensure_directories_exists: [
    { path: "$LOCATION(Media)", network_share: true },
    { path: "$LOCATION(Media)/films" },
    { path: `${LOCATION}/demo`, owner: { user: "apps" } },
    { path: `${LOCATION}/demo/data`, snapshot: { id: "data" } },
    { path: `${LOCATION}/plain` },
  ],
  app_values: { demo: { name: "$QUESTION(name)", secret: "$RANDOM_STRING(20)" } },
};

/** Not installed; its directory lies in one that demo makes. */
const LATE = {
  requirements: DEMO.requirements,
  ensure_directories_exists: [{ path: `${LOCATION}/plain/inside` }],
};

type Removed = Awaited<ReturnType<NonNullable<typeof NO_FOLDERS.remove>>>;

interface Removing {
  readonly removals: FolderRemoval[];
  end: Removed | ((removal: FolderRemoval) => Promise<Removed>);
}

/** Demo is installed beside other, on a host with the films of the owner; what is removed is only noted. */
export async function openInstalled(): Promise<EngineWorld & Removing> {
  const removing: Removing = { removals: [], end: { ok: true, isKept: false } };
  const remove = async (removal: FolderRemoval) => {
    removing.removals.push(removal);
    await removal.prove();
    return typeof removing.end === "function" ? removing.end(removal) : removing.end;
  };
  const world = await openWorld({
    catalog: { demo: DEMO, other: { hooks: [rawHook({ conditions: [on("demo")] })] }, late: LATE },
    host: { datasets: ["tank", "tank/apps", "tank/media"] },
    engine: { folders: { ...NO_FOLDERS, remove } },
  });
  addDirectory(world.host.script.world, "/mnt/tank/media/films");
  for (const app of ["demo", "other"]) await settledTask(world.engine, (await world.engine.install(app)).id);
  return Object.assign(removing, world);
}

/** Uninstalls demo, until it ends or waits. */
export const remove = async (engine: Engine, request?: UninstallRequest) =>
  settledTask(engine, (await engine.uninstall("demo", request)).id);
/** The secret generated for demo, as the host has it. */
export const secretOf = ({ host }: Pick<EngineWorld, "host">) =>
  Object(host.script.world.instances.get("demo")?.values["demo"]).secret;
/** Its data goes too. */
export const ALL = { keepData: false };

/** Locks what demo's tasks have made as datasets; the host may show the folder of the outer one, empty. */
export function lockDemo({ datasets, paths }: EngineWorld["host"]["script"]["world"], isShown: boolean): void {
  for (const name of ["tank/apps/demo", "tank/apps/demo/data"]) {
    const dataset = datasets.get(name);
    if (dataset !== undefined) datasets.set(name, { ...dataset, mountpoint: null });
    if (!isShown || name.endsWith("data")) paths.delete(`/mnt/${name}`);
  }
}
