/**
 * `host.directories {appId, missingOnly?, made?}` -> `host.done` or `host.failed`, each with what this task created and its
 * marks. With `missingOnly` an entry that was there before the task is left alone; `made` names what earlier attempts created.
 *
 * Invariants:
 * 1. Before anything is created its path or name is noted, so that a resume neither creates twice nor forgets what it did.
 * 2. A location's root is never created or owned; before each change its path is looked at (declared-path.ts): nothing is
 *    created, owned or shared outside of its location or through a link.
 * 3. What exists is kept as it is: no directory becomes a dataset, no share is made a second time. What another app uses
 *    and no task has made for this one gets neither an owner nor a share, and a mark says so.
 * 4. On a host without datasets a directory is a folder; on one without shares it is not shared, and a mark says so.
 * 5. A missing folder that holds what wants a dataset becomes one too: a dataset lies on a dataset only.
 */
import { posix } from "node:path";
import type { PlannedDirectory } from "../../../core/plan/plan.ts";
import { deriveShareName } from "../../../core/plan/share-name.ts";
import { HostError } from "../../host-error.ts";
import type { PathStep } from "../../look-along.ts";
import { lacks } from "../../ports/own-host.ts";
import { readApp } from "../../read-plan.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import { noteDirectories } from "../../runtime/installations.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { readTextParam, readTexts } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { toHostFailure } from "../failures.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { confirmDataInPlace } from "./confirm-directories.ts";
import {
  createBlockedError,
  type Declared,
  findDeclared,
  findHolder,
  lookAtDeclared,
  requireDeclared,
  toDeclared,
} from "./declared-path.ts";
import { describeKeptOwner, describeUnshared, findOtherOwner } from "./find-other-owner.ts";
import { grantApps, type OwnershipQueue, resolveOwner, setOwner } from "./owner.ts";
import { serveShares } from "./serve-shares.ts";

/** The effect's note: all it has made so far. */
interface Made {
  directories: string[];
  shares: string[];
  marks: string[];
  /** Path that is being created. */
  making: string | null;
}

export function createDirectoriesEffect(deps: EffectDeps, queue: OwnershipQueue): EffectHandler {
  return {
    class: "idempotent",
    async perform(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      const made: Made = {
        directories: [...readTexts(run.note?.["directories"] ?? params["made"])],
        shares: [...readTexts(run.note?.["shares"])],
        marks: [...readTexts(run.note?.["marks"])],
        making: typeof run.note?.["making"] === "string" ? run.note["making"] : null,
      };
      const work = new DirectoryWork(deps, queue, run, app, made);
      try {
        // An empty dataset in the place of one that is put aside would be taken for the app's data.
        await retryWhileUnreachable(deps, run, () => confirmDataInPlace(deps, app));
        if (params["missingOnly"] !== true) {
          noteDirectories(deps.store, app.appId, run.taskId, await work.findsData(), deps.clock.now());
        }
        for (const directory of app.directories) {
          const isAddition = params["missingOnly"] === true;
          if (!isAddition || (await work.isMissing(directory))) await work.ensure(directory, isAddition);
        }
        return { type: "host.done", directories: made.directories, shares: made.shares, marks: made.marks };
      } catch (error) {
        const { directories, shares, marks } = made;
        return { type: "host.failed", directories, shares, marks, failure: toHostFailure(error) };
      }
    },
  };
}

class DirectoryWork {
  readonly #deps: EffectDeps;
  readonly #queue: OwnershipQueue;
  readonly #run: EffectRun;
  readonly #app: StoredApp;
  readonly #made: Made;
  /** The paths that become datasets where they are missing and their parent is one. */
  readonly #datasets: ReadonlySet<string>;
  /** Made by an earlier attempt, which may have ended before a dataset had its ACL. */
  readonly #unfinished: Set<string>;

  constructor(deps: EffectDeps, queue: OwnershipQueue, run: EffectRun, app: StoredApp, made: Made) {
    this.#deps = deps;
    this.#queue = queue;
    this.#run = run;
    this.#app = app;
    this.#made = made;
    this.#unfinished = new Set(made.directories);
    this.#datasets = new Set(app.directories.flatMap((directory) => listDatasetPaths(directory, app.locations)));
  }

  /** Whether an entry is not there, or is there because of this task. */
  async isMissing({ path, root }: PlannedDirectory): Promise<boolean> {
    if (root) return false;
    const { directories, making } = this.#made;
    return directories.includes(path) || making === path || (await this.#find(path)) === null;
  }

  /** Whether an entry is there that this task has not made. */
  async findsData(): Promise<boolean> {
    for (const directory of this.#app.directories) {
      if (!directory.root && !(await this.isMissing(directory))) return true;
    }
    return false;
  }

  /** `isAddition`: it is one an update or upgrade adds. */
  async ensure(directory: PlannedDirectory, isAddition: boolean): Promise<void> {
    this.#run.signal.throwIfAborted();
    const { path, root, owner, share } = directory;
    if (!root) {
      const found = await this.#create(directory);
      if (owner !== undefined) await this.#own(path, found, owner);
    }
    if (!share) return;
    if (!lacks(this.#deps.host, "shares")) await this.#share(directory);
    // The advice of an install has said so already.
    else if (isAddition) this.#mark(`notShared: ${path}`);
  }

  /** Makes what is missing from the location down, each after a look at the directory it lies in. */
  async #create({ path, location }: PlannedDirectory): Promise<Declared> {
    const base = this.#app.locations[location];
    if (base === undefined) throw createBlockedError(`the location "${location}" is not configured`);
    const look = await this.#ask(() => lookAtDeclared(this.#deps.host, path, this.#app.locations));
    let found = toDeclared(look);
    const steps = [look.top, ...look.below];
    const start = steps.findIndex((step) => step.path === posix.resolve("/", base));
    let above = steps[start];
    if (above?.found == null) throw createBlockedError(`"${base}" does not exist on the host`);
    for (const step of steps.slice(start + 1)) {
      const { path: at } = step;
      if (step.found === null) found = await this.#make(above, at);
      else if (step.found.type !== "DIRECTORY") throw createBlockedError(`"${at}" is not a directory`);
      else if (this.#made.making === at || this.#unfinished.delete(at))
        await this.#finish(at, step.real, await this.#isDataset(at, step));
      above = step;
    }
    if (found === null) throw createBlockedError(`"${path}" does not exist on the host`);
    return found;
  }

  /**
   * Makes a dataset if it wants to be one and its parent is one, else a directory (docs/decisions.md, section 4). The
   * parent was just looked at. Resolves with what is there then.
   */
  async #make(parent: Pick<PathStep, "path" | "real">, path: string): Promise<Declared> {
    const { host } = this.#deps;
    const isResumed = this.#made.making === path;
    this.#note({ making: path });
    const mayBeDataset = this.#datasets.has(path) && !lacks(host, "datasets");
    let above = parent;
    let isBare = false;
    for (let sendings = 1; ; sendings += 1) {
      const holder = mayBeDataset ? await this.#ask(() => findHolder(host, above.path, above)) : null;
      const isDataset = holder?.mountpoint === above.real;
      try {
        if (isDataset) {
          const { isForApps } = await host.createDataset(`${holder.dataset}/${posix.basename(path)}`);
          isBare = !isForApps;
        } else await host.makeDirectory(path, { isPrivate: this.#isOwned(path) });
        break;
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        if (error.code === "HOST_EXISTS") {
          // It is this task's only if an earlier answer was lost.
          if (sendings > 1 || isResumed) break;
          this.#note({ making: null });
          return this.#requireDirectory(path);
        }
        isBare = isDataset;
        // A lost answer: what is there tells; where nothing is, the host never got the call.
        if (error.delivery !== "unknown") throw error;
        if ((await this.#find(path)) !== null) break;
        if (sendings >= SENDINGS) throw error;
        above = { ...(await this.#require(above.path)), path: above.path };
      }
    }
    passCrashPoint("afterEffectSent");
    const found = await this.#require(path);
    await this.#finish(path, found.real, isBare);
    return found;
  }

  /**
   * Notes what was made, before anything more is done to it; `isBare`: a dataset that may lack the ACL of those for apps.
   */
  async #finish(path: string, real: string, isBare: boolean): Promise<void> {
    const { locations } = this.#app;
    const { directories, making } = this.#made;
    // What a life that died was making is still to be found, whatever is finished before it.
    this.#note({ directories: [...new Set([...directories, path])], making: making === path ? null : making });
    if (isBare) await grantApps(this.#deps, this.#queue, this.#run, { path, real, locations });
  }

  async #isDataset(path: string, { real }: Pick<PathStep, "real">): Promise<boolean> {
    if (!this.#datasets.has(path)) return false;
    return (await this.#ask(() => findHolder(this.#deps.host, path, { real }))).mountpoint === real;
  }

  #isOwned(path: string): boolean {
    return this.#app.directories.some((directory) => directory.path === path && directory.owner !== undefined);
  }

  async #own(
    path: string,
    found: Declared,
    declared: { readonly user: string; readonly group?: string },
  ): Promise<void> {
    const owner = await this.#ask(() => resolveOwner(this.#deps, declared));
    if (found.uid === owner.uid && found.gid === owner.gid) return;
    const { locations } = this.#app;
    const other = await this.#findOther(path, found);
    if (other !== null) return this.#mark(`advice: ${describeKeptOwner(path, other)}`);
    const acltype = await setOwner(this.#deps, this.#queue, this.#run, { path, real: found.real, locations }, owner);
    if (acltype === "POSIX1E") this.#mark(`posixAcl: ${path}`);
  }

  /** null: it is this app's, or nobody's that is known. */
  async #findOther(path: string, found?: Declared): Promise<string | null> {
    if (this.#made.directories.includes(path)) return null;
    const { real } = found ?? (await this.#require(path));
    return this.#ask(() => findOtherOwner(this.#deps, this.#app, { path, real }));
  }

  #mark(...marks: readonly string[]): void {
    this.#note({ marks: [...new Set([...this.#made.marks, ...marks])] });
  }

  /** An existing share of the path is kept; a taken name gets a number (docs/decisions.md, section 4). */
  async #share({ path, root }: PlannedDirectory): Promise<void> {
    const { host } = this.#deps;
    const refused: string[] = [];
    for (let attempts = 0; ; attempts += 1) {
      const shares = await this.#ask(() => host.shares());
      const kept = shares.find((share) => share.path === path);
      const making = this.#made.making === `share ${path}`;
      const other = root || making || kept !== undefined ? null : await this.#findOther(path);
      if (other !== null) return this.#mark(`advice: ${describeUnshared(path, other)}`);
      // Last, as the other looks take long: fails also if the path was replaced since then.
      await this.#require(path);
      if (kept !== undefined) {
        this.#mark(...(await serveShares(this.#deps, this.#run)));
        if (making) this.#note({ shares: [...this.#made.shares, kept.name], making: null });
        return;
      }
      const taken = [...refused, ...shares.map((share) => share.name)].map((name) => name.toLowerCase());
      const name = deriveShareName(path, new Set(taken));
      this.#note({ making: `share ${path}` });
      try {
        await host.createShare({ name, path });
        passCrashPoint("afterEffectSent");
      } catch (error) {
        // A lost answer: the next look at the shares tells. A name that was taken meanwhile is not tried again.
        const isTaken = error instanceof HostError && error.code === "HOST_EXISTS";
        const isLost = error instanceof HostError && error.delivery === "unknown";
        if ((!isTaken && !isLost) || attempts >= SENDINGS) throw error;
        if (isTaken) refused.push(name);
      }
    }
  }

  /** Null where nothing stands at the path now. */
  #find(path: string) {
    return this.#ask(() => findDeclared(this.#deps.host, path, this.#app.locations));
  }

  #ask<T>(question: () => Promise<T>): Promise<T> {
    return retryWhileUnreachable(this.#deps, this.#run, question);
  }

  #require(path: string): Promise<Declared> {
    return this.#ask(() => requireDeclared(this.#deps.host, path, this.#app.locations));
  }

  async #requireDirectory(path: string): Promise<Declared> {
    const found = await this.#require(path);
    if (found.type !== "DIRECTORY") throw createBlockedError(`"${path}" is not a directory`);
    return found;
  }

  #note(change: Partial<Made>): void {
    Object.assign(this.#made, change);
    this.#run.writeNote({ ...this.#made });
  }
}

/** Every path from below a location down to one of its folders, that one included. */
function listPathsBelow(location: string, path: string): readonly string[] {
  const steps = posix.relative(location, path).split("/");
  return steps.map((_, index) => posix.join(location, ...steps.slice(0, index + 1)));
}

/** An entry that is owned or snapshotted is a dataset, and so are the folders above it. */
function listDatasetPaths(
  { path, root, location, owner, snapshot }: PlannedDirectory,
  locations: StoredApp["locations"],
): readonly string[] {
  const base = locations[location];
  if (root || base === undefined || (owner === undefined && snapshot === undefined)) return [];
  return listPathsBelow(base, path);
}

/** How often a call is made whose answers get lost, and that shows no trace. */
const SENDINGS = 5;
