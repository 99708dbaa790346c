import { z } from "zod";
import type { Json } from "../../core/json/json.ts";
import { findDataset } from "../files/paths.ts";
import { addSnapshot, addVolumeSnapshot } from "../files/snapshots.ts";
import type { AppRecord } from "../host-state.ts";
import type { JobHandle } from "../jobs/job.ts";
import { HostString } from "../rpc/arguments.ts";
import { createCallError, createInvalidParam, createUpFailure } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import { disturbOwnership, stopApp } from "./change.ts";
import { deriveAppState } from "./entry.ts";
import { bringUp, buildResultEntry, keepValues, mergeValues, STEP_MS, Values } from "./steps.ts";
import { listStorageEntries } from "./values.ts";

/** Options of `app.upgrade`. */
export const UpgradeOptions = z
  .strictObject({
    app_version: HostString.default("latest"),
    values: Values,
    snapshot_hostpaths: z.boolean().default(false),
  })
  .prefault({});

/** The work of `app.upgrade`: stop by a helper job, values checked, new version and values, snapshots, up again. */
export async function upgradeApp(
  world: World,
  app: AppRecord,
  options: z.output<typeof UpgradeOptions>,
  handle: JobHandle,
): Promise<Json> {
  const { signal } = handle;
  const { name, version: oldVersion } = app;
  if (deriveAppState(app.containers) === "STOPPED") {
    throw createCallError("EFAULT", "In order to upgrade an app, it must not be in stopped state");
  }
  const item = app.custom ? undefined : world.catalog.find(app.catalogApp, app.train);
  const newer = item === undefined ? [] : world.catalog.newerThan(item, oldVersion);
  if (newer.length === 0) throw createCallError("EFAULT", `No upgrade available for '${name}'`);
  handle.progress(15, `Retrieving versions for '${name}' app`);
  await world.pace(STEP_MS.configure, signal);
  const target =
    options.app_version === "latest" ? newer[0] : newer.find(({ version }) => version === options.app_version);
  if (target === undefined) {
    throw createInvalidParam("options.app_version", `Version ${options.app_version} is not newer than ${oldVersion}`);
  }
  handle.progress(20, `Validating '${name}' app to be upgraded to ${target.version}`);
  await world.pace(STEP_MS.validate, signal);
  if (options.snapshot_hostpaths) snapshotHostPaths(world, app, oldVersion);
  const stopping = world.helperJob("app.stop", [name], async (helper) => {
    await stopApp(world, app, helper);
    return null;
  });
  await stopping.ended;
  signal.throwIfAborted();
  // Only now are the values held against the new version: what is refused leaves the app stopped.
  const named = { catalogApp: app.catalogApp, train: app.train, version: target.version };
  const values = keepValues(world, named, mergeValues(world, app, options.values));
  if (world.faults.take("upgrade-left-stopped", { method: "app.upgrade" })) throw createUpFailure(name);
  app.formerValues[oldVersion] = app.values;
  app.formerVersions = [...app.formerVersions, oldVersion];
  app.values = values;
  app.version = target.version;
  world.commit();
  handle.progress(40, "Configuration updated, upgrading app");
  addVolumeSnapshot(world, name, oldVersion);
  world.commit();
  handle.progress(50, "Created snapshot for upgrade");
  disturbOwnership(world, app, "app.upgrade");
  await world.pace(STEP_MS.pull, signal);
  await bringUp(world, app);
  if (world.faults.take("upgrade-half-up", { method: "app.upgrade" })) throw createUpFailure(name);
  handle.progress(100, "Upgraded app successfully");
  return buildResultEntry(world, app);
}

/** The host's own snapshots of the datasets its host paths lie in. */
function snapshotHostPaths(world: World, app: AppRecord, oldVersion: string): void {
  const paths = listStorageEntries(app.values).flatMap(({ hostPath }) => hostPath ?? []);
  const datasets = new Set(paths.flatMap((path) => findDataset(world.state, path)?.id ?? []));
  for (const dataset of datasets) {
    addSnapshot(world, { dataset, name: `ix-app-upgrade-${app.name}-${oldVersion}`, properties: {} });
  }
  world.commit();
}
