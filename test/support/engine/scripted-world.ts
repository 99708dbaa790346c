/**
 * The state of the scripted host and what its calls do to it: the rules of docs/host-api.md sections 4, 7 and 8 that an
 * engine can run into, without wire, time or disk.
 */
import { judgeValues } from "../../../src/core/app-values/judge-values.ts";
import { parseQuestions } from "../../../src/core/app-values/parse-questions.ts";
import { isRefusal } from "../../../src/core/app-values/value-fault.ts";
import type { Code } from "../../../src/core/codes/code.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json/json.ts";
import type { AclEntries, HostAcl, Nfs4Entry, PosixEntry } from "../../../src/engine/ports/host-acl.ts";
import type {
  HostApp,
  HostDataset,
  HostFault,
  HostPath,
  HostSnapshot,
  JobCall,
} from "../../../src/engine/ports/host-records.ts";

/** An app the host's catalog offers; versions from old to new. */
export interface OfferedApp {
  readonly train: string;
  readonly title: string;
  readonly icon: string;
  readonly versions: readonly string[];
  /** What every version of it asks for its values. */
  readonly questions?: readonly Json[];
  /** About the newest of them. */
  readonly changelog?: string;
}

/** What a world starts with. Every part has a default that fits most tests. */
export interface WorldOptions {
  readonly catalog?: Readonly<Record<string, OfferedApp>>;
  /** Datasets that exist, mounted at `/mnt/<name>`. Parents first. */
  readonly datasets?: readonly string[];
  readonly users?: Readonly<Record<string, { readonly uid: number; readonly gid: number }>>;
  readonly groups?: Readonly<Record<string, { readonly gid: number }>>;
  /** How many questions after its job's end an app still answers DEPLOYING. */
  readonly deployingFor?: number;
  /** Apps that are installed, by name. */
  readonly instances?: Iterable<readonly [string, Instance]>;
}

type Former = { readonly version: string; readonly values: JsonObject };

/** `former`: what it can be rolled back to, oldest first. */
type Instance = { app: HostApp; values: JsonObject; deployingFor: number; former?: readonly Former[] };

/** The mutable state; tests may read all of it. */
export interface World {
  readonly catalog: Map<string, OfferedApp>;
  readonly instances: Map<string, Instance>;
  readonly datasets: Map<string, HostDataset>;
  readonly paths: Map<string, HostPath>;
  /** ACLs that were set, by path. */
  readonly acls: Map<string, AclEntries>;
  readonly snapshots: HostSnapshot[];
  /** What each snapshot holds, by `dataset@name` and the path below its mountpoint. */
  readonly held: Map<string, Readonly<Record<string, HostPath>>>;
  readonly shares: { name: string; path: string }[];
  /** Whether the service of the shares runs. */
  sharesServed: boolean;
  sharesEnabled: boolean;
  renamesDatasets: boolean;
  readonly users: Map<string, { uid: number; gid: number }>;
  readonly groups: Map<string, { gid: number }>;
  deployingFor: number;
}

/** A fault with the defaults most of them share. */
export function faultOf(code: Code, reason: string, more: Partial<HostFault> = {}): HostFault {
  return { code, reason, fields: [], retryable: false, ...more };
}

/** A world with pool `tank`, its dataset `tank/apps`, and the accounts a fresh host has. */
export function createWorld(options: WorldOptions = {}): World {
  const world: World = {
    catalog: new Map(Object.entries(options.catalog ?? {})),
    instances: new Map(options.instances),
    datasets: new Map(),
    paths: new Map(),
    acls: new Map(),
    snapshots: [],
    held: new Map(),
    shares: [],
    sharesServed: true,
    sharesEnabled: true,
    renamesDatasets: true,
    users: new Map(
      Object.entries(
        options.users ?? { root: { uid: 0, gid: 0 }, apps: { uid: 568, gid: 568 }, "www-data": { uid: 33, gid: 33 } },
      ),
    ),
    groups: new Map(Object.entries(options.groups ?? { apps: { gid: 568 }, docker: { gid: 999 } })),
    deployingFor: options.deployingFor ?? 1,
  };
  addDirectory(world, "/mnt");
  for (const name of options.datasets ?? ["tank", "tank/apps"]) addDataset(world, name, "POSIX");
  return world;
}

/** Adds a directory, owned by root. */
/** An app that runs, installed by other means, as a world starts with it. */
export function makeInstance(
  id: string,
  values: JsonObject = {},
  app: Partial<HostApp> = {},
): readonly [string, Instance] {
  const running = { name: id, appId: id, custom: false, state: "RUNNING", version: "1.0.0", upgradeAvailable: false };
  const shown = { scheme: "http", publishedPorts: [], mounts: [] } as const;
  return [id, { app: { ...running, ...shown, ...app }, values, deployingFor: 0 }];
}

export function addDirectory(world: World, path: string): void {
  world.paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
}

/** Adds a file, owned by root. */
export function addFile(world: World, path: string): void {
  world.paths.set(path, { type: "FILE", uid: 0, gid: 0 });
}

/** Puts a symbolic link where something stood or nothing: the host follows it. */
export function addLink(world: World, path: string, to: string): void {
  world.paths.set(path, { type: "SYMLINK", target: to, uid: 0, gid: 0 });
}

/** A path with its links resolved, as far as they are known. */
export function realPathOf(world: World, path: string): string {
  return path.split("/").reduce((parent, step) => {
    const at = step === "" ? parent : `${parent}/${step}`;
    return world.paths.get(at)?.target ?? at;
  }, "");
}

/** What stands at a path; a link has the owner of what it leads to, and is none if that is not there. */
export function pathAt(world: World, path: string): HostPath | null {
  const own = world.paths.get(`${realPathOf(world, parentOf(path))}/${path.slice(path.lastIndexOf("/") + 1)}`);
  if (own?.target === undefined) return own ?? null;
  const target = realPathOf(world, own.target);
  const found = world.paths.get(target);
  return found === undefined ? null : { ...found, type: "SYMLINK", target };
}

/** Adds a mounted dataset; `APPS` datasets are NFSV4. */
export function addDataset(world: World, name: string, acltype: string): void {
  const mountpoint = `/mnt/${name}`;
  world.datasets.set(name, { name, mountpoint, acltype, aclmode: "DISCARD" });
  addDirectory(world, mountpoint);
}

/** Why `filesystem.mkdir` would refuse this path, or null. */
export function mkdirFault(world: World, path: string): HostFault | null {
  if (!path.startsWith("/mnt/"))
    return faultOf("HOST_PATH_REFUSED", `[EPERM] ${path}: path not permitted`, { errname: "EPERM" });
  if (world.paths.has(path))
    return faultOf("HOST_EXISTS", `[EEXIST] ${path}: path already exists`, { errname: "EEXIST" });
  if (world.paths.has(parentOf(path))) return null;
  return faultOf("HOST_NOT_FOUND", `[EINVAL] [Errno 2] No such file or directory: '${path}'`, { errname: "ENOENT" });
}

/** Why `pool.dataset.create` would refuse this name, or null. */
export function datasetFault(world: World, name: string): HostFault | null {
  if (world.paths.has(`/mnt/${name}`))
    return fieldFault("HOST_EXISTS", "pool_dataset_create.name", `Path /mnt/${name} already exists`);
  if (world.datasets.has(parentOf(name))) return null;
  return fieldFault("HOST_NOT_FOUND", "pool_dataset_create.name", `Parent dataset ${parentOf(name)} does not exist`);
}

/** The dataset mounted at this path or nearest above it. */
export function datasetAt(world: World, path: string): HostDataset | null {
  for (let at = realPathOf(world, path); at !== ""; at = parentOf(at)) {
    const dataset = [...world.datasets.values()].find((candidate) => candidate.mountpoint === at);
    if (dataset !== undefined) return dataset;
  }
  return null;
}

function aclTypeAt(world: World, path: string): HostAcl["acltype"] {
  const acltype = datasetAt(world, path)?.acltype;
  return acltype === "NFSV4" ? "NFS4" : acltype === "OFF" ? "DISABLED" : "POSIX1E";
}

/** Owner and entries of a path: those that were set, else those of mode 755. */
export function aclAt(world: World, path: string): HostAcl | null {
  const found = pathAt(world, path);
  if (found === null) return null;
  const { uid, gid } = found;
  const acltype = aclTypeAt(world, path);
  const set = world.acls.get(realPathOf(world, path));
  if (acltype === "DISABLED") return { uid, gid, acltype, entries: [] };
  if (set?.acltype === acltype) return { uid, gid, ...set };
  return acltype === "NFS4" ? { uid, gid, acltype, entries: NFS4_755 } : { uid, gid, acltype, entries: POSIX_755 };
}

const NFS4_755: readonly Nfs4Entry[] = (["owner@", "group@", "everyone@"] as const).map((tag) => ({
  tag,
  id: -1,
  type: "ALLOW",
  perms: { BASIC: tag === "owner@" ? "FULL_CONTROL" : "TRAVERSE" },
  flags: { BASIC: "NOINHERIT" },
}));
const POSIX_755: readonly PosixEntry[] = (["USER_OBJ", "GROUP_OBJ", "OTHER"] as const).map((tag) => ({
  tag,
  id: -1,
  perms: { READ: true, WRITE: tag === "USER_OBJ", EXECUTE: true },
  default: false,
}));

/** Carries out a job's work: changes the world and returns null, or returns the fault the job fails with. */
export function perform(world: World, call: JobCall): HostFault | null {
  switch (call.method) {
    case "createApp":
      return createApp(world, call);
    case "updateApp":
      return changeInstance(world, call.name, (instance) => {
        // Shallow by top-level key, as the host merges (section 4).
        instance.values = { ...instance.values, ...call.values };
        return null;
      });
    case "upgradeApp":
      return changeInstance(world, call.name, (instance) => upgradeApp(world, instance, call.version));
    case "rollBackApp":
      return changeInstance(world, call.name, (instance) => rollBackApp(world, instance, call.version));
    case "startApp":
      return changeInstance(world, call.name, (instance) => {
        deploy(world, instance);
        return null;
      });
    case "stopApp":
      return changeInstance(world, call.name, (instance) => {
        instance.app = { ...instance.app, state: "STOPPED", publishedPorts: [], mounts: [] };
        return null;
      });
    case "deleteApp":
      return changeInstance(world, call.name, () => {
        world.instances.delete(call.name);
        return null;
      });
    case "setOwner": {
      const real = realPathOf(world, call.path);
      const path = world.paths.get(real);
      if (path === undefined) return fieldFault("HOST_NOT_FOUND", "filesystem_acl.path", `${call.path} does not exist`);
      const expected = aclTypeAt(world, call.path);
      if (call.acl.acltype !== expected)
        return fieldFault("HOST_ACL_UNSUPPORTED", "filesystem_acl.acltype", `The path has ${expected} ACLs`);
      world.paths.set(real, { ...path, uid: call.uid, gid: call.gid });
      world.acls.set(real, call.acl);
      return null;
    }
  }
}

function createApp(world: World, call: Extract<JobCall, { method: "createApp" }>): HostFault | null {
  if (world.instances.has(call.name))
    return faultOf("HOST_NAME_TAKEN", `[EEXIST] Application with name ${call.name} already exists`, {
      errname: "EEXIST",
    });
  const offered = world.catalog.get(call.catalogApp);
  if (offered === undefined || offered.train !== call.train)
    return faultOf("HOST_NOT_FOUND", `[ENOENT] Unable to locate ${call.catalogApp} catalog app`, { errname: "ENOENT" });
  const [refused] = judgeValues(parseQuestions([...(offered.questions ?? [])]).questions, call.values).faults.filter(
    isRefusal,
  );
  if (refused !== undefined) return fieldFault("HOST_INVALID", refused.path.join("."), refused.reason);
  const missing = hostPathsOf(call.values).find(({ path }) => !world.paths.has(path));
  if (missing !== undefined) return fieldFault("HOST_INVALID", missing.field, "Value error, Path does not exist");
  const version = call.version ?? offered.versions.at(-1);
  if (version === undefined || !offered.versions.includes(version))
    return faultOf("HOST_NOT_FOUND", `[ENOENT] Version ${version} of ${call.catalogApp} not found`, {
      errname: "ENOENT",
    });
  const instance: Instance = {
    values: call.values,
    deployingFor: 0,
    app: {
      name: call.name,
      appId: call.catalogApp === "ix-app" ? call.name : call.catalogApp,
      custom: call.catalogApp === "ix-app",
      state: "STOPPED",
      version,
      upgradeAvailable: version !== offered.versions.at(-1),
      latestVersion: offered.versions.at(-1) ?? version,
      title: offered.title,
      icon: offered.icon,
      scheme: "http",
      publishedPorts: [],
      mounts: [],
    },
  };
  world.instances.set(call.name, instance);
  deploy(world, instance);
  return null;
}

function upgradeApp(world: World, instance: Instance, wanted: string | undefined): HostFault | null {
  const versions = world.catalog.get(instance.app.appId)?.versions ?? [];
  const target = wanted ?? versions.at(-1);
  if (instance.app.state === "STOPPED")
    return faultOf("HOST_APP_STOPPED", "[EFAULT] In order to upgrade an app, it must not be in stopped state", {
      errname: "EFAULT",
    });
  if (target === undefined || versions.indexOf(target) <= versions.indexOf(instance.app.version))
    return faultOf("HOST_UPGRADE_NONE", `[EFAULT] No upgrade available for '${instance.app.name}'`, {
      errname: "EFAULT",
    });
  instance.former = [...(instance.former ?? []), { version: instance.app.version, values: instance.values }];
  instance.app = { ...instance.app, version: target, upgradeAvailable: target !== versions.at(-1) };
  deploy(world, instance);
  return null;
}

function rollBackApp(world: World, instance: Instance, version: string): HostFault | null {
  const known = instance.former ?? [];
  const at = known.findIndex((one) => one.version === version);
  const former = known[at];
  if (instance.app.state === "STOPPED")
    return faultOf("HOST_APP_STOPPED", "[EFAULT] In order to rollback an app, it must not be in stopped state", {
      errname: "EFAULT",
    });
  if (former === undefined)
    return fieldFault("HOST_INVALID", "options.app_version", "Specified version is not available for rollback");
  instance.former = known.slice(0, at);
  instance.values = former.values;
  instance.app = { ...instance.app, version, upgradeAvailable: true };
  deploy(world, instance);
  return null;
}

function changeInstance(
  world: World,
  name: string,
  change: (instance: Instance) => HostFault | null,
): HostFault | null {
  const instance = world.instances.get(name);
  if (instance === undefined) return faultOf("HOST_NOT_FOUND", `App ${name} does not exist`, { errname: "ENOENT" });
  return change(instance);
}

/** Starts the containers: DEPLOYING for a while, then RUNNING; port and mounts as the values say (section 6). */
function deploy(world: World, instance: Instance): void {
  const port = publishedPort(instance.values);
  instance.deployingFor = world.deployingFor;
  instance.app = {
    ...instance.app,
    state: world.deployingFor === 0 ? "RUNNING" : "DEPLOYING",
    publishedPorts: port === null ? [] : [port],
    mounts: hostPathsOf(instance.values).map(({ path, mountPath }) => ({ hostPath: path, containerPath: mountPath })),
    ...(port !== null && { port }),
  };
}

function publishedPort(values: JsonObject): number | null {
  const network = values["network"];
  const web = isJsonObject(network) ? network["web_port"] : undefined;
  if (typeof web === "number") return web;
  const port = isJsonObject(web) ? web["port_number"] : undefined;
  return typeof port === "number" ? port : null;
}

type DeclaredHostPath = { readonly path: string; readonly field: string; readonly mountPath: string | null };

function hostPathsOf(value: Json | undefined, field = ""): DeclaredHostPath[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => hostPathsOf(item, join(field, String(index))));
  if (!isJsonObject(value)) return [];
  const config = value["host_path_config"];
  const path = isJsonObject(config) ? config["path"] : undefined;
  if (value["type"] !== "host_path" || typeof path !== "string")
    return Object.entries(value).flatMap(([key, item]) => hostPathsOf(item, join(field, key)));
  const mount = value["mount_path"];
  return [
    {
      path,
      field: `${field}.host_path_config.path`,
      mountPath: typeof mount === "string" ? mount : `/${field.split(".").at(-1)}`,
    },
  ];
}

function join(field: string, key: string): string {
  return field === "" ? key : `${field}.${key}`;
}

function fieldFault(code: Code, field: string, message: string): HostFault {
  return faultOf(code, `[EINVAL] ${field}: ${message}`, { errname: "EINVAL", fields: [{ field, message }] });
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}
