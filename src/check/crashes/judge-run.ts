/** A run in which engines died, or hooks were played back at every step, held against one in which nothing happened. */
import type { Hook } from "../../core/script/dictionary.ts";
import type { TaskView } from "../../engine/api.ts";
import { describeFailure, type Findings } from "../findings.ts";
import { findMismatches } from "../scenarios/find-mismatch.ts";
import type { PlayedApp } from "../subject.ts";
import { isUntried } from "./judge-reference.ts";
import { nameTask } from "./name-task.ts";
import type { PlayedEnd } from "./played-end.ts";

/** Finds in what a run differs from the reference; `where` is what befell it, as "where the engine dies ...". */
export function judgeRun(
  app: PlayedApp,
  reference: PlayedEnd,
  played: PlayedEnd,
  where: string,
  findings: Findings,
): void {
  const { appId, dictionary } = app;
  const { hooks } = dictionary;
  const { end, deaths } = played;
  const placeOf = (hookId: string | undefined) => {
    const index = hooks.findIndex(({ id }) => id === hookId);
    return index === -1 ? [] : ["hooks", index];
  };
  const stopped = new Set<string | null>();
  for (const stop of played.stops) {
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
  const found = describeTasks(played.tasks, appId);
  let endsAlike = true;
  for (const [name, { state, hookId }] of describeTasks(reference.tasks, appId)) {
    const other = found.get(name) ?? { state: "not there", why: "" };
    if (other.state === state) continue;
    endsAlike = false;
    // of one that stopped it was said why
    if (stopped.has(hookId ?? null)) continue;
    const text = `${name} is ${other.state} ${where}, and ${state} without${other.why}`;
    findings.add("CHECK_CRASH_SHOWS", text, placeOf(hookId));
  }
  for (const [index, usual] of reference.end.apps.entries()) {
    const found = end.apps[index];
    const name = usual.appId === appId ? "the app" : `"${usual.appId}"`;
    if (found?.state !== usual.state)
      findings.add("CHECK_CRASH_SHOWS", `${name} is ${found?.state} ${where}, and ${usual.state} without`, []);
    for (const { path, message } of findMismatches(usual.values, found?.values ?? null, []))
      findings.add("CHECK_CRASH_SHOWS", `${name} has other values at ${path.join(".")} ${where}: ${message}`, []);
  }
  for (const [index, usual] of reference.end.links.entries()) {
    const status = end.links[index]?.status ?? "not there";
    const text = `"${usual.of}" shows "${usual.other}" as ${status} ${where}, and as ${usual.status} without`;
    // of a link that is not made it was said
    if (status !== usual.status && endsAlike) findings.add("CHECK_CRASH_SHOWS", text, []);
  }
  const [more, less] = [listOthers(end.left, reference.end.left), listOthers(reference.end.left, end.left)];
  if (more.length > 0) findings.add("CHECK_CRASH_SHOWS", `${more.join(", ")} is left after the uninstall ${where}`, []);
  if (less.length > 0) findings.add("CHECK_CRASH_SHOWS", `${less.join(", ")} is gone after the uninstall ${where}`, []);
}

function listOthers(names: readonly string[], known: readonly string[]): readonly string[] {
  return names.filter((name) => !known.includes(name));
}

/** A kind of request a hook has sent more often than it may, in words; null: none. */
function findRepeated(hook: Hook, reference: PlayedEnd, { asked, sent }: PlayedEnd): string | null {
  // its author says that twice is fine
  if (hook.rerun === "idempotent" || hook.rerun === "converge") return null;
  const allowed = reference.sent.of(hook.id);
  for (const [kind, times] of sent.of(hook.id)) {
    const usual = allowed.get(kind) ?? 0;
    if (times > usual + asked.filter((hookId) => hookId === hook.id).length)
      return `${kind} ${times} times instead of ${usual}`;
  }
  return null;
}

/** How a task or checkpoint ended. */
interface Ending {
  readonly state: string;
  readonly hookId: string | undefined;
  /** Why it failed, as the end of a sentence; empty where it did not. */
  readonly why: string;
}

/** The end of each task and checkpoint, by a name it has in every run. */
function describeTasks(tasks: readonly TaskView[], ownId: string): ReadonlyMap<string, Ending> {
  const named = new Map<string, Ending>();
  const counts = new Map<string, number>();
  for (const task of tasks) {
    const { hookId, state, checkpoints } = task;
    const base = nameTask(task, ownId);
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    const name = count === 1 ? base : `${base} (run ${count})`;
    const why = task.failure === undefined ? "" : `: ${describeFailure(task)}`;
    named.set(name, { state, hookId, why });
    for (const checkpoint of checkpoints)
      named.set(`the checkpoint "${checkpoint.id}" of ${name}`, { state: checkpoint.state, hookId, why: "" });
  }
  return named;
}
