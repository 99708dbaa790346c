/**
 * Puts a clone of a snapshot in the place of its dataset, step by step: clone it, put the dataset aside, rename the clone,
 * promote it. Each step is decided by what the host has now, so that one whose answer was lost is not repeated.
 */
import { HostError } from "../../host-error.ts";
import type { HostApp, HostDataset } from "../../ports/host-records.ts";
import { passCrashPoint } from "../../runtime/crash-points.ts";
import { type EffectRun, SUSPENDED } from "../../runtime/effect.ts";
import type { RestoredDataset, StoredApp } from "../../stored-plan.ts";
import { forgetSetAside, keepSetAside, readSetAside } from "../../vault/restore-points.ts";
import type { EffectDeps } from "../deps.ts";
import { pause, retryWhileUnreachable } from "../retry.ts";
import { confirmNotSwapped, confirmVersionFits } from "./confirm-not-overtaken.ts";
import { confirmRestorable } from "./confirm-restorable.ts";
import { createBlockedError } from "./declared-path.ts";
import type { listMadeDirectories } from "./made-directories.ts";
import { putBack } from "./put-back.ts";

/** A dataset, and the names of its clone until that is in its place, and of what was there before. */
export interface Swap extends RestoredDataset {
  readonly clone: string;
  readonly aside: string;
}

/** What a swap works on. */
interface SwapContext {
  readonly app: StoredApp;
  readonly made: ReturnType<typeof listMadeDirectories>;
  /** Called as soon as a dataset may be put aside, and again where it turns out that it was not. */
  readonly tell: () => void;
}

interface Step {
  readonly name: "clone" | "putAside" | "putInPlace" | "promote" | "lookAgain";
  readonly take: () => Promise<void>;
}

/** How often the host may say of one step that it is done, or can't be, before that is believed. */
const DOUBTS = 3;

/** Answers of a host that did what was asked before: it was slow, or its answer was lost. */
const MAY_BE_DONE: ReadonlySet<string> = new Set(["HOST_EXISTS", "HOST_NOT_FOUND"]);

/**
 * Resolves when the clone is in its place, and owns the snapshots up to the one it comes from. Otherwise the dataset is put
 * back where it was, unless the engine is closed: the next life goes on.
 */
export async function swapDataset(deps: EffectDeps, run: EffectRun, swap: Swap, context: SwapContext): Promise<void> {
  try {
    await takeSteps(deps, run, swap, context);
  } catch (error) {
    if (run.signal.reason !== SUSPENDED) await putBack(deps, context.app.appId, swap);
    throw error;
  }
}

async function takeSteps(deps: EffectDeps, run: EffectRun, swap: Swap, context: SwapContext): Promise<void> {
  let [lost, refused, refusals] = ["", "", 0];
  for (;;) {
    run.signal.throwIfAborted();
    // What keeps the next step from being found may come of one whose answer was lost.
    let name: string = lost;
    try {
      const step = await retryWhileUnreachable(deps, run, () => findNextStep(deps, swap, context));
      if (step === null) return;
      name = step.name;
      if (name === "putAside") noteAside(deps, swap, context);
      await step.take();
      passCrashPoint("afterEffectSent");
      lost = "";
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      if (error.delivery === "unknown") lost = name;
      else {
        const isDoubtful = MAY_BE_DONE.has(error.code) || (lost !== "" && lost === name);
        refusals = refused === name ? refusals + 1 : 1;
        refused = name;
        if (!isDoubtful && name === "putAside")
          await retryWhileUnreachable(deps, run, () => takeBackAside(deps, swap, context));
        if (!isDoubtful || refusals === DOUBTS) throw error;
      }
      await pause(deps.clock, deps.timing.hostRetry, run.signal);
    }
  }
}

/** Before it is renamed: a person always reads where the data is, and snapshots that go along are found there. */
function noteAside({ store }: EffectDeps, { dataset, aside }: Swap, { app, tell }: SwapContext): void {
  keepSetAside(store, app.appId, dataset, aside);
  tell();
}

/** Not where the host has renamed it and refuses all the same, as where it can't mount it by its new name. */
async function takeBackAside(
  { host, store }: EffectDeps,
  { dataset, aside }: Swap,
  { app, tell }: SwapContext,
): Promise<void> {
  if ((await host.dataset(aside)) !== null) return;
  forgetSetAside(store, app.appId, dataset, aside);
  tell();
}

/** null: all is done. */
async function findNextStep(deps: EffectDeps, swap: Swap, { app, made }: SwapContext): Promise<Step | null> {
  const { host } = deps;
  const { dataset, clone, aside, from } = swap;
  const hasClone = (await host.dataset(clone)) !== null;
  const live = await host.app(app.instance);
  confirmStopped(app, live);
  confirmVersionFits(app, live);
  await confirmNotSwapped(deps, app);
  if ((await host.dataset(aside)) === null) {
    await confirmRestorable(deps, app, swap, made);
    return hasClone
      ? { name: "putAside", take: () => host.renameDataset(dataset, aside) }
      : { name: "clone", take: () => host.cloneSnapshot(from.dataset, from.name, clone) };
  }
  const present = await host.dataset(dataset);
  if (hasClone && present === null) return { name: "putInPlace", take: () => host.renameDataset(clone, dataset) };
  if (hasClone)
    return lookAgain("HOST_EXISTS", `"${dataset}" is there, and so is "${clone}", which is to take its place`);
  if (present === null) return lookAgain("HOST_NOT_FOUND", `"${dataset}" and "${clone}" have gone; see "${aside}"`);
  return stemsFromAside(deps, app, present) ? { name: "promote", take: () => host.promoteDataset(dataset) } : null;
}

/** What was put aside may itself be a clone of a dataset that is not the app's: that one stays the owner of its snapshots. */
function stemsFromAside({ store }: EffectDeps, { appId }: StoredApp, { name, origin }: HostDataset): boolean {
  const holder = origin?.slice(0, origin.indexOf("@"));
  return holder !== undefined && (readSetAside(store, appId)[name] ?? []).includes(holder);
}

/** A rename may end between two questions, so that their answers do not go together; lasting ones are a person's. */
function lookAgain(code: "HOST_EXISTS" | "HOST_NOT_FOUND", reason: string): Step {
  const fault = { code, reason, fields: [], retryable: true };
  return { name: "lookAgain", take: () => Promise.reject(new HostError(fault, "yes")) };
}

/** Nothing may write to a dataset that changes places, also where the app was started since by other means. */
function confirmStopped({ instance }: StoredApp, live: HostApp | null): void {
  if (live === null || live.state === "STOPPED") return;
  throw createBlockedError(`"${instance}" is ${live.state}: a retry stops it first`);
}
