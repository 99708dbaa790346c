/** What the host is told and tells: its connection, jobs, apps, paths, datasets and shares. */
import type { Code } from "../../core/codes/code.ts";
import type { Json, JsonObject } from "../../core/json/json.ts";
import type { AclEntries } from "./host-acl.ts";

/** A connection to the host, and what became of the attempts to make one. Times are UTC ms. */
export interface HostConnection {
  readonly connected: boolean;
  /** Connections made so far, the present one included. */
  readonly connections: number;
  /** Since when it is, or is not. */
  readonly since: number;
  /** The last attempt to connect; null before the first. */
  readonly attempted: number | null;
  /** Why the last attempt failed; null while connected, and before an attempt has failed since. */
  readonly fault: HostFault | null;
}

/** The jobs the engine starts. */
export type JobCall =
  | {
      readonly method: "createApp";
      readonly name: string;
      readonly catalogApp: string;
      readonly train: string;
      readonly version?: string;
      readonly values: JsonObject;
    }
  | { readonly method: "updateApp"; readonly name: string; readonly values: JsonObject }
  /** `values`: whole top-level sections, each of which takes the place of what the app has; absent: it keeps all. */
  | { readonly method: "upgradeApp"; readonly name: string; readonly version?: string; readonly values?: JsonObject }
  /** The app's own volumes go back too, to the host's snapshot of them; its config is that of the version. */
  | { readonly method: "rollBackApp"; readonly name: string; readonly version: string }
  | { readonly method: "startApp"; readonly name: string }
  | { readonly method: "stopApp"; readonly name: string }
  /** `removeVolumes`: the volumes the host keeps for the app itself; host paths are never removed. */
  | { readonly method: "deleteApp"; readonly name: string; readonly removeVolumes: boolean }
  | {
      readonly method: "setOwner";
      readonly path: string;
      readonly uid: number;
      readonly gid: number;
      /** All entries the path has afterwards. Whether the accounts may pass the directories above is not checked. */
      readonly acl: AclEntries;
    };

/** How a job is found again; `startedAt` (UTC ms) guards against ids that restart at 1. */
export interface JobRef {
  readonly requestId: string;
  readonly method: JobCall["method"];
  readonly id?: number;
  readonly startedAt?: number;
}

/** A job of the host, at the moment it was asked. */
export interface HostJob {
  readonly id: number;
  readonly method: JobCall["method"];
  readonly state: "WAITING" | "RUNNING" | "SUCCESS" | "FAILED" | "ABORTED";
  /** 0-100. */
  readonly percent: number;
  readonly description: string;
  /** UTC ms. */
  readonly startedAt?: number;
  /** Present in FAILED and ABORTED. */
  readonly error?: HostFault;
}

/** A fault as the host tells it. */
export interface HostFault {
  readonly code: Code;
  /** The host's own words where it has answered; the API key is masked, the plan's secrets are the caller's to mask. */
  readonly reason: string;
  /** e.g. `EEXIST`. */
  readonly errname?: string;
  /** Field paths of a validation error. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  readonly retryable: boolean;
}

/** An installed app. */
export interface HostApp {
  /** Instance name. */
  readonly name: string;
  /**
   * Catalog id: `metadata.name`, or the instance name of a custom app. The engine adds `@<train>` where the app comes from
   * another train than its scripts mean.
   */
  readonly appId: string;
  /** Train of the catalog it comes from; absent where the host does not say it. */
  readonly train?: string;
  readonly custom: boolean;
  /** `DEPLOYING RUNNING CRASHED STOPPED STOPPING`; treat any other as not running. */
  readonly state: string;
  readonly version: string;
  readonly upgradeAvailable: boolean;
  readonly latestVersion?: string;
  readonly title?: string;
  readonly icon?: string;
  /** Primary exposed port by the order of docs/host-api.md, section 6; absent when none is published. */
  readonly port?: number;
  readonly scheme: "http" | "https";
  readonly publishedPorts: readonly number[];
  /**
   * On the host's own network, which publishes no port of it: the ports of the LAN address its own hooks may reach, those
   * its portals name that nothing else is known to have, the primary one first. Absent for other apps. `Host.app` may leave
   * the list empty.
   */
  readonly hostNetworkPorts?: readonly number[];
  readonly mounts: readonly HostMount[];
  /** What it uses is not all known: part of its entry can't be read, where `?1` is a name that can't, or where a mount lies. */
  readonly isPartial?: true;
}

/** A directory or file of the host that an app's containers see. */
export interface HostMount {
  /** As the containers were given it, its links not resolved: what it leads to the app can change. */
  readonly hostPath: string;
  readonly containerPath: string | null;
  /** The path the host finds there now, where it is another: paths a person selects are matched with it too. */
  readonly realPath?: string;
}

/** An app of the host's catalog. */
export interface AvailableApp {
  readonly catalogApp: string;
  readonly train: string;
  /** Further trains that have the id, for other apps. */
  readonly otherTrains?: readonly string[];
  readonly title: string;
  readonly icon: string;
  readonly latestVersion: string;
}

/** One version of an app of the host's catalog. */
export interface AppVersion {
  readonly catalogApp: string;
  readonly train: string;
  readonly version: string;
}

/** The questions that the values of one version of an app are held against. */
export interface AppQuestions {
  /** As catalogs write them: `{variable, schema}` each, with what the host adds from its own state. */
  readonly questions: readonly Json[];
  /** Whether the version may rewrite the values of an older one before it looks at them. */
  readonly migrates: boolean;
}

/** How the host reaches the registry its apps' images come from. */
export interface ImageRegistry {
  /** Why it can't, in the host's words; null where it can. */
  readonly fault: string | null;
}

/** Where an upgrade leads. */
export interface UpgradeTarget {
  readonly version: string;
  /** Every version the host could move to. */
  readonly available: readonly string[];
  /** What the host's catalog writes about the move. */
  readonly changelog?: string;
}

/** What stands at a path of the host. A link has the owner of what it leads to; one that leads nowhere is not there. */
export interface HostPath {
  readonly type: "DIRECTORY" | "FILE" | "SYMLINK" | "OTHER";
  /** Where a link leads, its own links resolved; the host does not resolve links in the middle of other paths. */
  readonly target?: string;
  /**
   * What tells it from all else on the host, whatever names lead to it, as device and inode; of a link that of what it leads
   * to. Absent where the host does not tell it: then names that differ in case alone count as one.
   */
  readonly id?: string;
  readonly uid: number;
  readonly gid: number;
}

/** A dataset, mounted or not. */
export interface HostDataset {
  readonly name: string;
  readonly mountpoint: string | null;
  /** e.g. `NFSV4`, `POSIX`, `OFF`. */
  readonly acltype: string;
  readonly aclmode: string;
  /** `SENSITIVE`: names that differ in case are two. Absent where the host does not say it, which counts as not. */
  readonly casesensitivity?: string;
  /** The snapshot a clone comes from, `dataset@name`. */
  readonly origin?: string;
}

/** A snapshot of one dataset. */
export interface HostSnapshot {
  readonly dataset: string;
  readonly name: string;
  /** `platform:*` metadata. */
  readonly properties: Readonly<Record<string, string>>;
  /** Of the data in it; absent where the host does not say it. */
  readonly bytes?: number;
}

/** The service that serves the shares. */
export interface SharesService {
  readonly running: boolean;
  /** True if it starts with the host. */
  readonly enabled: boolean;
}

/** An SMB share. */
export interface HostShare {
  readonly name: string;
  readonly path: string;
}

/** A group of methods a host may lack (own-host.ts). */
export type HostCapability = "datasets" | "snapshots" | "clones" | "shares" | "owners" | "versions" | "questions";
