import type { TaskFacts } from "../../src/core/task/task-facts.ts";
import type { StateValue } from "../state-value.ts";
import type { CheckpointContext } from "./types.ts";

/** A checkpoint's row; its hook task shows it. REGISTERED is shown from PENDING. */
export function viewCheckpoint(value: StateValue, context: CheckpointContext): TaskFacts {
  return {
    kind: "checkpoint",
    state: value === "COMPLETED" || value === "SKIPPED" || value === "FAILED" ? value : "PENDING",
    label: context.message,
    progress: value === "COMPLETED" ? 100 : 0,
    marks: [],
  };
}
