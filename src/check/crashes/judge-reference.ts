/** Whether a run without crashes is one that others can be held against. */
import type { TaskView } from "../../engine/api.ts";
import { describeFailure, type Findings } from "../findings.ts";
import type { PlayedApp } from "../subject.ts";
import type { PlayedEnd } from "./played-end.ts";

/** Finds what keeps the run without crashes from being one that others can be held against. */
export function judgeReference(
  app: PlayedApp,
  { tasks, stops }: Pick<PlayedEnd, "tasks" | "stops">,
  findings: Findings,
): void {
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

/** Why the link a hook makes was not made in the run without crashes; null: it was. */
export function explainUnmade(hookId: string, { tasks, end }: Pick<PlayedEnd, "tasks" | "end">): string | null {
  const made = tasks.filter((task) => task.kind === "install" || task.hookId === hookId);
  const undone = made.find(({ state }) => state !== "COMPLETED");
  if (undone !== undefined)
    return `without a crash the ${undone.kind} of "${undone.appId}" is ${describeFailure(undone)}`;
  if (!made.some((task) => task.hookId === hookId)) return "it does not run without a crash";
  const shown = end.links.find(({ status }) => status !== "connected");
  return shown === undefined ? null : `"${shown.of}" shows "${shown.other}" as ${shown.status} without a crash`;
}

/** A hook that needs what is not there is not tried, as at level 4. */
export function isUntried({ failure }: TaskView): boolean {
  return failure?.code === "TASK_CONDITION_NOT_MET";
}
