/**
 * A host of an embedder's own: a core every host has, and groups of methods a host has as a whole or not at all. The
 * engine leaves out the steps of a group that is absent, or refuses what needs them before anything is changed.
 */
import { EngineError } from "../../core/codes/problems.ts";
import { HostError } from "../host-error.ts";
import type { Host } from "./host.ts";
import { deriveOptional, type OptionalMethod } from "./host-defaults.ts";
import type { HostCapability } from "./host-records.ts";

/** The optional groups, and the methods of each. */
export const HOST_CAPABILITIES = {
  /** Without it directories are plain folders. */
  datasets: ["dataset", "holdsDatasets", "createDataset", "setDatasetAclMode"],
  /** Without it no snapshot precedes a change, and an uninstall keeps the data. */
  snapshots: ["snapshotNames", "snapshots", "createSnapshot", "deleteSnapshot"],
  /** Without it a rollback brings back version and values, and no data. Needs datasets and snapshots. */
  clones: ["renamesDatasets", "renameDataset", "cloneSnapshot", "promoteDataset"],
  /** Without it nothing is shared on the network. */
  shares: ["shares", "createShare", "sharesService", "startShares", "enableShares"],
  /** Without it a script whose directories name an owner is refused. With it goes the job `setOwner`. */
  owners: ["user", "group", "acl"],
  /** Without it no rollback leads to an older version. With it goes the job `rollBackApp`. */
  versions: ["rollbackVersions"],
  /** Without it values reach the host unjudged: it refuses them once the work has begun. */
  questions: ["appQuestions"],
} as const satisfies Readonly<Record<HostCapability, readonly (keyof Host)[]>>;

/** The methods of a group. */
export type HostPart<Name extends HostCapability> = Pick<Host, (typeof HOST_CAPABILITIES)[Name][number]>;

/** The methods that belong to no group. A host may leave out some of them one by one. */
export type HostCore = Omit<Host, (typeof HOST_CAPABILITIES)[HostCapability][number] | OptionalMethod | "lacks"> &
  Partial<Pick<Host, OptionalMethod>>;

/** All methods of a group, or none. */
type OptionalPart<Part> = Part | { readonly [Method in keyof Part]?: never };

/** A host of an embedder's own: the core, and any of the groups. */
export type OwnHost = HostCore &
  OptionalPart<HostPart<"datasets">> &
  OptionalPart<HostPart<"snapshots">> &
  OptionalPart<HostPart<"clones">> &
  OptionalPart<HostPart<"shares">> &
  OptionalPart<HostPart<"owners">> &
  OptionalPart<HostPart<"versions">> &
  OptionalPart<HostPart<"questions">>;

type CoreMethod = Exclude<keyof HostCore, OptionalMethod | "connection" | "imageRegistry">;

const CORE_METHODS: Readonly<Record<CoreMethod, true>> = {
  facts: true,
  apps: true,
  appConfig: true,
  availableApps: true,
  startJob: true,
  findJob: true,
  waitJob: true,
  stat: true,
  datasetOf: true,
  makeDirectory: true,
};

const CAPABILITY_NAMES = ["datasets", "snapshots", "clones", "shares", "owners", "versions", "questions"] as const;

/** What the engine meets in place of an absent group: there is nothing to read, and a change is refused. */
const ABSENT: { readonly [Name in HostCapability]: HostPart<Name> } = {
  datasets: {
    dataset: async () => null,
    holdsDatasets: async () => false,
    createDataset: () => rejectMissing("datasets"),
    setDatasetAclMode: () => rejectMissing("datasets"),
  },
  snapshots: {
    snapshotNames: async () => [],
    snapshots: async () => [],
    createSnapshot: () => rejectMissing("snapshots"),
    deleteSnapshot: async () => {},
  },
  clones: {
    renamesDatasets: async () => false,
    renameDataset: () => rejectMissing("clones"),
    cloneSnapshot: () => rejectMissing("clones"),
    promoteDataset: () => rejectMissing("clones"),
  },
  shares: {
    shares: async () => [],
    createShare: () => rejectMissing("shares"),
    sharesService: async () => ({ running: false, enabled: false }),
    startShares: () => rejectMissing("shares"),
    enableShares: () => rejectMissing("shares"),
  },
  owners: { user: async () => null, group: async () => null, acl: async () => null },
  versions: { rollbackVersions: async () => [] },
  questions: { appQuestions: async () => null },
};

/** Whether a host has none of the methods of a group. */
export function lacks(host: Pick<Host, "lacks">, capability: HostCapability): boolean {
  return host.lacks?.has(capability) === true;
}

/** Throws `HOST_INCOMPLETE`, naming the method, for what is no host, or has a group in part. */
export function assertHost(host: object): asserts host is OwnHost {
  const missing = Object.keys(CORE_METHODS).find((name) => !hasMethod(host, name));
  if (missing !== undefined) throw createIncompleteError(`the host has no method "${missing}"`);
  for (const capability of CAPABILITY_NAMES) {
    const methods: readonly string[] = HOST_CAPABILITIES[capability];
    const absent = methods.filter((name) => !hasMethod(host, name));
    if (absent.length === 0 || absent.length === methods.length) continue;
    const named = `"${absent.join('", "')}"`;
    throw createIncompleteError(`the host has a part of "${capability}", but no method ${named}`);
  }
}

/** The host as the engine needs it; a method is called on the embedder's object. Throws as `assertHost`. */
export function completeHost(own: OwnHost): Host {
  assertHost(own);
  const absent = CAPABILITY_NAMES.filter((name) => !hasMethod(own, HOST_CAPABILITIES[name][0]));
  const derived = Object.entries(deriveOptional(own)).filter(([name]) => !hasMethod(own, name));
  const stand: object = Object.assign(Object.fromEntries(derived), ...absent.map((name) => ABSENT[name]));
  if (absent.length > 0) Object.assign(stand, { lacks: new Set(absent) });
  const host: object = Object.keys(stand).length === 0 ? own : standIn(own, stand);
  if (!isComplete(host)) throw new Error("a group of the port has no methods to stand in for it");
  return host;
}

function standIn(own: object, stand: object): object {
  return new Proxy(own, {
    get(target, name) {
      if (Reflect.has(stand, name)) return Reflect.get(stand, name);
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function isComplete(host: object): host is Host {
  const methods = [...Object.keys(CORE_METHODS), ...Object.values(HOST_CAPABILITIES).flat()];
  return methods.every((name) => hasMethod(host, name));
}

function hasMethod(host: object, name: string): boolean {
  return typeof Reflect.get(host, name) === "function";
}

function createIncompleteError(message: string): EngineError {
  return new EngineError("HOST_INCOMPLETE", message);
}

async function rejectMissing(capability: HostCapability): Promise<never> {
  const reason = `this host lacks the methods of "${capability}"`;
  throw new HostError({ code: "HOST_CAPABILITY_MISSING", reason, fields: [], retryable: false }, "no");
}
