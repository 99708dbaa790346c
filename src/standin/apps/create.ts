import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../core/json/json.ts";
import type { AppRecord } from "../host-state.ts";
import type { JobHandle } from "../jobs/job.ts";
import { HostString } from "../rpc/arguments.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import {
  addDefaults,
  bringUp,
  buildResultEntry,
  keepValues,
  removeApp,
  requireDocker,
  requireFreePorts,
  STEP_MS,
  Values,
} from "./steps.ts";

const Name = z
  .string()
  .min(1)
  .max(40)
  .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/);

/** Argument of `app.create`. */
export const CreateArguments = z.strictObject({
  app_name: Name,
  catalog_app: HostString.exactOptional(),
  train: HostString.default("stable"),
  version: HostString.default("latest"),
  values: Values,
  custom_app: z.boolean().default(false),
  custom_compose_config: z.record(z.string(), z.json()).default({}),
  custom_compose_config_string: z.string().default(""),
});

/** The work of `app.create`: what fails after the instance was registered removes it again. */
export async function createApp(
  world: World,
  args: z.output<typeof CreateArguments>,
  handle: JobHandle,
): Promise<Json> {
  const { app_name: name } = args;
  const { signal } = handle;
  if (Object.hasOwn(world.state.apps, name))
    throw createCallError("EEXIST", `Application with name ${name} already exists`);
  requireDocker(world);
  await world.pace(STEP_MS.validate, signal);
  const app = createAppRecord(world, args);
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
  return buildResultEntry(world, app);
}

function createAppRecord(world: World, args: z.output<typeof CreateArguments>): AppRecord {
  const plain = { name: args.app_name, containers: [], formerVersions: [], formerValues: {} };
  if (args.custom_app) {
    const given = Object.keys(args.custom_compose_config).length > 0;
    if (given === (args.custom_compose_config_string !== "")) {
      throw createInvalidParam("app_create.custom_compose_config", "Exactly one compose configuration must be given");
    }
    const compose: Json = given ? args.custom_compose_config : parseCompose(args.custom_compose_config_string);
    const values = isJsonObject(compose) ? composeValues(compose) : {};
    return { ...plain, catalogApp: "custom-app", train: "stable", custom: true, version: "1.0.0", values };
  }
  if (args.catalog_app === undefined) throw createInvalidParam("app_create.catalog_app", "This field is required");
  const item = world.catalog.find(args.catalog_app, args.train);
  if (item === undefined) {
    throw createCallError("ENOENT", `Unable to locate "${args.catalog_app}" catalog item in "${args.train}" train`);
  }
  const versions = world.catalog.versions(item);
  const version =
    args.version === "latest" ? world.catalog.latest(item) : versions.find((one) => one.version === args.version);
  if (version === undefined) {
    throw createCallError("ENOENT", `Unable to locate "${args.version}" catalog app version of "${args.catalog_app}"`);
  }
  const named = { catalogApp: item.id, train: item.train, version: version.version };
  const values = keepValues(world, named, addDefaults(world, named, args.values));
  return { ...plain, ...named, custom: false, values };
}

/** A compose document's ports, as the generic app writes them. */
export function composeValues(compose: JsonObject): JsonObject {
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

/** JSON is YAML; the stand-in reads no other form of it. */
function parseCompose(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw createInvalidParam(
      "app_create.custom_compose_config_string",
      "The stand-in reads compose files in JSON form only",
    );
  }
}
