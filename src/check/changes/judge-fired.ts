/** The hooks an upgrade fired, held against what their ranges say. Pure. */
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { TaskView } from "../../engine/api.ts";
import { describeFailure, type Findings } from "../findings.ts";
import { listFired, type Move } from "./moves.ts";

/** Finds hooks that fired and should not have, or the other way round, and those that did not complete. */
export function judgeFired(
  dictionary: Dictionary,
  move: Move,
  tasks: readonly Pick<TaskView, "hookId" | "state" | "failure">[],
  findings: Findings,
): void {
  const due = listFired(dictionary, move);
  const fired = tasks.flatMap(({ hookId }) => hookId ?? []);
  const at = `the upgrade from ${move.from} to ${move.to}`;
  for (const [index, { id }] of dictionary.hooks.entries()) {
    const path = ["hooks", index];
    if (due.includes(id) !== fired.includes(id)) {
      const did = fired.includes(id)
        ? "fires, which its ranges do not say"
        : "does not fire, although its ranges say so";
      findings.add("CHECK_HOOK_MISFIRED", `hook "${id}" ${did}, in ${at}`, path);
    }
    const task = tasks.find(({ hookId }) => hookId === id);
    // one whose conditions do not hold has said so; level 4 names it
    if (task === undefined || task.state === "COMPLETED" || task.failure?.code === "TASK_CONDITION_NOT_MET") continue;
    findings.add("CHECK_HOOK_FAILED", `hook "${id}" is ${task.state} in ${at}: ${describeFailure(task)}`, path);
  }
}
