import type { CodeRow } from "../codes.ts";

/** Codes of tasks and their lifecycles. */
export const TASK_CODES = {
  TASK_UNKNOWN: { title: "There is no task with this id", hint: "list the tasks to find the id" },
} as const satisfies Record<string, CodeRow>;
