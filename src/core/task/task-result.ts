/** Results of lifecycles, as their views tell them at the end: type aliases, so that each is JSON. */

/** The host's calls (`app.create`, `app.upgrade`, ...), and ids of child tasks. */
type Ended = { readonly done: readonly string[]; readonly notDone: readonly string[] };

/** The result of an install; directories are host paths, shares names. `unknown`: nobody knows what became of the app. */
export type InstallResult = Ended & {
  readonly app: "created" | "notCreated" | "unknown";
  readonly directories: readonly string[];
  readonly shares: readonly string[];
};

/** The result of an upgrade; snapshots are `dataset@name`, `repaired` paths whose ownership was repaired. */
export type UpgradeResult = Ended & {
  readonly app: "upgraded" | "notUpgraded" | "unknown";
  /** The versions it departed from, where that is known, and led to; `app` says whether it came there. */
  readonly from?: string;
  readonly to?: string;
  readonly snapshots: readonly string[];
  readonly repaired: readonly string[];
  /** With `shares`, of an upgrade by values alone, as of a custom app. */
  readonly directories?: readonly string[];
  readonly shares?: readonly string[];
};

/** The result of upgrades of several apps, or of an import, by id of the child; `failed` are those of `notDone` that were begun. */
export type UpgradeAllResult = Ended & { readonly failed: readonly string[] };

/** The result of an update; see `UpgradeResult` for the lists. */
export type UpdateResult = Ended & {
  readonly app: "updated" | "notUpdated" | "unknown";
  readonly snapshots: readonly string[];
  readonly directories: readonly string[];
  readonly shares: readonly string[];
  readonly repaired: readonly string[];
};

/** The result of a start, stop or restart, of its last attempt. */
export type SwitchResult = Ended & {
  /** Its end: `already...` where nothing had to be done, `stopped` of a restart too that did not come to start the app. */
  readonly app:
    | "started"
    | "alreadyRunning"
    | "notStarted"
    | "stopped"
    | "alreadyStopped"
    | "notStopped"
    | "restarted"
    | "notRestarted"
    | "unknown";
  /** The app's state as the host told it since; null where it told none. */
  readonly state: string | null;
};

/** The result of an uninstall; without a wish to remove its data all lists are empty. Paths are the host's. */
export type UninstallResult = Ended & {
  readonly app: "uninstalled" | "notUninstalled" | "unknown";
  readonly removed: readonly string[];
  /** Datasets: they stay, empty, with the snapshots to go back to. */
  readonly emptied: readonly string[];
  /** Own directories that could not be removed, or not whole; a mark of each says why. */
  readonly left: readonly string[];
  readonly snapshots: readonly string[];
  /** Answers and generated secrets: `kept` ones are offered by a reinstall. */
  readonly answers: "kept" | "forgotten";
};

/** The result of a rollback. */
export type RollbackResult = Ended & {
  /** `rolledBack` as soon as the version, the values or a dataset is back; `notDone` says what is not. */
  readonly app: "rolledBack" | "notRolledBack" | "unknown";
  /** The version asked for; absent where version and options were to stay. */
  readonly version?: string;
  /** Host paths of the datasets that are back. */
  readonly restored: readonly string[];
  /**
   * Datasets that hold what was there before, with their snapshots, each named before it is put aside; nobody but a person
   * deletes them.
   */
  readonly setAside: readonly string[];
  /** Of the present, `dataset@name`, by the names the datasets had then. */
  readonly snapshots: readonly string[];
};

/** The result of an adoption: `adopted` once what the app's configuration tells is kept. */
export type AdoptResult = Ended & { readonly app: "adopted" | "notAdopted" | "unknown" };

/** The result of a lifecycle that has ended; hooks and links have none. */
export type TaskResult =
  | InstallResult
  | UpgradeResult
  | UpgradeAllResult
  | UpdateResult
  | SwitchResult
  | UninstallResult
  | RollbackResult
  | AdoptResult;
