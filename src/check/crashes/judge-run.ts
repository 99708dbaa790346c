/** A run in which engines died, or hooks were played back at every step, held against one in which nothing happened. */
import type { Hook } from "../../core/script/dictionary.ts";
import type { TaskView } from "../../engine/api.ts";
import { describeFailure, type Findings } from "../findings.ts";
import { findMismatches } from "../scenarios/find-mismatch.ts";
import type { PlayedApp } from "../subject.ts";
import type { RunEnd } from "./crash-run.ts";
import type { Deaths } from "./moments.ts";
import type { SentRequests } from "./sent-requests.ts";

/** A run, and what left its hooks. */
export interface PlayedEnd {
  readonly end: RunEnd;
  readonly sent: SentRequests;
  readonly deaths: Deaths;
}

/** Finds in what a run differs from the reference; `where` is what befell it, as "where the engine dies ...". */
export function judgeRun(
  app: PlayedApp,
  reference: PlayedEnd,
  played: PlayedEnd,
  where: string,
  findings: Findings,
): void {
  const { hooks } = app.dictionary;
  const { end, deaths } = played;
  const placeOf = (hookId: string | undefined) => {
    const index = hooks.findIndex(({ id }) => id === hookId);
    return index === -1 ? [] : ["hooks", index];
  };
  const stopped = new Set<string | null>();
  for (const stop of end.stops) {
    if (isUntried(stop)) continue;
    stopped.add(stop.hookId ?? null);
    const text = `hook "${stop.hookId}" stops ${where}: ${describeFailure(stop)}`;
    const code = stop.failure?.code === "TASK_REPLAY_DIVERGED" ? "CHECK_REPLAY_DIVERGED" : "CHECK_CRASH_SHOWS";
    findings.add(code, text, placeOf(stop.hookId));
  }
  for (const hook of hooks) {
    const repeated = findRepeated(hook, reference, played);
    if (repeated === null) continue;
    const why = deaths.cannotGoOn(hook.id) ? ", as it can't go on where it was and begins again" : "";
    findings.add("CHECK_REQUEST_REPEATED", `hook "${hook.id}" sends ${repeated} ${where}${why}`, placeOf(hook.id));
  }
  const found = describeTasks(end.tasks);
  for (const [name, { state, hookId }] of describeTasks(reference.end.tasks)) {
    const other = found.get(name)?.state ?? "not there";
    // of one that stopped it was said why
    if (other !== state && !stopped.has(hookId ?? null))
      findings.add("CHECK_CRASH_SHOWS", `${name} is ${other} ${where}, and ${state} without`, placeOf(hookId));
  }
  if (end.appState !== reference.end.appState) {
    const text = `the app is ${end.appState} ${where}, and ${reference.end.appState} without`;
    findings.add("CHECK_CRASH_SHOWS", text, []);
  }
  const [more, less] = [listOthers(end.left, reference.end.left), listOthers(reference.end.left, end.left)];
  if (more.length > 0) findings.add("CHECK_CRASH_SHOWS", `${more.join(", ")} is left after the uninstall ${where}`, []);
  if (less.length > 0) findings.add("CHECK_CRASH_SHOWS", `${less.join(", ")} is gone after the uninstall ${where}`, []);
  for (const { path, message } of findMismatches(reference.end.values, end.values, [])) {
    findings.add("CHECK_CRASH_SHOWS", `the app's values differ at ${path.join(".")} ${where}: ${message}`, []);
  }
}

function listOthers(names: readonly string[], known: readonly string[]): readonly string[] {
  return names.filter((name) => !known.includes(name));
}

/** Finds what keeps the run without crashes from being one that others can be held against. */
export function judgeReference(app: PlayedApp, { tasks, stops }: RunEnd, findings: Findings): void {
  const [install] = tasks;
  if (install?.state !== "COMPLETED") {
    const ends = install === undefined ? "not there" : `${install.state}: ${describeFailure(install)}`;
    findings.add("CHECK_INSTALL_FAILED", `the install is ${ends}, without any crash`, []);
  }
  for (const stop of stops) {
    if (isUntried(stop)) continue;
    const index = app.dictionary.hooks.findIndex(({ id }) => id === stop.hookId);
    const text = `hook "${stop.hookId}" stops without any crash: ${describeFailure(stop)}`;
    findings.add("CHECK_HOOK_FAILED", text, index === -1 ? [] : ["hooks", index]);
  }
}

/** A hook that needs what is not there is not tried, as at level 4. */
function isUntried({ failure }: TaskView): boolean {
  return failure?.code === "TASK_CONDITION_NOT_MET";
}

/** A kind of request a hook has sent more often than it may, in words; null: none. */
function findRepeated(hook: Hook, reference: PlayedEnd, { end, sent }: PlayedEnd): string | null {
  // its author says that twice is fine
  if (hook.rerun === "idempotent" || hook.rerun === "converge") return null;
  const allowed = reference.sent.of(hook.id);
  for (const [kind, times] of sent.of(hook.id)) {
    const usual = allowed.get(kind) ?? 0;
    if (times > usual + end.asked.filter((hookId) => hookId === hook.id).length)
      return `${kind} ${times} times instead of ${usual}`;
  }
  return null;
}

/** State of each task and checkpoint, by a name it has in every run. */
function describeTasks(
  tasks: readonly TaskView[],
): ReadonlyMap<string, { readonly state: string; readonly hookId: string | undefined }> {
  const named = new Map<string, { state: string; hookId: string | undefined }>();
  const counts = new Map<string, number>();
  for (const { kind, hookId, state, checkpoints } of tasks) {
    const base = hookId === undefined ? `the ${kind}` : `hook "${hookId}"`;
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    const name = count === 1 ? base : `${base} (run ${count})`;
    named.set(name, { state, hookId });
    for (const checkpoint of checkpoints)
      named.set(`the checkpoint "${checkpoint.id}" of ${name}`, { state: checkpoint.state, hookId });
  }
  return named;
}
