import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { appEntry, appState } from "../apps/entry.ts";
import { checkValues } from "../apps/schemas.ts";
import { declaredPorts, refill, storageEntries } from "../apps/values.ts";
import { datasetHolding, ownershipOf } from "../files/paths.ts";
import type { JobHandle } from "../jobs/job.ts";
import { HostString } from "../rpc/arguments.ts";
import { job, type Method } from "../rpc/method.ts";
import { callError, invalidParam, invalidParams } from "../rpc/rpc-error.ts";
import type { AppRecord } from "../state.ts";
import type { World } from "../world.ts";
import { installed, usedPorts } from "./apps-read.ts";
import { addSnapshot, addVolumeSnapshot } from "./snapshots.ts";
import { dockerStatus } from "./system.ts";

const Values = z.record(z.string(), z.json()).default({});
const Name = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/);

const Create = z.strictObject({
  app_name: Name,
  catalog_app: HostString.exactOptional(),
  train: HostString.default("stable"),
  version: HostString.default("latest"),
  values: Values,
  custom_app: z.boolean().default(false),
  custom_compose_config: z.record(z.string(), z.json()).default({}),
  custom_compose_config_string: z.string().default(""),
});

/** ms of each step at speed 1; pulling images takes longest (facts/host-api.md section 11, duty 4). */
const STEP_MS = { validate: 100, directory: 50, pull: 700, configure: 100, resources: 300, stop: 150, remove: 100 };

function lockOf(verb: string) {
  return (params: readonly unknown[]): string => {
    const [first] = params;
    if (typeof first !== "string") throw callError("EFAULT", "Error handling job lock: list index out of range");
    return `app_${verb}_${first}`;
  };
}

function createLock(params: readonly unknown[]): string {
  const [first] = params;
  if (typeof first !== "object" || first === null || Array.isArray(first)) {
    throw callError("EFAULT", "Error handling job lock: list index out of range");
  }
  return `app_create_${"app_name" in first ? String(first.app_name) : ""}`;
}

function resultEntry(world: World, app: AppRecord): JsonObject {
  return appEntry(app, { catalog: world.catalog, generation: world.generation });
}

function requireDocker(world: World): void {
  const status = dockerStatus(world);
  if (status === "RUNNING") return;
  throw callError(
    "EFAULT",
    status === "UNCONFIGURED" ? "No pool configured for Docker" : "Docker service is not running",
  );
}

function requireFreePorts(world: World, name: string, values: JsonObject): void {
  const taken = usedPorts(Object.values(world.state.apps).filter((app) => app.name !== name));
  const clashing = declaredPorts(values).ports.filter(({ host_port: port }) => taken.includes(port));
  if (clashing.length === 0) return;
  const lines = clashing.map(({ host_port: port, protocol }) => `Port [${port}/${protocol}] is already in use`);
  throw callError(
    "EFAULT",
    `Failed to render compose templates: RenderError: The following conflicts have been detected:\n${lines.join("\n")}`,
  );
}

function refuseFaultyValues(world: World, catalogApp: string, values: JsonObject): void {
  const faults = checkValues(catalogApp, values, world.dir);
  if (faults.length > 0) throw invalidParams(faults);
}

/** A compose document's ports, as the generic app writes them. */
function composeValues(compose: JsonObject): JsonObject {
  const services = isJsonObject(compose["services"]) ? Object.values(compose["services"]) : [];
  const ports = services.flatMap((service: Json) =>
    isJsonObject(service) && Array.isArray(service["ports"]) ? service["ports"] : [],
  );
  return {
    ...compose,
    ports: ports.flatMap((port: Json) => {
      const [, host, container] = /^(?:.*:)?(\d+):(\d+)(?:\/\w+)?$/.exec(String(port)) ?? [];
      return host === undefined ? [] : [{ host_port: Number(host), container_port: Number(container) }];
    }),
  };
}

function newApp(world: World, args: z.output<typeof Create>): AppRecord {
  const plain = { name: args.app_name, containers: [], formerVersions: [] };
  if (args.custom_app) {
    const given = Object.keys(args.custom_compose_config).length > 0;
    if (given === (args.custom_compose_config_string !== "")) {
      throw invalidParam("app_create.custom_compose_config", "Exactly one compose configuration must be given");
    }
    const compose: Json = given ? args.custom_compose_config : parseCompose(args.custom_compose_config_string);
    const values = isJsonObject(compose) ? composeValues(compose) : {};
    return { ...plain, catalogApp: "custom-app", train: "stable", custom: true, version: "1.0.0", values };
  }
  if (args.catalog_app === undefined) throw invalidParam("app_create.catalog_app", "This field is required");
  const item = world.catalog.find(args.catalog_app, args.train);
  if (item === undefined) {
    throw callError("ENOENT", `Unable to locate "${args.catalog_app}" catalog item in "${args.train}" train`);
  }
  const versions = world.catalog.versions(item);
  const version =
    args.version === "latest" ? world.catalog.latest(item) : versions.find((one) => one.version === args.version);
  if (version === undefined) {
    throw callError("ENOENT", `Unable to locate "${args.version}" catalog app version of "${args.catalog_app}"`);
  }
  const values = refill(item.defaults, args.values);
  refuseFaultyValues(world, item.id, values);
  return { ...plain, catalogApp: item.id, train: item.train, custom: false, version: version.version, values };
}

/** JSON is YAML; the stand-in reads no other form of it. */
function parseCompose(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParam("app_create.custom_compose_config_string", "The stand-in reads compose files in JSON form only");
  }
}

async function createApp(world: World, args: z.output<typeof Create>, handle: JobHandle): Promise<Json> {
  const { app_name: name } = args;
  const { signal } = handle;
  if (world.state.apps[name] !== undefined) throw callError("EEXIST", `Application with name ${name} already exists`);
  requireDocker(world);
  await world.pace(STEP_MS.validate, signal);
  const app = newApp(world, args);
  handle.progress(25, "Initial Validation completed");
  world.state.apps[name] = app;
  world.commit();
  world.tellApp("added", app);
  try {
    if (app.custom) {
      await world.pace(STEP_MS.directory, signal);
      handle.progress(35, "Setting up App directory");
    }
    await world.pace(STEP_MS.directory, signal);
    requireFreePorts(world, name, app.values);
    handle.progress(60, "App installation in progress, pulling images");
    await world.pace(STEP_MS.pull, signal);
    await bringUp(world, app);
  } catch (error) {
    if (signal.aborted) throw error;
    handle.progress(80, `Failure occurred while installing '${name}', cleaning up`);
    await world.pace(STEP_MS.remove, signal);
    await removeApp(world, app);
    throw error;
  }
  handle.progress(100, `'${name}' installed successfully`);
  return resultEntry(world, app);
}

/** Starts the containers of an app that is still there: another verb may have deleted it meanwhile. */
async function bringUp(world: World, app: AppRecord): Promise<void> {
  if (world.state.apps[app.name] !== app) throw engineFailure(app.name);
  await world.runtime.up(app);
}

async function removeApp(world: World, app: AppRecord): Promise<void> {
  await world.runtime.down(app);
  delete world.state.apps[app.name];
  world.commit();
  world.tellApp("removed", app);
}

/** Merges shallowly on top-level keys; defaults refill what a replaced section lacks. */
function merged(world: World, app: AppRecord, sent: JsonObject): JsonObject {
  const reserved = new Set(["ix_context", "ix_volumes", "ix_certificates", "ix_certificate_authorities"]);
  const kept = Object.fromEntries(Object.entries(sent).filter(([key]) => !reserved.has(key)));
  const defaults = world.catalog.find(app.catalogApp)?.defaults ?? {};
  return refill(defaults, { ...app.values, ...kept });
}

/** The fault that lets an update hand the app's host paths to root, so that the ownership repair has work. */
function disturbOwnership(world: World, app: AppRecord, method: string): void {
  if (world.faults.take("update-changes-owner", { method }) === undefined) return;
  for (const { hostPath } of storageEntries(app.values)) {
    if (hostPath !== undefined) {
      world.state.ownership[hostPath] = { ...ownershipOf(world.state, hostPath), uid: 0, gid: 0 };
    }
  }
  world.commit();
}

async function updateApp(world: World, app: AppRecord, sent: JsonObject, handle: JobHandle): Promise<Json> {
  const { signal } = handle;
  await world.pace(STEP_MS.validate, signal);
  const values = merged(world, app, sent);
  refuseFaultyValues(world, app.catalogApp, values);
  handle.progress(25, "Initial Validation completed");
  await world.pace(STEP_MS.configure, signal);
  requireFreePorts(world, app.name, values);
  const wasUp = appState(app.containers) !== "STOPPED";
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
  return resultEntry(world, app);
}

async function stopApp(world: World, app: AppRecord, handle: Pick<JobHandle, "signal" | "progress">): Promise<void> {
  handle.progress(20, `Stopping '${app.name}' app`);
  world.tellApp("changed", app, "STOPPING");
  await world.pace(STEP_MS.stop, handle.signal);
  await world.runtime.down(app);
  world.commit();
  world.tellApp("changed", app);
  handle.progress(100, `Stopped '${app.name}' app`);
}

const Upgrade = z
  .strictObject({
    app_version: HostString.default("latest"),
    values: Values,
    snapshot_hostpaths: z.boolean().default(false),
  })
  .prefault({});

async function upgradeApp(
  world: World,
  app: AppRecord,
  options: z.output<typeof Upgrade>,
  handle: JobHandle,
): Promise<Json> {
  const { signal } = handle;
  const { name, version: oldVersion } = app;
  if (appState(app.containers) === "STOPPED") {
    throw callError("EFAULT", "In order to upgrade an app, it must not be in stopped state");
  }
  const item = app.custom ? undefined : world.catalog.find(app.catalogApp);
  const newer = item === undefined ? [] : world.catalog.newerThan(item, oldVersion);
  if (newer.length === 0) throw callError("EFAULT", `No upgrade available for '${name}'`);
  handle.progress(15, `Retrieving versions for '${name}' app`);
  await world.pace(STEP_MS.configure, signal);
  const target =
    options.app_version === "latest" ? newer[0] : newer.find(({ version }) => version === options.app_version);
  if (target === undefined) {
    throw invalidParam("options.app_version", `Version ${options.app_version} is not newer than ${oldVersion}`);
  }
  handle.progress(20, `Validating '${name}' app to be upgraded to ${target.version}`);
  await world.pace(STEP_MS.validate, signal);
  const values = merged(world, app, options.values);
  refuseFaultyValues(world, app.catalogApp, values);
  const stopping = world.helperJob("app.stop", [name], async (helper) => {
    await stopApp(world, app, helper);
    return null;
  });
  await stopping.ended;
  signal.throwIfAborted();
  if (world.faults.take("upgrade-left-stopped", { method: "app.upgrade" })) throw engineFailure(name);
  app.values = values;
  app.version = target.version;
  app.formerVersions = [...app.formerVersions, oldVersion];
  world.commit();
  handle.progress(40, "Configuration updated, upgrading app");
  snapshotBeforeUpgrade(world, app, oldVersion, options.snapshot_hostpaths);
  handle.progress(50, "Created snapshot for upgrade");
  disturbOwnership(world, app, "app.upgrade");
  await world.pace(STEP_MS.pull, signal);
  await bringUp(world, app);
  if (world.faults.take("upgrade-half-up", { method: "app.upgrade" })) throw engineFailure(name);
  handle.progress(100, "Upgraded app successfully");
  return resultEntry(world, app);
}

function engineFailure(name: string): Error {
  return callError(
    "EFAULT",
    `Failed 'up' action for '${name}' app. Please check /var/log/app_lifecycle.log for more details`,
  );
}

/** The host's own snapshots of an upgrade: the app's volumes always, its host paths when asked to. */
function snapshotBeforeUpgrade(world: World, app: AppRecord, oldVersion: string, hostPaths: boolean): void {
  addVolumeSnapshot(world, app.name, oldVersion);
  const paths = hostPaths ? storageEntries(app.values).flatMap(({ hostPath }) => hostPath ?? []) : [];
  const datasets = new Set(paths.flatMap((path) => datasetHolding(world.state, path)?.id ?? []));
  for (const dataset of datasets) {
    addSnapshot(world, { dataset, name: `ix-app-upgrade-${app.name}-${oldVersion}`, properties: {} });
  }
  world.commit();
}

/** Jobs that change apps (facts/host-api.md sections 3 and 4). */
export const APP_CHANGE_METHODS: readonly Method[] = [
  job({
    name: "app.create",
    names: ["app_create"],
    params: z.tuple([Create]),
    lock: createLock,
    run: (world, [args], handle) => createApp(world, args, handle),
  }),
  job({
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
      const app = installed(world, name);
      const compose = update.custom_compose_config;
      return updateApp(
        world,
        app,
        app.custom && compose !== undefined ? composeValues(compose) : update.values,
        handle,
      );
    },
  }),
  job({
    name: "app.upgrade",
    names: ["app_name", "options"],
    params: z.tuple([HostString, Upgrade]),
    lock: lockOf("upgrade"),
    run: (world, [name, options], handle) => upgradeApp(world, installed(world, name), options, handle),
  }),
  job({
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
    run: async (world, [name], handle) => {
      const app = installed(world, name);
      handle.progress(20, `Deleting '${name}' app`);
      await world.pace(STEP_MS.stop, handle.signal);
      handle.progress(80, "Cleaning up resources");
      await removeApp(world, app);
      handle.progress(100, `Deleted '${name}' app`);
      return true;
    },
  }),
  job({
    name: "app.start",
    names: ["app_name"],
    params: z.tuple([HostString]),
    lock: lockOf("start"),
    run: async (world, [name], handle) => {
      const app = installed(world, name);
      handle.progress(20, `Starting '${name}' app`);
      await world.pace(STEP_MS.resources, handle.signal);
      await bringUp(world, app);
      handle.progress(100, `Started '${name}' app`);
      return null;
    },
  }),
  job({
    name: "app.stop",
    names: ["app_name"],
    params: z.tuple([HostString]),
    lock: lockOf("stop"),
    run: async (world, [name], handle) => {
      await stopApp(world, installed(world, name), handle);
      return null;
    },
  }),
  job({
    name: "app.redeploy",
    names: ["app_name"],
    params: z.tuple([HostString]),
    lock: lockOf("redeploy"),
    run: (world, [name], handle) => updateApp(world, installed(world, name), {}, handle),
  }),
  job({
    name: "app.pull_images",
    names: ["app_name", "options"],
    params: z.tuple([HostString, z.strictObject({ redeploy: z.boolean().default(true) }).prefault({})]),
    lock: (params) => lockOf("")(params).replace("app__", "pull_images_"),
    run: async (world, [name, { redeploy }], handle) => {
      const app = installed(world, name);
      handle.progress(20, "Pulling app images");
      await world.pace(STEP_MS.pull, handle.signal);
      handle.progress(80, "Images pulled successfully");
      if (redeploy && appState(app.containers) !== "STOPPED") await bringUp(world, app);
      return null;
    },
  }),
  job({
    name: "app.rollback",
    names: ["app_name", "options"],
    params: z.tuple([
      HostString,
      z.strictObject({ app_version: HostString, rollback_snapshot: z.boolean().default(true) }),
    ]),
    lock: lockOf("rollback"),
    run: async (world, [name, { app_version: version }], handle) => {
      const app = installed(world, name);
      if (appState(app.containers) === "STOPPED") {
        throw callError("EFAULT", "In order to rollback an app, it must not be in stopped state");
      }
      if (!app.formerVersions.includes(version)) {
        throw invalidParam("options.app_version", "Specified version is not available for rollback");
      }
      handle.progress(20, "Completed validation for app rollback");
      await world.runtime.down(app);
      app.version = version;
      app.formerVersions = app.formerVersions.filter((one) => one !== version);
      world.commit();
      handle.progress(50, "Rolled back snapshots");
      await world.pace(STEP_MS.resources, handle.signal);
      await bringUp(world, app);
      handle.progress(100, `Rolled back '${name}' app to ${version}`);
      return resultEntry(world, app);
    },
  }),
];
