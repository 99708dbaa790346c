import type { Json, JsonObject } from "../../core/json/json.ts";
import { readOwnership } from "../files/paths.ts";
import type { AppRecord } from "../host-state.ts";
import type { JobHandle } from "../jobs/job.ts";
import { createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import { deriveAppState } from "./entry.ts";
import {
  bringUp,
  buildResultEntry,
  keepValues,
  mergeValues,
  requireFreePorts,
  requirePresent,
  STEP_MS,
} from "./steps.ts";
import { listStorageEntries } from "./values.ts";

/** The work of `app.update` and `app.redeploy`; a stopped app only gets the new config. */
export async function updateApp(world: World, app: AppRecord, sent: JsonObject, handle: JobHandle): Promise<Json> {
  const { signal } = handle;
  await world.pace(STEP_MS.validate, signal);
  const values = keepValues(world, app, mergeValues(world, app, sent), app.values);
  handle.progress(25, "Initial Validation completed");
  await world.pace(STEP_MS.configure, signal);
  requireFreePorts(world, app.name, values);
  const wasUp = deriveAppState(app.containers) !== "STOPPED";
  app.values = values;
  world.commit();
  handle.progress(60, "Configuration updated");
  disturbOwnership(world, app, "app.update");
  if (wasUp) {
    handle.progress(70, "Updating docker resources");
    await world.pace(STEP_MS.resources, signal);
    await bringUp(world, app);
  }
  world.tellApp("changed", app);
  handle.progress(100, `Update completed for '${app.name}'`);
  return buildResultEntry(world, app);
}

/** The work of `app.stop`: STOPPING is seen in events only. */
export async function stopApp(
  world: World,
  app: AppRecord,
  handle: Pick<JobHandle, "signal" | "progress">,
): Promise<void> {
  handle.progress(20, `Stopping '${app.name}' app`);
  world.tellApp("changed", app, "STOPPING");
  await world.pace(STEP_MS.stop, handle.signal);
  requirePresent(world, app);
  await world.runtime.down(app);
  world.commit();
  world.tellApp("changed", app);
  handle.progress(100, `Stopped '${app.name}' app`);
}

/** The fault that lets an update hand the app's host paths to root, so that the ownership repair has work. */
export function disturbOwnership(world: World, app: AppRecord, method: string): void {
  if (world.faults.take("update-changes-owner", { method }) === undefined) return;
  for (const { hostPath } of listStorageEntries(app.values)) {
    if (hostPath !== undefined) {
      world.state.ownership[hostPath] = { ...readOwnership(world.state, hostPath), uid: 0, gid: 0 };
    }
  }
  world.commit();
}

/** The work of `app.rollback`: the version with the values it had; newer ones are not come back to. */
export async function rollBackApp(world: World, app: AppRecord, version: string, handle: JobHandle): Promise<Json> {
  const { name } = app;
  if (deriveAppState(app.containers) === "STOPPED") {
    throw createInvalidParam("app_name", "App must not be in stopped state to rollback");
  }
  if (!app.formerVersions.includes(version)) {
    throw createInvalidParam("options.app_version", "Specified version is not available for rollback");
  }
  handle.progress(20, "Completed validation for app rollback");
  await world.runtime.down(app);
  app.version = version;
  app.values = app.formerValues[version] ?? app.values;
  app.formerVersions = app.formerVersions.slice(0, app.formerVersions.indexOf(version));
  world.commit();
  handle.progress(50, "Rolled back snapshots");
  await world.pace(STEP_MS.resources, handle.signal);
  await bringUp(world, app);
  handle.progress(100, `Rolled back '${name}' app to ${version}`);
  return buildResultEntry(world, app);
}
