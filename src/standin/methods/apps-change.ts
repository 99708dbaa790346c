import { z } from "zod";
import { rollBackApp, stopApp, updateApp } from "../apps/change.ts";
import { CreateArguments, composeValues, createApp } from "../apps/create.ts";
import { deriveAppState } from "../apps/entry.ts";
import { requireInstalled } from "../apps/installed.ts";
import { bringUp, removeApp, STEP_MS, Values } from "../apps/steps.ts";
import { UpgradeOptions, upgradeApp } from "../apps/upgrade.ts";
import { dropVolumeSnapshots } from "../files/snapshots.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineJob, type Method } from "../rpc/method.ts";
import { createCallError } from "../rpc/rpc-error.ts";

/** The call can't even be queued: its arguments name no lock. */
function createLockError() {
  return createCallError("EINVAL", "Error handling job lock. This is most likely caused by invalid call arguments.");
}

function lockOf(verb: string) {
  return (params: readonly unknown[]): string => {
    const [first] = params;
    if (typeof first !== "string") throw createLockError();
    return `app_${verb}_${first}`;
  };
}

function createLock(params: readonly unknown[]): string {
  const [first] = params;
  if (typeof first !== "object" || first === null || Array.isArray(first)) {
    throw createLockError();
  }
  return `app_create_${"app_name" in first ? String(first.app_name) : ""}`;
}

/** Jobs that change apps (docs/host-api.md sections 3 and 4). */
export const APP_CHANGE_METHODS: readonly Method[] = [
  defineJob({
    name: "app.create",
    names: ["app_create"],
    params: z.tuple([CreateArguments]),
    lock: createLock,
    run: (world, [args], handle) => createApp(world, args, handle),
  }),
  defineJob({
    name: "app.update",
    names: ["app_name", "update"],
    params: z.tuple([
      HostString,
      z
        .strictObject({
          values: Values,
          custom_compose_config: z.record(z.string(), z.json()).exactOptional(),
          custom_compose_config_string: z.string().exactOptional(),
        })
        .prefault({}),
    ]),
    lock: lockOf("update"),
    run: (world, [name, update], handle) => {
      const app = requireInstalled(world, name);
      const compose = update.custom_compose_config;
      return updateApp(
        world,
        app,
        app.custom && compose !== undefined ? composeValues(compose) : update.values,
        handle,
      );
    },
  }),
  defineJob({
    name: "app.upgrade",
    names: ["app_name", "options"],
    params: z.tuple([HostString, UpgradeOptions]),
    lock: lockOf("upgrade"),
    run: (world, [name, options], handle) => upgradeApp(world, requireInstalled(world, name), options, handle),
  }),
  defineJob({
    name: "app.delete",
    names: ["app_name", "options"],
    params: z.tuple([
      HostString,
      z
        .strictObject({
          remove_images: z.boolean().default(true),
          remove_ix_volumes: z.boolean().default(false),
          force_remove_ix_volumes: z.boolean().default(false),
          force_remove_custom_app: z.boolean().default(false),
        })
        .prefault({}),
    ]),
    lock: lockOf("delete"),
    run: async (world, [name, { remove_ix_volumes }], handle) => {
      const app = requireInstalled(world, name);
      handle.progress(20, `Deleting '${name}' app`);
      await world.pace(STEP_MS.stop, handle.signal);
      handle.progress(80, "Cleaning up resources");
      await removeApp(world, app);
      if (remove_ix_volumes) dropVolumeSnapshots(world, name);
      handle.progress(100, `Deleted '${name}' app`);
      return true;
    },
  }),
  defineJob({
    name: "app.start",
    names: ["app_name"],
    params: z.tuple([HostString]),
    lock: lockOf("start"),
    run: async (world, [name], handle) => {
      const app = requireInstalled(world, name);
      handle.progress(20, `Starting '${name}' app`);
      await world.pace(STEP_MS.resources, handle.signal);
      await bringUp(world, app);
      handle.progress(100, `Started '${name}' app`);
      return null;
    },
  }),
  defineJob({
    name: "app.stop",
    names: ["app_name"],
    params: z.tuple([HostString]),
    lock: lockOf("stop"),
    run: async (world, [name], handle) => {
      await stopApp(world, requireInstalled(world, name), handle);
      return null;
    },
  }),
  defineJob({
    name: "app.redeploy",
    names: ["app_name"],
    params: z.tuple([HostString]),
    lock: lockOf("redeploy"),
    run: (world, [name], handle) => updateApp(world, requireInstalled(world, name), {}, handle),
  }),
  defineJob({
    name: "app.pull_images",
    names: ["app_name", "options"],
    params: z.tuple([HostString, z.strictObject({ redeploy: z.boolean().default(true) }).prefault({})]),
    lock: (params) => lockOf("")(params).replace("app__", "pull_images_"),
    run: async (world, [name, { redeploy }], handle) => {
      const app = requireInstalled(world, name);
      handle.progress(20, "Pulling app images");
      await world.pace(STEP_MS.pull, handle.signal);
      handle.progress(80, "Images pulled successfully");
      if (redeploy && deriveAppState(app.containers) !== "STOPPED") await bringUp(world, app);
      return null;
    },
  }),
  defineJob({
    name: "app.rollback",
    names: ["app_name", "options"],
    params: z.tuple([
      HostString,
      z.strictObject({ app_version: HostString, rollback_snapshot: z.boolean().default(true) }),
    ]),
    lock: lockOf("rollback"),
    run: (world, [name, { app_version: version }], handle) =>
      rollBackApp(world, requireInstalled(world, name), version, handle),
  }),
];
