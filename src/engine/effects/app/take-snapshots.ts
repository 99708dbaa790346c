import { isAtOrBelow } from "../../../core/plan/is-at-or-below.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { findDeclared, findDeclaredDataset } from "../files/declared-path.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { pruneSnapshots, type SnapshotPurpose, takeSnapshot } from "./dataset-snapshot.ts";
import { readTextParam, readTexts } from "./params.ts";

/** Snapshot id of a path that declares none of its own. */
const OWN_ID = "uninstall";

/**
 * `host.snapshots {appId, purpose, paths?}` -> `host.done {snapshots, marks, held?}` or `host.failed`: one snapshot per
 * declared entry, or of each of `paths`, of the dataset that holds its path; entries of one id and dataset share one
 * (docs/decisions.md, section 4). Those of `paths` are all that is left of them: none is pruned, and `held` names the
 * snapshot of each.
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
        const groups = new Map<string, { id: string; dataset: string; paths: string[] }>();
        for (const { path, root, location, snapshot } of app.directories) {
          const id = paths === null ? snapshot?.id : paths.includes(path) ? (snapshot?.id ?? OWN_ID) : undefined;
          if (root || id === undefined) continue;
          if ((await retryWhileUnreachable(deps, run, () => findDeclared(deps.host, path, app.locations))) === null) {
            marks.add(`notSnapshotted: ${path}`);
            continue;
          }
          const { dataset, mountpoint } = await retryWhileUnreachable(deps, run, () =>
            findDeclaredDataset(deps.host, path, app.locations),
          );
          const top = await retryWhileUnreachable(deps, run, () => deps.host.stat(app.locations[location] ?? path));
          // Of a dataset that holds a location as a whole the snapshot is one of every app there.
          if (top !== null && isAtOrBelow(top.realpath, mountpoint)) marks.add(`snapshotCoversLocation: ${id}`);
          const key = JSON.stringify([id, dataset]);
          const group = groups.get(key) ?? { id, dataset, paths: [] };
          group.paths.push(path);
          groups.set(key, group);
        }
        const taken: string[] = [];
        const held: Record<string, string> = {};
        for (const { id, dataset, paths: covered } of groups.values()) {
          const order = { appId: app.appId, id, dataset, paths: covered, purpose };
          const name = await takeSnapshot(deps, run, order);
          taken.push(`${dataset}@${name}`);
          for (const path of covered) held[path] = `${dataset}@${name}`;
          if (paths !== null) continue;
          for (const mark of await pruneSnapshots(deps, run, order, name)) marks.add(mark);
        }
        return { type: "host.done", snapshots: taken, marks: [...marks], ...(paths !== null && { held }) };
      } catch (error) {
        return { type: "host.failed", failure: toHostFailure(error) };
      }
    },
  };
}

function readPurpose(text: string): SnapshotPurpose {
  if (text === "upgrade" || text === "update" || text === "uninstall") return `pre-${text}`;
  throw new Error(`"${text}" is not a purpose of a snapshot`);
}
