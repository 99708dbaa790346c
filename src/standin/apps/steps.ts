import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import type { AppRecord } from "../host-state.ts";
import { createCallError, createInvalidParams, createUpFailure } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import { buildAppEntry } from "./entry.ts";
import { listUsedPorts, readDockerStatus } from "./installed.ts";
import { checkValues, listMissingValues } from "./schemas.ts";
import { listDeclaredPorts, refill } from "./values.ts";

/** `values` as the calls take them; what they may hold the app's own schema says. */
export const Values = z.record(z.string(), z.json()).default({});

/** ms of each step at speed 1; pulling images takes longest (docs/host-api.md, section 11, duty 4). */
export const STEP_MS = {
  validate: 100,
  directory: 50,
  pull: 700,
  configure: 100,
  resources: 300,
  stop: 150,
  remove: 100,
};

/** An app as jobs answer it: portals on `0.0.0.0`. */
export function buildResultEntry(world: World, app: AppRecord): JsonObject {
  return buildAppEntry(app, { catalog: world.catalog, generation: world.generation });
}

/** Refuses, in the host's words, while the apps service is down. */
export function requireDocker(world: World): void {
  const status = readDockerStatus(world);
  if (status === "RUNNING") return;
  throw createCallError(
    "EFAULT",
    status === "UNCONFIGURED" ? "No pool configured for Docker" : "Docker service is not running",
  );
}

/** Refuses ports other running apps publish, as rendering the compose files does. */
export function requireFreePorts(world: World, name: string, values: JsonObject): void {
  const taken = listUsedPorts(Object.values(world.state.apps).filter((app) => app.name !== name));
  const clashing = listDeclaredPorts(values).ports.filter(({ host_port: port }) => taken.includes(port));
  if (clashing.length === 0) return;
  const lines = clashing.map(({ host_port: port, protocol }) => `Port [${port}/${protocol}] is already in use`);
  throw createCallError(
    "EFAULT",
    `Failed to render compose templates: RenderError: The following conflicts have been detected:\n${lines.join("\n")}`,
  );
}

/** The app and version whose questions values are held against. */
type Asking = Pick<AppRecord, "catalogApp" | "train" | "version">;

/**
 * The values the host keeps of those sent; `before`: those an update changes. Throws for what the app's questions or its host
 * paths forbid, with bare paths.
 */
export function keepValues(world: World, app: Asking, sent: JsonObject, before?: JsonObject): JsonObject {
  const { catalogApp, version } = app;
  const { faults: found, values } = checkValues(world, app, sent, before);
  const faults = [...found, ...listMissingValues(values, world.state.demands[catalogApp] ?? [], version)];
  if (faults.length > 0) throw createInvalidParams(faults);
  return values;
}

/** Starts the containers of an app that is still there: another verb may have deleted it meanwhile. */
export async function bringUp(world: World, app: AppRecord): Promise<void> {
  requirePresent(world, app);
  await world.runtime.up(app);
}

/** Ends an app's containers and forgets it. */
export async function removeApp(world: World, app: AppRecord): Promise<void> {
  if (world.state.apps[app.name] !== app) return;
  await world.runtime.down(app);
  delete world.state.apps[app.name];
  world.commit();
  world.tellApp("removed", app);
}

/** Merges shallowly on top-level keys; defaults refill what a replaced section lacks. */
export function mergeValues(world: World, app: AppRecord, sent: JsonObject): JsonObject {
  const reserved = new Set(["ix_context", "ix_volumes", "ix_certificates", "ix_certificate_authorities"]);
  const kept = Object.fromEntries(Object.entries(sent).filter(([key]) => !reserved.has(key)));
  return addDefaults(world, app, { ...app.values, ...kept });
}

/** Values with the defaults of their package; where the app's questions are known they have them. */
export function addDefaults(world: World, app: Asking, values: JsonObject): JsonObject {
  if (world.questions.find(app)?.isWhole === true) return values;
  return refill(world.catalog.find(app.catalogApp, app.train)?.defaults ?? {}, values);
}

/** Refuses to touch containers in the name of an app that was deleted: its name may be another one's by now. */
export function requirePresent(world: World, app: AppRecord): void {
  if (world.state.apps[app.name] !== app) throw createUpFailure(app.name);
}
