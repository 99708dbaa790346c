/** Snapshots of datasets, as the specification names and marks them ("Snapshot rules"; decisions.md 4). */
import { HostError } from "../host-error.ts";
import type { HostSnapshot } from "../ports/host.ts";
import { patiently } from "./patience.ts";
import type { EffectScene } from "./scene.ts";

export type SnapshotPurpose = "pre-upgrade" | "pre-update" | "ownership-repair";

/** How many are kept per app, id and dataset. */
const KEPT = 3;

/** `YYYYMMDDTHHMMSSZ` of a moment in UTC ms. */
export function snapshotTimestamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
}

/** The snapshot of one dataset; `paths` are the declared paths it stands for. */
export function describeSnapshot(
  appId: string,
  id: string,
  dataset: string,
  paths: readonly string[],
  purpose: SnapshotPurpose,
  at: number,
): HostSnapshot {
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

/** Takes a snapshot unless it is there already; its name derives from the effect's intent, so a resume makes no second. */
export async function takeSnapshot(scene: EffectScene, signal: AbortSignal, snapshot: HostSnapshot): Promise<void> {
  const existing = await patiently(scene, signal, () => scene.host.snapshots(snapshot.dataset));
  if (existing.some(({ name }) => name === snapshot.name)) return;
  try {
    await scene.host.createSnapshot(snapshot);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "HOST_EXISTS") return;
    if (error.delivery !== "unknown") throw error;
    return takeSnapshot(scene, signal, snapshot);
  }
}

/** Deletes all but the newest of an app's snapshots of one id and dataset. */
export async function pruneSnapshots(scene: EffectScene, appId: string, id: string, dataset: string): Promise<void> {
  const ours = (await scene.host.snapshots(dataset)).filter(
    ({ name, properties }) =>
      name.startsWith(`platform-app-${appId}-${id}-`) &&
      properties["platform:app"] === appId &&
      properties["platform:snapshot_id"] === id,
  );
  // Equal but for the timestamp, which sorts as text.
  const names = ours.map(({ name }) => name).sort();
  for (const name of names.slice(0, Math.max(0, names.length - KEPT))) await scene.host.deleteSnapshot(dataset, name);
}
