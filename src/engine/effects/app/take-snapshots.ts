import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import { HostError } from "../../host-error.ts";
import { lacks } from "../../ports/own-host.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { keepRestorePoint, type PointSnapshot, type RestorePoint, readChoices } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { confirmDatasets, confirmVersion } from "../files/confirm-restorable.ts";
import { findHolder, lookAtDeclared, toDeclared } from "../files/declared-path.ts";
import { listMadeDirectories } from "../files/made-directories.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { findSnapshot, pruneSnapshots, type SnapshotOrder, takeSnapshot } from "./dataset-snapshot.ts";
import { readTextParam, readTexts } from "./params.ts";

/** Snapshot id of a path that declares none of its own. */
const OWN_ID = "uninstall";

/**
 * `host.snapshots {appId, purpose, paths?}` -> `host.done {snapshots, marks, held?}` or `host.failed`: one snapshot per
 * declared entry, or of each of `paths`, of the dataset that holds its path; entries of one id and dataset share one
 * (docs/decisions.md, section 4). Those of `paths` are all that is left of them: none is pruned, and `held` names the
 * snapshot of each. Before a rollback, once all of it is found to be possible, one of each dataset it is to restore; the
 * one to go back to may be the oldest, so that none is pruned either.
 */
export function createSnapshotsEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "idempotent",
    async perform(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      const purpose = readPurpose(readTextParam(params, "purpose"));
      const paths = params["paths"] === undefined ? null : readTexts(params["paths"]);
      const marks = new Set<string>();
      try {
        if (purpose === "pre-rollback") {
          const made = listMadeDirectories(deps.store);
          await retryWhileUnreachable(deps, run, () => confirmVersion(deps, app));
          await retryWhileUnreachable(deps, run, () => confirmDatasets(deps, app, made));
        }
        const groups =
          purpose === "pre-rollback" ? listRestored(app) : await groupDeclared(deps, run, app, paths, marks);
        const taken: PointSnapshot[] = [];
        for (const { id, dataset, paths: covered } of groups) {
          const order = { appId: app.appId, id, dataset, paths: covered, purpose };
          const name =
            purpose === "pre-rollback"
              ? await takePresent(deps, run, app, order, marks)
              : await takeSnapshot(deps, run, order);
          if (name === null) continue;
          taken.push({ dataset, name, paths: covered });
          if (paths !== null || purpose === "pre-rollback") continue;
          for (const mark of await pruneSnapshots(deps, run, order, name)) marks.add(mark);
        }
        if (purpose !== "pre-uninstall") await noteRestorePoint(deps, run, app, purpose, taken);
        const snapshots = taken.map(({ dataset, name }) => `${dataset}@${name}`);
        const held = taken.flatMap(({ dataset, name, paths: covered }) =>
          covered.map((path) => [path, `${dataset}@${name}`]),
        );
        const marked = { type: "host.done", snapshots, marks: [...marks] };
        return paths === null ? marked : { ...marked, held: Object.fromEntries(held) };
      } catch (error) {
        return { type: "host.failed", failure: toHostFailure(error) };
      }
    },
  };
}

type Group = Pick<SnapshotOrder, "id" | "dataset" | "paths">;

async function groupDeclared(
  deps: EffectDeps,
  run: EffectRun,
  app: StoredApp,
  paths: readonly string[] | null,
  marks: Set<string>,
): Promise<readonly Group[]> {
  const groups = new Map<string, Group>();
  for (const { path, root, location, snapshot } of app.directories) {
    const id = paths === null ? snapshot?.id : paths.includes(path) ? (snapshot?.id ?? OWN_ID) : undefined;
    // A location is snapshotted with an upgrade or update of what asks for it; no uninstall takes anything of it away.
    if (id === undefined || (root && paths !== null)) continue;
    if (lacks(deps.host, "snapshots")) {
      marks.add(`notSnapshotted: ${path}: this host takes no snapshots`);
      continue;
    }
    const look = await retryWhileUnreachable(deps, run, () => lookAtDeclared(deps.host, path, app.locations));
    const found = toDeclared(look);
    if (found === null) {
      marks.add(`notSnapshotted: ${path}`);
      continue;
    }
    const { dataset, mountpoint } = await retryWhileUnreachable(deps, run, () => findHolder(deps.host, path, found));
    const base = [look.top, ...look.below].find(
      (step) => step.path === posix.resolve("/", app.locations[location] ?? path),
    );
    // A snapshot of a dataset that holds a whole location is one of every app there.
    if (base !== undefined && isAtOrBelow(base.real, mountpoint)) marks.add(`snapshotCoversLocation: ${id}`);
    const key = JSON.stringify([id, dataset]);
    groups.set(key, { id, dataset, paths: [...(groups.get(key)?.paths ?? []), path] });
  }
  return [...groups.values()];
}

function listRestored({ rollback }: StoredApp): readonly Group[] {
  return (rollback?.datasets ?? []).map(({ snapshotId, dataset, path }) => ({
    id: snapshotId,
    dataset,
    paths: [path],
  }));
}

/**
 * Takes a snapshot of the present and looks whether the host shows it. null: it can't be taken, and a person said to go
 * on without, which a mark tells.
 */
async function takePresent(
  deps: EffectDeps,
  run: EffectRun,
  app: StoredApp,
  order: SnapshotOrder,
  marks: Set<string>,
): Promise<string | null> {
  try {
    const name = await takeSnapshot(deps, run, order);
    if ((await findSnapshot(deps, run, order.dataset, name)) !== undefined) return name;
    const reason = `the host does not show the snapshot "${order.dataset}@${name}" it has taken`;
    throw new HostError({ code: "HOST_NOT_FOUND", reason, fields: [], retryable: true }, "yes");
  } catch (error) {
    if (app.rollback?.withoutSnapshot !== true || run.signal.aborted) throw error;
    const { message } = toHostFailure(error);
    for (const path of order.paths) marks.add(`notSnapshotted: ${path}: ${message}`);
    return null;
  }
}

/** Notes what the app can be rolled back to, before anything is changed. */
async function noteRestorePoint(
  deps: EffectDeps,
  run: EffectRun,
  { appId, instance, custom, fromVersion, toVersion }: StoredApp,
  purpose: RestorePoint["purpose"],
  snapshots: readonly PointSnapshot[],
): Promise<void> {
  const live = await retryWhileUnreachable(deps, run, () => deps.host.app(instance));
  // Nothing to go back to: what comes next says that the app is gone.
  if (live === null) return;
  const values = await retryWhileUnreachable(deps, run, () => deps.host.appConfig(instance));
  const choices = readChoices(deps.store, appId);
  const known = choices["metadataVersion"];
  const from = custom ? (typeof known === "string" ? known : null) : live.version;
  keepRestorePoint(deps.store, appId, {
    id: run.taskId,
    purpose,
    at: run.intendedAt,
    version: live.version,
    from: fromVersion ?? from,
    to: toVersion ?? null,
    values,
    choices,
    snapshots,
  });
}

type Purpose = RestorePoint["purpose"] | "pre-uninstall";

function readPurpose(text: string): Purpose {
  if (text === "upgrade" || text === "update" || text === "uninstall" || text === "rollback") return `pre-${text}`;
  throw new Error(`"${text}" is not a purpose of a snapshot`);
}
