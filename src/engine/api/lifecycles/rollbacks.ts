/** Snapshots an app can be rolled back to, and what that would bring back. */

/** What the engine took before a task changed an app; times are ISO 8601, UTC. */
export interface AppSnapshot {
  /** What a rollback is asked for by: the task that took it, or `dataset@name` of one nothing else is known of. */
  readonly id: string;
  readonly purpose: string;
  readonly at: string;
  /** The app's version then; absent where nobody knows it. */
  readonly version?: string;
  /** The version the task led to. */
  readonly toVersion?: string;
  /** None where the app declares no path to snapshot: the host keeps its versions by itself. */
  readonly datasets: readonly DatasetSnapshot[];
}

/** A snapshot on the host. */
export interface DatasetSnapshot {
  /** `dataset@name`. */
  readonly name: string;
  /** Host paths it was taken for. */
  readonly paths: readonly string[];
  /** Of the data in it; absent where the host does not say it. */
  readonly bytes?: number;
}

/** What a rollback would do; nothing is changed. */
export interface RollbackPreview {
  readonly appId: string;
  /** Display name. */
  readonly name: string;
  readonly snapshot: AppSnapshot;
  /** Why the rollback would be refused. */
  readonly impossible?: string;
  /** Of the host's package; absent where the version stays. */
  readonly version?: { readonly from: string; readonly to: string };
  /** Values, answers and generated secrets. */
  readonly options: "restored" | "kept";
  /** Those the host keeps for the app itself: what was written there since is lost, nobody can put it aside. */
  readonly volumes: "restored" | "kept";
  readonly restored: readonly DatasetRestored[];
  /** Paths a snapshot was taken for that stay as they are, and why. */
  readonly kept: readonly { readonly paths: readonly string[]; readonly reason: string }[];
}

/** A dataset that goes back; what is there now is put aside, with the snapshots taken since. */
export interface DatasetRestored {
  readonly path: string;
  readonly dataset: string;
  /** `dataset@name`. */
  readonly from: string;
  /** ISO 8601 UTC: what was written after it is put aside. */
  readonly since: string;
  /** The engine's snapshots that are put aside with it, `dataset@name`, oldest first. Snapshots of others are put aside too. */
  readonly newer: readonly string[];
  /**
   * Names of the shares that lead to it, or into it. A client that has files open there keeps the dataset from being put
   * aside, or is cut off, as the host's release does it; what it wrote last is put aside.
   */
  readonly shares: readonly string[];
}
