/**
 * The storage host, as the engine needs it.
 *
 * Invariants every implementation keeps (test/contract/host):
 * 1. A rejection is a `HostError` whose `delivery` says whether the host may have acted on the call.
 * 2. A job outlives the connection: `findJob` finds it by request id, else by id + method + start time.
 * 3. Reads never change the host; `null` means "the host says there is none", never "could not ask".
 * 4. Paths are the host's own; `localPath` says where this machine sees one.
 */
import type { JsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { HostAcl } from "./host-acl.ts";
import type {
  AppQuestions,
  AppVersion,
  AvailableApp,
  HostApp,
  HostCapability,
  HostConnection,
  HostDataset,
  HostJob,
  HostPath,
  HostShare,
  HostSnapshot,
  ImageRegistry,
  JobCall,
  JobRef,
  SharesService,
  UpgradeTarget,
} from "./host-records.ts";

export interface Host {
  /** The groups of methods this host does not have (own-host.ts); absent: it has them all. */
  readonly lacks?: ReadonlySet<HostCapability>;
  /** Facts for a plan: address, id, memory, cores, locations, apps, GPUs. Class read. */
  facts(): Promise<HostFacts>;
  /** State of the host's apps service: only in `RUNNING` does an empty app list mean "none installed". */
  appsService(): Promise<{ readonly status: string; readonly description: string }>;
  localPath(hostPath: string): string;
  /** How the way to the host stands, without asking it; absent where the host is not reached over a connection. */
  connection?(): HostConnection;

  /** Both reject with `HOST_APPS_UNAVAILABLE` while the apps service is not `RUNNING`. */
  apps(): Promise<readonly HostApp[]>;
  app(name: string): Promise<HostApp | null>;
  /** Stored values of an instance, without the host's reserved keys. Holds secrets. */
  appConfig(name: string): Promise<JsonObject>;
  /** The catalog item in the train that has it, `stable` first (docs/decisions.md, section 4). */
  availableApp(catalogApp: string): Promise<AvailableApp | null>;
  /** Every catalog item in one answer, each once, from the train `availableApp` would take. */
  availableApps(): Promise<readonly AvailableApp[]>;
  /** What a version asks for its values; null if the host has no such version, or no questions of it. */
  appQuestions(app: AppVersion): Promise<AppQuestions | null>;
  /** The version `upgradeApp` would install now; null when nothing is newer. */
  upgradeTarget(name: string): Promise<UpgradeTarget | null>;
  /** The versions `rollBackApp` can go back to. */
  rollbackVersions(name: string): Promise<readonly string[]>;
  /** Published ports of running apps, of any protocol and address: those a new app can't have. */
  usedPorts(): Promise<readonly number[]>;
  /** How the host reaches the registry of images, asked there: slow where it can't. Absent, or null, where it can't tell. */
  imageRegistry?(): Promise<ImageRegistry | null>;
  /**
   * TCP ports running apps publish on the LAN address: what scripts may reach there. Never those of the host's own web
   * interface and API, whatever an app says. Empty while the apps service is down.
   */
  appPorts(): Promise<readonly number[]>;
  /** Every address of the host's interfaces, loopback and container bridges left out. */
  addresses(): Promise<readonly string[]>;

  /**
   * Sends a job method. `requestId` is stored by the caller before; the answer is the host's job.
   * A rejection with `delivery: "unknown"` must be followed by `findJob`, never by a second `startJob`.
   */
  startJob(call: JobCall, requestId: string): Promise<HostJob>;
  findJob(ref: JobRef): Promise<HostJob | null>;
  /**
   * Resolves with the job in a final state, or with null when the host no longer knows it (service restart). Outlasts
   * lost connections; rejects with `HOST_CLOSED` when the signal aborts, the job itself goes on.
   */
  waitJob(
    ref: JobRef,
    watch: { readonly signal: AbortSignal; readonly progress: (job: HostJob) => void },
  ): Promise<HostJob | null>;

  stat(path: string): Promise<HostPath | null>;
  /** Owner and entries of a path; null: nothing is there. */
  acl(path: string): Promise<HostAcl | null>;
  /** The dataset that holds an existing path, and where it is mounted. */
  datasetOf(
    path: string,
  ): Promise<{ readonly dataset: string; readonly mountpoint: string; readonly availableBytes: number }>;
  /** One level; EEXIST is a `HostError` with code `HOST_EXISTS`. A private one is open to owner and group alone. */
  makeDirectory(path: string, options?: { readonly isPrivate: boolean }): Promise<void>;
  /** Whether the host gave it the ACL of a dataset for apps; where it can't, the dataset is empty of entries. */
  createDataset(name: string): Promise<{ readonly isForApps: boolean }>;
  dataset(name: string): Promise<HostDataset | null>;
  /** Whether other datasets lie in this one. */
  holdsDatasets(name: string): Promise<boolean>;
  /** Whether this release of the host can rename datasets: known without a call of its own. */
  renamesDatasets(): Promise<boolean>;
  /** `HOST_DATASET_BUSY` while something uses what lies in it. Snapshots and datasets below go along. */
  renameDataset(name: string, to: string): Promise<void>;
  /** Makes a new dataset of what a snapshot holds, with the settings its dataset has of its own. */
  cloneSnapshot(dataset: string, name: string, to: string): Promise<void>;
  /** Hands a clone the snapshots it comes from, so that the dataset it was cloned from may be deleted. */
  promoteDataset(name: string): Promise<void>;
  setDatasetAclMode(name: string, mode: "PASSTHROUGH"): Promise<void>;
  /** The names of a dataset's snapshots, in no order. Cheap however many the host has. */
  snapshotNames(dataset: string): Promise<readonly string[]>;
  /** Those of the named snapshots that exist, in no order: as many calls as names on older releases. */
  snapshots(dataset: string, names: readonly string[]): Promise<readonly HostSnapshot[]>;
  createSnapshot(snapshot: HostSnapshot): Promise<void>;
  /** A snapshot that is gone already is no error. */
  deleteSnapshot(dataset: string, name: string): Promise<void>;
  shares(): Promise<readonly HostShare[]>;
  /** `HOST_EXISTS` if another share has the name, in any case. */
  createShare(share: HostShare): Promise<void>;
  sharesService(): Promise<SharesService>;
  /** Resolves with false if the service does not come up. Does not enable it. An aborted wait rejects, the start goes on. */
  startShares(signal: AbortSignal): Promise<boolean>;
  /** Has the service start with the host from now on. */
  enableShares(): Promise<void>;
  /** null when the account does not exist. */
  user(name: string): Promise<{ readonly uid: number; readonly gid: number } | null>;
  group(name: string): Promise<{ readonly gid: number } | null>;

  close(): Promise<void>;
}
