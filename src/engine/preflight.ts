/**
 * Asks a host, before anything is changed, for all that would make an install fail there: one report, every problem at
 * once.
 *
 * Invariants:
 * 1. Nothing on the host is changed.
 * 2. A problem hides no other; only a host that cannot be asked ends the report, with its `HostError`.
 */
import { posix } from "node:path";
import { EngineError, type Failure } from "../core/codes/problems.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json/json.ts";
import type { PlannedDirectory } from "../core/plan/plan.ts";
import { findDeclared } from "./effects/files/declared-path.ts";
import { HostError } from "./host-error.ts";
import type { Host } from "./ports/host.ts";
import type { AvailableApp } from "./ports/host-records.ts";

export interface PreflightRequest {
  /** Name of the new instance; for catalog apps also the catalog id. */
  readonly appId: string;
  /** Id in the host's catalog: `ix-app` for custom scripts. */
  readonly catalogApp: string;
  readonly appValues: JsonObject;
  readonly directories: readonly PlannedDirectory[];
  /** Host paths of the locations, by id. */
  readonly locations: Readonly<Record<string, string>>;
}

export interface PreflightReport {
  /** In the order: name, version, ports, owners, directories, paths of values, room. Empty when the install can begin. */
  readonly faults: readonly Failure[];
  /** The app `app.create` is asked for, its version pinned; null when the catalog lacks it. */
  readonly offer: AvailableApp | null;
  /** Free room of every location used. */
  readonly room: readonly LocationRoom[];
}

/** Free room where a location lies. */
export interface LocationRoom {
  readonly location: string;
  readonly dataset: string;
  readonly availableBytes: number;
}

/** Below this an image hardly fits: 1 GiB. */
const LEAST_ROOM_BYTES = 1024 ** 3;

type Account = { readonly kind: "user" | "group"; readonly name: string };

/** Asks the host everything at once. Rejects with a `HostError` only when the host cannot be asked. */
export async function runPreflight(host: Host, request: PreflightRequest): Promise<PreflightReport> {
  const [name, offer, ports, owners, directories, paths, room] = await Promise.all([
    nameFaults(host, request),
    host.availableApp(request.catalogApp),
    checkPorts(host, request),
    checkOwners(host, request),
    Promise.all(request.directories.map((directory) => checkDirectory(host, directory, request.locations))),
    checkPaths(host, request),
    measureRoom(host, request),
  ]);
  const missing =
    offer === null ? [createFailure("HOST_NOT_FOUND", `the host's catalog has no app "${request.catalogApp}"`)] : [];
  return {
    offer,
    room,
    faults: [...name, ...missing, ...ports, ...owners, ...directories.flat(), ...paths, ...room.flatMap(checkRoom)],
  };
}

/** Throws the first fault as an `EngineError`, all of them in its details; an empty report passes. */
export function refuseUnready({ faults }: PreflightReport, appId: string): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new EngineError(first.code, faults.map(({ message }) => message).join("; "), { appId, faults });
}

async function nameFaults(host: Host, { appId }: PreflightRequest): Promise<Failure[]> {
  const apps = await host.apps();
  const taken = apps.some((app) => app.name === appId || app.appId === appId);
  return taken ? [createFailure("HOST_NAME_TAKEN", `an app named "${appId}" is installed already`)] : [];
}

async function checkPorts(host: Host, { appValues }: PreflightRequest): Promise<Failure[]> {
  const used = new Set(await host.usedPorts());
  return listPublishedPorts(appValues)
    .filter((port) => used.has(port))
    .map((port) => createFailure("HOST_PORT_CONFLICT", `the port ${port} is used by a running app`));
}

/** The ports of `network.<x>_port`, as objects or as bare numbers (docs/host-api.md, section 6). */
function listPublishedPorts({ network }: JsonObject): number[] {
  if (!isJsonObject(network)) return [];
  const ports = Object.entries(network).flatMap(([key, value]) => {
    if (!key.endsWith("_port")) return [];
    const port = isJsonObject(value) && value["bind_mode"] === "published" ? value["port_number"] : value;
    return typeof port === "number" ? [port] : [];
  });
  return [...new Set(ports)];
}

/** The host takes an app's host path only where something stands there; what the install itself makes will. */
async function checkPaths(host: Host, { appValues, directories }: PreflightRequest): Promise<Failure[]> {
  const isMade = (path: string) =>
    directories.some((entry) => entry.path === path || entry.path.startsWith(`${path}/`));
  const asked = listHostPaths(appValues, []).filter(({ path }) => !isMade(path));
  const missing = await Promise.all(
    asked.map(async (value) => (posix.isAbsolute(value.path) && (await host.stat(value.path)) !== null ? [] : [value])),
  );
  return missing
    .flat()
    .map(({ path, place }) =>
      createFailure("HOST_PATH_MISSING", `the path "${path}" of "${place}" is not on the host`),
    );
}

interface HostPathValue {
  readonly path: string;
  /** Where it stands, e.g. `storage.media`. */
  readonly place: string;
}

/** Every storage object of an app's values that names a path of the host (docs/host-api.md, section 6). */
function listHostPaths(value: Json, at: readonly string[]): readonly HostPathValue[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => listHostPaths(item, [...at, String(index)]));
  if (!isJsonObject(value)) return [];
  const config = value["host_path_config"];
  if (value["type"] === "host_path" && isJsonObject(config)) {
    const { acl, acl_enable, path } = config;
    const written = acl_enable === true && isJsonObject(acl) ? acl["path"] : path;
    return typeof written === "string" ? [{ path: posix.normalize(written), place: at.join(".") }] : [];
  }
  return Object.entries(value).flatMap(([key, inner]) => listHostPaths(inner, [...at, key]));
}

async function checkOwners(host: Host, { directories }: PreflightRequest): Promise<Failure[]> {
  const accounts = new Map<string, Account>();
  for (const { root, owner } of directories) {
    if (root || owner === undefined) continue;
    accounts.set(`user ${owner.user}`, { kind: "user", name: owner.user });
    if (owner.group !== undefined) accounts.set(`group ${owner.group}`, { kind: "group", name: owner.group });
  }
  const found = await Promise.all(
    [...accounts.values()].map(async ({ kind, name }) => {
      const account = kind === "user" ? await host.user(name) : await host.group(name);
      return account === null
        ? [createFailure("HOST_OWNER_UNKNOWN", `the ${kind} "${name}" does not exist on the host`)]
        : [];
    }),
  );
  return found.flat();
}

/** Walks from the location down to what exists of the path; the rest will be created below it. */
async function checkDirectory(
  host: Host,
  { path, location, root, owner }: PlannedDirectory,
  locations: Readonly<Record<string, string>>,
): Promise<Failure[]> {
  const base = locations[location];
  const createBlockedFailures = (message: string) => [createFailure("HOST_DIRECTORY_BLOCKED", message)];
  if (base === undefined) return createBlockedFailures(`the location "${location}" is not configured on the host`);
  const top = await host.stat(base);
  if (top === null) return createBlockedFailures(`the path "${base}" of the location "${location}" does not exist`);
  let existing = base;
  let real = top.realpath;
  for (const step of root ? [] : posix.relative(base, path).split("/")) {
    const next = posix.join(existing, step);
    const found = await findDeclared(host, next, locations).catch((error: unknown) => {
      if (error instanceof HostError && error.code === "HOST_PATH_LINKED") return error;
      throw error;
    });
    if (found instanceof HostError) return [createFailure(found.code, found.message)];
    if (found === null) break;
    if (found.type !== "DIRECTORY") return createBlockedFailures(`"${next}" exists and is not a directory`);
    existing = next;
    real = found.realpath;
  }
  if (root || owner === undefined) return [];
  // A dataset of its own gets the ACLs of an app's dataset; anything else has those of the dataset it lies on. What is
  // missing below a dataset becomes datasets all the way down.
  const holder = await host.datasetOf(existing);
  const becomesDataset = existing !== path && holder.mountpoint === real;
  const dataset = becomesDataset ? null : await host.dataset(holder.dataset);
  if (dataset?.acltype !== "OFF") return [];
  return [
    createFailure("HOST_ACL_UNSUPPORTED", `"${path}" cannot be given an owner: ACLs are off on "${dataset.name}"`),
  ];
}

/** One row per location used; a location that is missing has its fault elsewhere. */
async function measureRoom(host: Host, { directories, locations }: PreflightRequest): Promise<LocationRoom[]> {
  const used = [...new Set(directories.map(({ location }) => location))];
  const rows = await Promise.all(
    used.map(async (location) => {
      const base = locations[location];
      if (base === undefined || (await host.stat(base)) === null) return [];
      const { dataset, availableBytes } = await host.datasetOf(base);
      return [{ location, dataset, availableBytes }];
    }),
  );
  return rows.flat();
}

function checkRoom({ location, dataset, availableBytes }: LocationRoom): Failure[] {
  if (availableBytes >= LEAST_ROOM_BYTES) return [];
  const megabytes = Math.floor(availableBytes / 1024 / 1024);
  return [
    createFailure(
      "HOST_SPACE_LOW",
      `the location "${location}" (${dataset}) has ${megabytes} MB left, 1024 are needed`,
    ),
  ];
}

function createFailure(code: Failure["code"], message: string): Failure {
  // Each can be put right on the host, and the install asked for again.
  return { code, message, context: [], retryable: true };
}
