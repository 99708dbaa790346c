import type { RollbackInput } from "../../../../machines/rollback/types.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import type { RollbackPreview, RollbackRequest, TaskView } from "../../api.ts";
import { createOwnDeed } from "../../audit/deed.ts";
import { formatTimestamp, readTimestamp } from "../../effects/app/dataset-snapshot.ts";
import { readChangedBy } from "../../effects/app/note-change.ts";
import { nameSwap } from "../../effects/files/name-swap.ts";
import type { HostShare } from "../../ports/host-records.ts";
import { lacks } from "../../ports/own-host.ts";
import { toAppClaim } from "../../runtime/claims.ts";
import type { FormerApp, RestoredDataset } from "../../stored-plan.ts";
import type { ChangeDeps, MethodDeps } from "../deps.ts";
import { type FrozenApp, freezeInstalled } from "../freeze-installed.ts";
import { freeClaims, refuseConflict } from "../request/request.ts";
import { addRollback } from "./add-rollback.ts";
import { decideRollback } from "./decide-rollback.ts";
import { type Found, findSnapshots, toName } from "./find-snapshots.ts";
import { viewSnapshot } from "./list-snapshots.ts";

/**
 * Starts the rollback of an installed app. Throws as `switchApp` does, `TASK_SNAPSHOT_UNKNOWN`, and
 * `TASK_ROLLBACK_IMPOSSIBLE` where nothing of the snapshot can be brought back.
 */
export async function rollBack(deps: ChangeDeps, appId: string, request: RollbackRequest): Promise<TaskView> {
  refuseConflict(deps, appId);
  const changedBy = readChangedBy(deps.store, appId);
  const { frozen, found, decided } = await prepare(deps, appId, request);
  const { version, app, restored, kept, impossible } = decided;
  if (impossible !== null) {
    const message = `"${appId}" can't be rolled back to "${found.id}": ${impossible}`;
    throw new EngineError("TASK_ROLLBACK_IMPOSSIBLE", frozen.mask(message), { appId, snapshot: frozen.mask(found.id) });
  }
  const input: RollbackInput = {
    appId,
    title: frozen.title,
    marks: kept.map(({ paths, reason }) => `notRestored: ${paths.join(",")}: ${reason}`),
    runningDeadlineMs: deps.timing.runningDeadline,
    ...(app !== undefined && { reverts: { version: found.point?.from ?? app.version, calls: listCalls(app) } }),
    ...(restored.length > 0 && { restores: restored.map(({ path }) => path) }),
  };
  const stamp = await findStamp(deps, restored);
  const plan = addRollback(frozen.plan, appId, {
    since: found.at,
    stamp,
    version: app?.version ?? version,
    ...(app !== undefined && { app }),
    datasets: restored,
    withoutSnapshot: request.withoutSnapshot === true,
    ...(changedBy !== null && { changedBy }),
  });
  freeClaims(deps, [toAppClaim(appId)]);
  const task = await deps.runtime.start(
    {
      machine: "rollback",
      input: toJsonObject(input),
      kind: "rollback",
      appId,
      claim: toAppClaim(appId),
      plan: toJsonObject(plan),
    },
    deps.deed,
  );
  putUpgradeAway(deps, found.id);
  return task;
}

/** The methods of the host that bring an app back to what it was. */
function listCalls({ version, from }: FormerApp): string[] {
  return [...(version === from ? [] : ["app.rollback"]), "app.update"];
}

/** A failed upgrade asks nobody any more once what it did is being undone. */
function putUpgradeAway({ store, runtime }: MethodDeps, taskId: string): void {
  const row = store.task(taskId);
  if (row?.kind === "upgrade" && row.facts.commands.includes("rollback"))
    runtime.send(taskId, { type: "user.rollback" }, { deed: createOwnDeed("dismiss") });
}

/** Says what a rollback would bring back, and what it leaves. Throws as `rollBack` does, except for a running task. */
export async function previewRollback(
  deps: MethodDeps,
  appId: string,
  request: RollbackRequest,
): Promise<RollbackPreview> {
  const { frozen, taken, found, decided } = await prepare(deps, appId, request);
  const { version, app, restored, kept, impossible } = decided;
  const isOther = app !== undefined && app.version !== version;
  const shares = restored.length === 0 || lacks(deps.host, "shares") ? [] : await deps.host.shares();
  return {
    appId,
    name: frozen.title,
    snapshot: viewSnapshot(found, frozen),
    ...(impossible !== null && { impossible: frozen.mask(impossible) }),
    ...(isOther && { version: { from: version, to: app.version } }),
    options: app === undefined ? "kept" : "restored",
    volumes: isOther ? "restored" : "kept",
    restored: restored.map((one) => describeRestored({ taken, found, shares }, one, frozen)),
    kept: kept.map(({ paths, reason }) => ({ paths: paths.map(frozen.mask), reason: frozen.mask(reason) })),
  };
}

function describeRestored(
  {
    taken,
    found,
    shares,
  }: { readonly taken: readonly Found[]; readonly found: Found; readonly shares: readonly HostShare[] },
  { path, dataset, from }: RestoredDataset,
  { mask }: FrozenApp,
): RollbackPreview["restored"][number] {
  const readAge = (name: string) => readTimestamp(name) ?? 0;
  const newer = taken
    .flatMap(({ snapshots }) => snapshots.map(({ snapshot }) => snapshot))
    .filter((one) => one.dataset === dataset)
    .filter(({ name }) => from.dataset !== dataset || readAge(name) > readAge(from.name))
    .toSorted((a, b) => readAge(a.name) - readAge(b.name));
  return {
    path: mask(path),
    dataset: mask(dataset),
    from: mask(toName(from)),
    since: new Date(found.at).toISOString(),
    newer: newer.map((snapshot) => mask(toName(snapshot))),
    shares: shares.filter((share) => isAtOrBelow(share.path, path)).map(({ name }) => mask(name)),
  };
}

async function prepare(deps: MethodDeps, appId: string, { snapshot }: RollbackRequest) {
  const frozen = await freezeInstalled(deps, appId, await deps.host.apps());
  const taken = await findSnapshots(deps, appId, frozen);
  const found = pick(taken, snapshot, frozen);
  if (found === undefined) {
    const message =
      snapshot === undefined
        ? `no task has noted what "${appId}" could be rolled back to`
        : `"${appId}" has no snapshot "${snapshot}"`;
    throw new EngineError("TASK_SNAPSHOT_UNKNOWN", message, { appId, ...(snapshot !== undefined && { snapshot }) });
  }
  return { frozen, taken, found, decided: await decideRollback(deps, appId, frozen, found) };
}

/** The one of that id, or that holds the snapshot of that name, as it is or as it is shown; by default the newest before an upgrade or update. */
function pick(all: readonly Found[], wanted: string | undefined, { mask }: FrozenApp): Found | undefined {
  if (wanted === undefined) return all.find(({ purpose }) => purpose === "pre-upgrade" || purpose === "pre-update");
  const names = all.map((found) => [found.id, ...found.snapshots.map(({ snapshot }) => toName(snapshot))]);
  const at = names.findIndex((one) => one.includes(wanted));
  return all[at === -1 ? names.findIndex((one) => one.some((name) => mask(name) === wanted)) : at];
}

/** A moment, of now or a second later, whose names no dataset has. */
async function findStamp({ host, clock }: MethodDeps, restored: readonly RestoredDataset[]): Promise<string> {
  for (let at = clock.now(); ; at += 1_000) {
    const stamp = formatTimestamp(at);
    const names = restored.flatMap(({ dataset }) => Object.values(nameSwap(dataset, stamp)));
    const taken = await Promise.all(names.map((name) => host.dataset(name)));
    if (taken.every((one) => one === null)) return stamp;
  }
}
