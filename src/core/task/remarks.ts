/** The marks of a task, explained. Pure: a mark is `code` or `code: value`. */

/** A mark taken apart: `text` is a sentence for people in English, `params` what another language says it with. */
export type Remark = {
  readonly code: string;
  readonly params: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Code of the mark of an upgrade the host was not asked for. */
export const UPGRADE_WITHHELD = "upgradeWithheld";

interface Explanation {
  /** Name of what stands behind the colon. */
  readonly param?: string;
  readonly text: (value: string) => string;
}

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  advice: { param: "advice", text: (advice) => advice },
  answerLost: { param: "key", text: (key) => `the stored answer "${key}" was lost and is taken from its default` },
  conditionNotMet: {
    param: "hookId",
    text: (hook) => `the required hook "${hook}" was left out: a condition of it did not hold`,
  },
  hookDropped: {
    param: "hookId",
    text: (hook) => `the hook "${hook}" was left out: its author has to correct it`,
  },
  kept: { param: "path", text: (path) => `kept: ${path}` },
  leftOut: { param: "reason", text: (reason) => `an app was left out: ${reason}` },
  linkDropped: { param: "reason", text: (reason) => `a link was left out: ${reason}` },
  missing: { param: "path", text: (path) => `"${path}" is not there, so nobody was made its owner` },
  notDeleted: { param: "reason", text: (reason) => `an old snapshot could not be deleted: ${reason}` },
  notRemoved: { param: "path", text: (path) => `not all of its data was removed: ${path}` },
  notRestored: { param: "path", text: (path) => `this stays as it is now: ${path}` },
  notResumable: { text: () => "the run is too long to be gone on with after a restart: it would begin again" },
  notRunning: { param: "state", text: (state) => `the app did not come up in time, it is ${state}` },
  notShared: { param: "path", text: (path) => `"${path}" is not shared on the network: this host has no shares` },
  notSnapshotted: { param: "path", text: (path) => `no snapshot was taken of "${path}"` },
  oldVersionStarted: {
    param: "version",
    text: (version) => `the failed upgrade had stopped the app: its version ${version} was started again`,
  },
  oldVersionStopped: {
    param: "reason",
    text: (reason) => `the failed upgrade has stopped the app, and its old version could not be started: ${reason}`,
  },
  overdue: { text: () => "nobody answered in time, an answer is still taken" },
  policiesUnknown: { text: () => "nobody knows whether the upgrade policies were set: look at them" },
  posixAcl: {
    param: "path",
    text: (path) => `"${path}" has POSIX ACLs: its owner and group got all rights in it, others keep theirs`,
  },
  quarantined: { text: () => "the task can't be run by this version, nothing of it was deleted" },
  refused: { param: "task", text: (task) => `"${task}" was not started: another task is at work on its app` },
  rolledBack: { text: () => "the app was rolled back to before it" },
  setAside: {
    param: "dataset",
    text: (dataset) => `what it had before is put aside as the dataset "${dataset}", until you delete that`,
  },
  scheduled: { param: "window", text: (window) => `begun by itself, in the window of ${window}` },
  shareKept: { param: "share", text: (share) => `the share "${share}" is still there, and so is what it leads to` },
  shareLeft: {
    param: "share",
    text: (share) => `the share "${share}" is still there, and leads to nothing of the app`,
  },
  sharesEnabled: { text: () => "the host's SMB service is set to start with the host from now on" },
  sharesNotEnabled: {
    param: "reason",
    text: (reason) => `shares are served until the host restarts, its SMB service does not start with it: ${reason}`,
  },
  sharesNotServed: { param: "reason", text: (reason) => `shares were made but are not served: ${reason}` },
  sharesStarted: { text: () => "the host's SMB service was off, it was started" },
  skippedRequired: { text: () => "a hook its author requires was skipped, what follows may not work without it" },
  snapshotCoversLocation: { param: "snapshot", text: (id) => `the snapshot "${id}" covers a whole location` },
  [UPGRADE_WITHHELD]: {
    param: "version",
    text: (version) =>
      `${version} does not accept the app's values: the host was not asked for ${version} before a Retry`,
  },
  started: { text: () => "the app was stopped, it was started first" },
};

/** Explains a mark; one that nobody knows is its own code and text. */
export function explainMark(mark: string): Remark {
  const [, code = mark, value = ""] = /^(\w+)(?:: (.*))?$/s.exec(mark) ?? [];
  const known = Object.hasOwn(EXPLANATIONS, code) ? EXPLANATIONS[code] : undefined;
  if (known === undefined) return { code: mark, params: {}, text: mark };
  return { code, params: known.param === undefined ? {} : { [known.param]: value }, text: known.text(value) };
}
