import { isJsonObject } from "../../../core/json/json.ts";
import { lacks } from "../../ports/own-host.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import { pruneSnapshots, type SnapshotOrder, takeSnapshot } from "../app/dataset-snapshot.ts";
import { readTextParam, readTexts } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { findDeclared, findHolder } from "./declared-path.ts";
import { describeKeptOwner, findOtherOwner } from "./find-other-owner.ts";
import { type Owner, type OwnershipQueue, resolveOwner, setOwner } from "./owner.ts";

/** A path whose owner is not the declared one. */
interface Strayed {
  readonly path: string;
  readonly owner: Owner;
  readonly real: string;
  readonly dataset: string;
  /** Its dataset gets the ACL mode `PASSTHROUGH` first. */
  readonly needsMode: boolean;
  readonly snapshotId: string;
}

/** Snapshot id of a path that declares none of its own. */
const OWN_ID = "ownership";

/**
 * `host.ownership {appId}` -> `host.done` or `host.failed`, each with `{repaired, marks}`: compares the declared owners with
 * the host's, and repairs after a snapshot to go back to (docs/install-scripts.md, "DirectoryEntry").
 */
export function createOwnershipEffect(deps: EffectDeps, queue: OwnershipQueue): EffectHandler {
  return {
    class: "idempotent",
    async perform(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      const repaired = new Set(readTexts(run.note?.["repaired"]));
      const marks = new Set(readTexts(run.note?.["marks"]));
      try {
        const strayed: Strayed[] = [];
        for (const { path, root, owner, snapshot } of app.directories) {
          if (root || owner === undefined) continue;
          const wanted = await retryWhileUnreachable(deps, run, () => resolveOwner(deps, owner));
          const found = await retryWhileUnreachable(deps, run, () => findDeclared(deps.host, path, app.locations));
          if (found === null) marks.add(`missing: ${path}`);
          if (found === null || (found.uid === wanted.uid && found.gid === wanted.gid)) continue;
          const other = await retryWhileUnreachable(deps, run, () =>
            findOtherOwner(deps, app, { path, real: found.real }),
          );
          if (other !== null) {
            marks.add(`advice: ${describeKeptOwner(path, other)}`);
            continue;
          }
          const { dataset } = await retryWhileUnreachable(deps, run, () => findHolder(deps.host, path, found));
          const record = await retryWhileUnreachable(deps, run, () => deps.host.dataset(dataset));
          const needsMode = record?.acltype === "NFSV4" && record.aclmode !== "PASSTHROUGH";
          strayed.push({
            path,
            real: found.real,
            owner: wanted,
            snapshotId: snapshot?.id ?? OWN_ID,
            dataset,
            needsMode,
          });
        }
        for (const order of noteOrders(run, app.appId, strayed)) {
          if (lacks(deps.host, "snapshots")) {
            for (const path of order.paths) marks.add(`notSnapshotted: ${path}: this host takes no snapshots`);
            continue;
          }
          const name = await takeSnapshot(deps, run, order);
          for (const mark of await pruneSnapshots(deps, run, order, name)) marks.add(mark);
        }
        for (const { path, real, owner, dataset, needsMode } of strayed) {
          if (needsMode)
            await retryWhileUnreachable(deps, run, () => deps.host.setDatasetAclMode(dataset, "PASSTHROUGH"));
          run.writeNote({ ...run.note, repaired: [...repaired, path], marks: [...marks] });
          const acltype = await setOwner(deps, queue, run, { path, real, locations: app.locations }, owner);
          if (acltype === "POSIX1E") marks.add(`posixAcl: ${path}`);
          repaired.add(path);
        }
        return { type: "host.done", repaired: [...repaired], marks: [...marks] };
      } catch (error) {
        const done = { repaired: [...repaired], marks: [...marks] };
        return { type: "host.failed", ...done, failure: toHostFailure(error) };
      }
    },
  };
}

/**
 * The rollback snapshots to take before anything is repaired. They are noted first, so that a resume, which finds fewer
 * paths astray, looks for the ones it took and does not take another of what is half repaired.
 */
function noteOrders(run: EffectRun, appId: string, strayed: readonly Strayed[]): readonly SnapshotOrder[] {
  const noted = readNotedOrders(run, appId);
  const covered = new Set(noted.flatMap(({ paths }) => paths));
  const groups = Map.groupBy(
    strayed.filter(({ path }) => !covered.has(path)),
    ({ snapshotId, dataset }) => JSON.stringify([snapshotId, dataset]),
  );
  const fresh = [...groups.values()].flatMap(([first, ...others]): SnapshotOrder[] => {
    if (first === undefined) return [];
    const paths = [first, ...others].map(({ path }) => path);
    return [{ appId, id: first.snapshotId, dataset: first.dataset, paths, purpose: "ownership-repair" }];
  });
  const orders = [...noted, ...fresh];
  if (fresh.length > 0) {
    run.writeNote({
      ...run.note,
      orders: orders.map(({ id, dataset, paths }) => ({ id, dataset, paths: [...paths] })),
    });
  }
  return orders;
}

function readNotedOrders(run: EffectRun, appId: string): readonly SnapshotOrder[] {
  const noted = run.note?.["orders"];
  if (!Array.isArray(noted)) return [];
  return noted
    .filter(isJsonObject)
    .flatMap(({ id, dataset, paths }): SnapshotOrder[] =>
      typeof id === "string" && typeof dataset === "string"
        ? [{ appId, id, dataset, paths: readTexts(paths), purpose: "ownership-repair" }]
        : [],
    );
}
