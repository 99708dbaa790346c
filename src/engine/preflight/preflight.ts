/**
 * Asks a host, before anything is changed, for all that would make an install fail there: one report, every problem at
 * once.
 *
 * Invariants:
 * 1. Nothing on the host is changed.
 * 2. A problem hides no other; only a host that cannot be asked ends the report, with its `HostError`.
 */
import { posix } from "node:path";
import { EngineError, type Failure } from "../../core/codes/problems.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { PlannedDirectory } from "../../core/plan/plan.ts";
import type { Host } from "../ports/host.ts";
import type { AvailableApp, HostApp, ImageRegistry } from "../ports/host-records.ts";
import { lacks } from "../ports/own-host.ts";
import { createFailure } from "./fault.ts";
import { checkDirectory, checkRoom, type LocationRoom, measureRoom } from "./locations.ts";
import { listHostPaths, listPublishedPorts } from "./named-in-values.ts";
import { checkNeededGroups } from "./needed-groups.ts";

export interface PreflightRequest {
  /** Name of the new instance; for catalog apps also the catalog id. */
  readonly appId: string;
  /** Id in the host's catalog: `ix-app` for custom scripts. */
  readonly catalogApp: string;
  readonly appValues: JsonObject;
  readonly directories: readonly PlannedDirectory[];
  /** Host paths of the locations, by id. */
  readonly locations: Readonly<Record<string, string>>;
  /** How the way to the images stands, asked for beside the rest since it may take long; null where nobody can tell. */
  readonly registry: Promise<ImageRegistry | null>;
}

export interface PreflightReport {
  /**
   * In the order: name, version, ports, owners, directories, paths of values, room, registry, shares, steps left out.
   * Empty when the install can begin.
   */
  readonly faults: readonly Failure[];
  /** The app `app.create` is asked for, its version pinned; null when the catalog lacks it. */
  readonly offer: AvailableApp | null;
  /** Free room of every location used. */
  readonly room: readonly LocationRoom[];
}

type Account = { readonly kind: "user" | "group"; readonly name: string };

/** Asks the host everything at once. Rejects with a `HostError` only when the host cannot be asked. */
export async function runPreflight(host: Host, request: PreflightRequest): Promise<PreflightReport> {
  const [apps, usedPorts, offer, owners, directories, paths, room, registry, shares] = await Promise.all([
    host.apps(),
    host.usedPorts(),
    host.availableApp(request.catalogApp),
    checkOwners(host, request),
    Promise.all(request.directories.map((directory) => checkDirectory(host, directory, request.locations))),
    checkPaths(host, request),
    measureRoom(host, request.directories, request.locations),
    request.registry,
    checkShares(host, request),
  ]);
  const missing =
    offer === null ? [createFailure("HOST_NOT_FOUND", `the host's catalog has no app "${request.catalogApp}"`)] : [];
  return {
    offer,
    room,
    faults: [
      ...checkName(apps, request),
      ...missing,
      ...checkPorts(apps, usedPorts, request),
      ...owners,
      ...directories.flat(),
      ...paths,
      ...room.flatMap(checkRoom),
      ...checkRegistry(registry),
      ...shares,
      ...checkOmitted(host, request),
    ],
  };
}

/** Throws the first fault as an `EngineError`, all of them in its details; an empty report passes. */
export function refuseUnready({ faults }: PreflightReport, appId: string): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new EngineError(first.code, faults.map(({ message }) => message).join("; "), { appId, faults });
}

function checkName(apps: readonly HostApp[], { appId }: PreflightRequest): Failure[] {
  const taken = apps.some((app) => app.name === appId || app.appId === appId);
  return taken ? [createFailure("HOST_NAME_TAKEN", `an app named "${appId}" is installed already`)] : [];
}

function checkPorts(
  apps: readonly HostApp[],
  usedPorts: readonly number[],
  { appValues }: PreflightRequest,
): Failure[] {
  return listPublishedPorts(appValues)
    .filter((port) => usedPorts.includes(port))
    .map((port) => {
      const user = apps.find(({ publishedPorts }) => publishedPorts.includes(port));
      const by = user === undefined ? "a running app" : `the app "${user.name}"`;
      return createFailure("HOST_PORT_CONFLICT", `the port ${port} is used by ${by}`);
    });
}

/** The fault of a host that says it can't get images. */
export function checkRegistry(registry: ImageRegistry | null): Failure[] {
  if (registry === null || registry.fault === null) return [];
  return [createFailure("HOST_REGISTRY_UNREACHABLE", `the host can't reach its registry of images: ${registry.fault}`)];
}

async function checkShares(host: Host, { directories }: PreflightRequest): Promise<Failure[]> {
  if (lacks(host, "shares") || !directories.some(({ share }) => share)) return [];
  const { running, enabled } = await host.sharesService();
  if (running && enabled) return [];
  const message = running
    ? "the host's SMB service does not start with the host: the install changes that"
    : "the host's SMB service is off: the install starts it, and has it start with the host";
  return [createFailure("HOST_SHARES_OFF", message)];
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

/** The steps that are left out on a host that can't do them. */
function checkOmitted(host: Host, { directories }: PreflightRequest): Failure[] {
  const shared = directories.filter(({ share }) => share);
  const snapshotted = directories.filter(({ root, snapshot }) => !root && snapshot !== undefined);
  return [
    ...(lacks(host, "shares") ? shared : []).map(({ path }) =>
      createFailure("HOST_STEP_OMITTED", `"${path}" is not shared on the network: this host has no shares`),
    ),
    ...(lacks(host, "snapshots") ? snapshotted : []).map(({ path }) =>
      createFailure("HOST_STEP_OMITTED", `no snapshot of "${path}" precedes an upgrade: this host takes none`),
    ),
  ];
}

async function checkOwners(host: Host, { directories }: PreflightRequest): Promise<Failure[]> {
  if (lacks(host, "owners")) return checkNeededGroups(host, directories);
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
