/** An app that can be rolled back, with a dataset of its own, beside one of another app. */
import type { Engine, RollbackRequest } from "../../../src/engine/api.ts";
import { NO_FOLDERS } from "../../../src/engine/system/no-folders.ts";
import { openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory } from "../../support/engine/scripted-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const LOCATION = "$LOCATION(ApplicationsPerformance)";
/** Where the app's own dataset is mounted. */
export const DATA = "/mnt/tank/apps/demo/data";
/** Its script. */
export const DEMO = {
  requirements: { locations: ["ApplicationsPerformance", "Media"], specifications: [], permissions: [], ports: [] },
  installation_questions: [
    { question: "Name?", type: "text", key: "name", default: "Ann" },
    { question: "Password?", type: "password", key: "password", default: "old-swordfish" },
    { question: "Note, shown nowhere?", type: "text", key: "note", default: "none" },
  ],
  ensure_directories_exists: [
    { path: `${LOCATION}/demo/data`, snapshot: { id: "data" } },
    { path: "$LOCATION(Media)/films", snapshot: { id: "films" } },
  ],
  app_values: { demo: { name: "$QUESTION(name)", password: "$QUESTION(password)", secret: "$RANDOM_STRING(20)" } },
};

/** Demo at 1.0.0 beside other, both with a hook to link them; the films are a dataset of the owner's. */
export async function openInstalled(): Promise<EngineWorld> {
  const connect = { ...rawHook({ conditions: [on("other")] }), rerun: "idempotent" };
  const world = await openWorld({
    catalog: { demo: { ...DEMO, hooks: [connect] }, other: {} },
    host: { datasets: ["tank", "tank/apps", "tank/media", "tank/media/films"], deployingFor: 0 },
    engine: { folders: { ...NO_FOLDERS, remove: async () => ({ ok: true, isKept: true }) } },
  });
  const { engine, host } = world;
  const offered = host.script.world.catalog;
  const [old, now] = [{ train: "stable", title: "DEMO", icon: "", versions: ["1.0.0"] }, offered.get("demo")];
  offered.set("demo", old);
  for (const app of ["demo", "other"]) await settledTask(engine, (await engine.install(app)).id);
  if (now !== undefined) offered.set("demo", now);
  addDirectory(host.script.world, `${DATA}/old`);
  return world;
}

/** Upgrades demo to 2.0.0, until it ends or waits. */
export const upgrade = async (engine: Engine) => settledTask(engine, (await engine.upgrade("demo")).id);
/** Updates demo with these answers, until it ends or waits. */
export const update = async (engine: Engine, answers: Record<string, string>) =>
  settledTask(engine, (await engine.update("demo", { answers })).id);
/** Rolls demo back, until it ends or waits. */
export const rollBack = async (engine: Engine, request?: RollbackRequest) =>
  settledTask(engine, (await engine.rollback("demo", request)).id);
/** Demo as the host has it. */
export const instance = ({ host }: Pick<EngineWorld, "host">) => host.script.world.instances.get("demo");
