/** Snapshots of datasets, as the specification names and marks them ("Snapshot rules"; docs/decisions.md, section 4). */

import { isJsonObject } from "../../../core/json/json.ts";
import { HostError } from "../../host-error.ts";
import type { HostSnapshot } from "../../ports/host-records.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import { readRestorePoints } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";

export type SnapshotPurpose = "pre-upgrade" | "pre-update" | "pre-uninstall" | "pre-rollback" | "ownership-repair";

/** How often a host that has no such snapshot may say that there is one, before that is believed. */
const DOUBTS = 3;

/** How many are kept per app, id and dataset. */
const KEPT = 3;

/** The moment in a snapshot's name, UTC ms; null where it is none of the engine's names. */
export function readTimestamp(name: string): number | null {
  const [, ...parts] = /^platform-app-.*-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name) ?? [];
  const [year, month = 1, ...rest] = parts.map(Number);
  return year === undefined ? null : Date.UTC(year, month - 1, ...rest);
}

/** `YYYYMMDDTHHMMSSZ` of a moment in UTC ms. */
export function formatTimestamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

export interface SnapshotOrder {
  readonly appId: string;
  /** `platform:snapshot_id`. */
  readonly id: string;
  readonly dataset: string;
  /** Declared paths it stands for. */
  readonly paths: readonly string[];
  readonly purpose: SnapshotPurpose;
}

/**
 * Takes a snapshot unless this effect did already, and resolves with its name. The name derives from the moment of the
 * effect's intent, one second later for each that is taken; it is noted before it is sent, so that a resume finds the
 * snapshot it made and never takes that of another task for it.
 */
export async function takeSnapshot(
  deps: EffectDeps,
  run: EffectRun,
  order: SnapshotOrder,
  doubts = DOUBTS,
): Promise<string> {
  const named = readNotedName(run, order);
  const found = named === undefined ? undefined : await findSnapshot(deps, run, order.dataset, named);
  const properties = describeProperties(order);
  if (found !== undefined && isSame(found, properties)) return found.name;
  const name = found === undefined && named !== undefined ? named : await findFreeName(deps, run, order);
  noteName(run, order, name);
  try {
    await deps.host.createSnapshot({ dataset: order.dataset, name, properties });
    passCrashPoint("afterEffectSent");
    return name;
  } catch (error) {
    // A lost answer, or a name that was taken meanwhile: the next look at the snapshots tells.
    const isTaken = error instanceof HostError && error.code === "HOST_EXISTS";
    const tellsNothing = isTaken ? doubts > 0 : error instanceof HostError && error.delivery === "unknown";
    if (!tellsNothing) throw error;
    return takeSnapshot(deps, run, order, isTaken ? doubts - 1 : doubts);
  }
}

/** The first name from the effect's moment on that no snapshot of the dataset has. */
async function findFreeName(deps: EffectDeps, run: EffectRun, order: SnapshotOrder): Promise<string> {
  for (let at = run.intendedAt; ; at += 1_000) {
    const name = `${toPrefix(order)}${formatTimestamp(at)}`;
    if ((await findSnapshot(deps, run, order.dataset, name)) === undefined) return name;
  }
}

/** Finds one snapshot of a dataset by its name. */
export async function findSnapshot(
  deps: EffectDeps,
  run: EffectRun,
  dataset: string,
  name: string,
): Promise<HostSnapshot | undefined> {
  const [found] = await retryWhileUnreachable(deps, run, () => deps.host.snapshots(dataset, [name]));
  return found;
}

function toPrefix({ appId, id }: Pick<SnapshotOrder, "appId" | "id">): string {
  return `platform-app-${appId}-${id}-`;
}

function readNotedName(run: EffectRun, order: SnapshotOrder): string | undefined {
  const names = run.note?.["names"];
  const name = isJsonObject(names) ? names[toOrderKey(order)] : undefined;
  return typeof name === "string" ? name : undefined;
}

function noteName(run: EffectRun, order: SnapshotOrder, name: string): void {
  const names = run.note?.["names"];
  run.writeNote({ ...run.note, names: { ...(isJsonObject(names) && names), [toOrderKey(order)]: name } });
}

function toOrderKey({ id, dataset, paths }: SnapshotOrder): string {
  return JSON.stringify([id, dataset, ...paths]);
}

function describeProperties({ appId, id, paths, purpose }: SnapshotOrder): HostSnapshot["properties"] {
  return {
    "platform:purpose": purpose,
    "platform:app": appId,
    "platform:snapshot_id": id,
    "platform:path": paths.join(","),
  };
}

function isSame(found: HostSnapshot, properties: HostSnapshot["properties"]): boolean {
  return Object.entries(properties).every(([key, value]) => found.properties[key] === value);
}

/**
 * Deletes all but the newest of an app's snapshots of one id and dataset. Two kinds stay: the one just `taken`, since after a
 * step of the clock its name may be the oldest, and those this task can be rolled back to. A snapshot the host can't delete
 * (a clone depends on it) stays too and resolves as a mark.
 */
export async function pruneSnapshots(
  deps: EffectDeps,
  run: EffectRun,
  { appId, id, dataset }: Pick<SnapshotOrder, "appId" | "id" | "dataset">,
  taken: string,
): Promise<readonly string[]> {
  const prefix = toPrefix({ appId, id });
  const named = (await retryWhileUnreachable(deps, run, () => deps.host.snapshotNames(dataset))).filter(
    (name) => name.startsWith(prefix) && readTimestamp(name) !== null,
  );
  if (named.length <= KEPT) return [];
  // The name of another app or id may begin the same.
  const ours = (await retryWhileUnreachable(deps, run, () => deps.host.snapshots(dataset, named))).filter(
    ({ properties }) => properties["platform:app"] === appId && properties["platform:snapshot_id"] === id,
  );
  // Equal but for the timestamp, which sorts as text.
  const names = ours.map(({ name }) => name).sort();
  const old = names.slice(0, Math.max(0, names.length - KEPT));
  if (old.length === 0) return [];
  const own = listOwnNames(deps, run, appId, dataset);
  const marks: string[] = [];
  for (const name of old) {
    if (name === taken || own.has(name)) continue;
    try {
      await retryWhileUnreachable(deps, run, () => deps.host.deleteSnapshot(dataset, name));
    } catch (error) {
      if (run.signal.aborted || !(error instanceof HostError)) throw error;
      marks.push(`notDeleted: ${dataset}@${name}: ${error.message}`);
    }
  }
  return marks;
}

/** Names of the snapshots of a dataset that the restore point of this task refers to. */
function listOwnNames(
  { store }: EffectDeps,
  { taskId }: EffectRun,
  appId: string,
  dataset: string,
): ReadonlySet<string> {
  const point = readRestorePoints(store, appId).find(({ id }) => id === taskId);
  const snapshots = (point?.snapshots ?? []).filter((snapshot) => snapshot.dataset === dataset);
  return new Set(snapshots.map(({ name }) => name));
}
