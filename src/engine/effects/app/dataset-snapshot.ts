/** Snapshots of datasets, as the specification names and marks them ("Snapshot rules"; docs/decisions.md, section 4). */

import { HostError } from "../../host-error.ts";
import type { HostSnapshot } from "../../ports/host.ts";
import { crashPoint } from "../../runtime/crash-points.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";

export type SnapshotPurpose = "pre-upgrade" | "pre-update" | "ownership-repair";

/** How many are kept per app, id and dataset. */
const KEPT = 3;

/** `YYYYMMDDTHHMMSSZ` of a moment in UTC ms. */
export function snapshotTimestamp(at: number): string {
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
 * Takes a snapshot unless it is there already, and resolves with its name. The name derives from the moment of the
 * effect's intent, so a resume finds the one it made; a name another purpose took in that second moves on by a second.
 */
export async function takeSnapshot(
  deps: EffectDeps,
  run: EffectRun,
  order: SnapshotOrder,
  at: number,
): Promise<string> {
  const snapshot = describeSnapshot(order, at);
  const existing = await retryWhileUnreachable(deps, run, () => deps.host.snapshots(order.dataset));
  const found = existing.find(({ name }) => name === snapshot.name);
  if (found !== undefined) return isSame(found, snapshot) ? found.name : takeSnapshot(deps, run, order, at + 1_000);
  try {
    await deps.host.createSnapshot(snapshot);
    crashPoint("afterEffectSent");
    return snapshot.name;
  } catch (error) {
    // A lost answer, or a name that was taken meanwhile: the next look at the snapshots tells.
    const tellsNothing = error instanceof HostError && (error.delivery === "unknown" || error.code === "HOST_EXISTS");
    if (!tellsNothing) throw error;
    return takeSnapshot(deps, run, order, at);
  }
}

function describeSnapshot({ appId, id, dataset, paths, purpose }: SnapshotOrder, at: number): HostSnapshot {
  return {
    dataset,
    name: `platform-app-${appId}-${id}-${snapshotTimestamp(at)}`,
    properties: {
      "platform:purpose": purpose,
      "platform:app": appId,
      "platform:snapshot_id": id,
      "platform:path": paths.join(","),
    },
  };
}

function isSame(found: HostSnapshot, wanted: HostSnapshot): boolean {
  return Object.entries(wanted.properties).every(([key, value]) => found.properties[key] === value);
}

/**
 * Deletes all but the newest of an app's snapshots of one id and dataset. What the host does not let go of (a clone hangs
 * on it) stays and resolves as marks: an old snapshot stops nothing.
 */
export async function pruneSnapshots(
  deps: EffectDeps,
  run: EffectRun,
  { appId, id, dataset }: Pick<SnapshotOrder, "appId" | "id" | "dataset">,
): Promise<readonly string[]> {
  const ours = (await retryWhileUnreachable(deps, run, () => deps.host.snapshots(dataset))).filter(
    ({ name, properties }) =>
      name.startsWith(`platform-app-${appId}-${id}-`) &&
      properties["platform:app"] === appId &&
      properties["platform:snapshot_id"] === id,
  );
  // Equal but for the timestamp, which sorts as text.
  const names = ours.map(({ name }) => name).sort();
  const marks: string[] = [];
  for (const name of names.slice(0, Math.max(0, names.length - KEPT))) {
    try {
      await retryWhileUnreachable(deps, run, () => deps.host.deleteSnapshot(dataset, name));
    } catch (error) {
      if (run.signal.aborted || !(error instanceof HostError)) throw error;
      marks.push(`notDeleted: ${dataset}@${name}: ${error.message}`);
    }
  }
  return marks;
}
