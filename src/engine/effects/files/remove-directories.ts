/**
 * `host.directories.remove {appId, paths, held, keepsAnswers?}`: an app's own directories, the innermost first, and once
 * none is left its answers and secrets, unless those are to stay. Before and after each one
 * `host.removing {removed, emptied, left}`; at the end `host.done {removed, emptied, left, forgotten?, marks}` or `host.failed`.
 *
 * Invariants:
 * 1. Before a directory is touched the host has it where it is declared, behind no link, as no location and above none;
 *    the app has not come back by other means, and no other one, stopped or not, uses it or names it in its script, by
 *    whatever spelling (path-names.ts).
 * 2. Its dataset is the one of which the host still has the snapshot that `held` names for it: what came since, or is
 *    locked, stays.
 * 3. Only what the host and this machine both see is removed: the host is asked to make a directory in it by a name
 *    nobody knows before, and where that is not seen here nothing is removed.
 * 4. A dataset is emptied and stays, with its snapshots.
 * 5. What can't be removed is left with a mark: no failure, since the app is gone.
 */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import { HostError } from "../../host-error.ts";
import type { Host } from "../../ports/host.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { readTexts as readTextRecord } from "../../vault/kept-choices.ts";
import { readSetAside } from "../../vault/restore-points.ts";
import { forgetChoices } from "../app/forget-choices.ts";
import { readTextParam, readTexts } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { catchRefusal, toHostFailure } from "../failures.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { findDeclared, findHolder, lookAtDeclared, requireDeclared, toDeclared } from "./declared-path.ts";
import { findSurroundings } from "./find-surroundings.ts";
import { describeHidden, findHiddenDataset } from "./hidden-dataset.ts";
import { listMadeDirectories } from "./made-directories.ts";
import { findNotOwn } from "./own-directories.ts";

type Fate = { readonly fate: "removed" | "emptied" } | { readonly fate: "left"; readonly why: string };

export function removeDirectoriesEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "idempotent",
    async perform(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      const paths = readTexts(params["paths"]);
      const held = readTextRecord(params["held"] ?? null);
      const made = listMadeDirectories(deps.store);
      const fates = new Map<string, Fate>();
      try {
        const toLeft = ({ message }: { readonly message: string }): Fate => ({ fate: "left", why: message });
        const tell = (rest: readonly string[]) => {
          const { left, ...gone } = listByFate(fates);
          run.emit({ type: "host.removing", ...gone, left: [...left, ...rest] });
        };
        for (const [at, path] of paths.entries()) {
          tell(paths.slice(at));
          const work = () => removeOne(deps, run, app, { path, snapshot: held[path] }, fates, made);
          const fate = catchRefusal(run.signal, work, toLeft).catch((error: unknown) => passFault(error, toLeft));
          fates.set(path, await fate);
        }
        tell([]);
        const shares = await retryWhileUnreachable(deps, run, () => deps.host.shares());
        const ends = listByFate(fates);
        const below = (tops: readonly string[]) =>
          shares.flatMap(({ name, path }) => (tops.some((one) => isAtOrBelow(path, one)) ? [name] : []));
        const orphaned = below([...ends.removed, ...ends.emptied]);
        const kept = below(ends.left).filter((name) => !orphaned.includes(name));
        const marks = [...fates].flatMap(([path, end]) =>
          end.fate === "left" ? [`notRemoved: ${path}: ${end.why}`] : [],
        );
        const aside = await listSetAside(deps, run, app.appId);
        const done = {
          type: "host.done",
          ...ends,
          marks: [
            ...marks,
            ...aside.map((name) => `notRemoved: the dataset ${name}: a rollback has put it aside`),
            ...orphaned.map((name) => `shareLeft: ${name}`),
            ...kept.map((name) => `shareKept: ${name}`),
          ],
        };
        // Answers and secrets fit what was put aside as well.
        if (ends.left.length > 0 || aside.length > 0 || params["keepsAnswers"] === true) return done;
        await forgetChoices(deps, app.appId, run);
        return { ...done, forgotten: true };
      } catch (error) {
        return { type: "host.failed", ...listByFate(fates), failure: toHostFailure(error) };
      }
    },
  };
}

/** The datasets rollbacks of an app have put aside that the host still has: they are a person's to delete. */
async function listSetAside(deps: EffectDeps, run: EffectRun, appId: string): Promise<readonly string[]> {
  const names = Object.values(readSetAside(deps.store, appId)).flat();
  const found: string[] = [];
  for (const name of names) {
    if ((await retryWhileUnreachable(deps, run, () => deps.host.dataset(name))) !== null) found.push(name);
  }
  return found;
}

/** A lasting fault of the host about one path leaves that path; anything else is the effect's. */
function passFault(error: unknown, toLeft: (fault: { readonly message: string }) => Fate): Fate {
  if (error instanceof HostError && LASTING.has(error.code)) return toLeft(error);
  throw error;
}

const LASTING: ReadonlySet<string> = new Set([
  "HOST_PATH_LINKED",
  "HOST_DIRECTORY_BLOCKED",
  "HOST_PATH_REFUSED",
  "HOST_PERMISSION",
]);

function listByFate(fates: ReadonlyMap<string, Fate>): Record<Fate["fate"], string[]> {
  const of = (wanted: Fate["fate"]) => [...fates].flatMap(([path, { fate }]) => (fate === wanted ? [path] : []));
  return { removed: of("removed"), emptied: of("emptied"), left: of("left") };
}

async function removeOne(
  deps: EffectDeps,
  run: EffectRun,
  app: StoredApp,
  { path, snapshot }: { readonly path: string; readonly snapshot: string | undefined },
  fates: ReadonlyMap<string, Fate>,
  made: ReadonlyMap<string, string>,
): Promise<Fate> {
  const { host, folders } = deps;
  const ask = <T>(question: () => Promise<T>) => retryWhileUnreachable(deps, run, question);
  const look = await ask(() => lookAtDeclared(host, path, app.locations));
  const found = toDeclared(look);
  const hidden = await ask(() => findHiddenDataset(host, look));
  if (hidden !== null) return { fate: "left", why: describeHidden(hidden) };
  if (found === null) {
    const isGone = (await ask(() => findDeclared(host, path, app.locations))) === null;
    return isGone ? { fate: "removed" } : { fate: "left", why: "it came back meanwhile" };
  }
  if (folders.remove === undefined) return { fate: "left", why: "the engine has no way to the host's folders" };
  const apps = await ask(() => host.apps());
  if (apps.some(({ name }) => name === app.instance)) return { fate: "left", why: "the app is installed again" };
  const { dataset, mountpoint } = await ask(() => findHolder(host, path, found));
  if (snapshot === undefined) return { fate: "left", why: "it was not there when snapshots were taken" };
  const [holder, name = ""] = snapshot.split("@");
  if (holder !== dataset || (await ask(() => host.snapshots(dataset, [name]))).length === 0)
    return { fate: "left", why: `its dataset has no snapshot "${snapshot}"` };
  const around = await ask(() => findSurroundings(deps, app, apps, made));
  const why = await ask(() => findNotOwn([path, found.real], app.appId, around));
  if (why !== null) return { fate: "left", why };
  const isDataset = mountpoint === found.real;
  const proof = `.slipway-${createHash("sha256").update(`${run.effectId} ${path}`).digest("hex").slice(0, 24)}`;
  let proving = Promise.resolve();
  const end = await folders.remove({
    root: host.localPath(look.location),
    path: posix.relative(look.location, path),
    proof,
    prove: () => {
      proving = ask(async () => {
        await requireDeclared(host, path, app.locations);
        await makeProof(host, posix.join(path, proof));
      });
      return proving;
    },
    keepsItself: isDataset,
    // Datasets below were emptied before, and stay; so does what could not be removed, and where snapshots are shown.
    kept: [
      ...(isDataset ? [".zfs"] : []),
      ...[...fates]
        .filter(([other, { fate }]) => fate !== "removed" && isAtOrBelow(other, path))
        .map(([other]) => posix.relative(path, other)),
    ],
    signal: run.signal,
  });
  run.signal.throwIfAborted();
  await proving;
  if (!end.ok) return { fate: "left", why: end.fault };
  return { fate: isDataset || end.isKept ? "emptied" : "removed" };
}

async function makeProof(host: Pick<Host, "makeDirectory">, path: string): Promise<void> {
  try {
    await host.makeDirectory(path);
  } catch (error) {
    if (!(error instanceof HostError && error.code === "HOST_EXISTS")) throw error;
  }
}
