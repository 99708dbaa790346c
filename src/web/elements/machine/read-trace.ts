/** Reads where a task's machine has been, and goes on reading where it was left. */
import { call, pathOf } from "../../api/client.ts";
import type { Trace } from "../../api/types.ts";
import type { WayEntry } from "./follow-way.ts";

export interface TaskWay {
  readonly machine: string;
  readonly version: number;
  /** The innermost state it is in now; undefined before its first turn. */
  readonly active: string | undefined;
  readonly entries: readonly WayEntry[];
}

/** Entries asked for at once. */
const PAGE = 500;

/** Reads what came after the entries known already; all of it where there are none. Throws `ApiError`. */
export async function readTrace(
  api: string,
  task: string,
  known: readonly WayEntry[],
  signal: AbortSignal,
): Promise<TaskWay> {
  const entries = [...known];
  for (;;) {
    const from = entries.at(-1)?.seq;
    const page = await call<Trace>(api, `${pathOf("tasks", task)}/trace`, { query: { from, limit: PAGE }, signal });
    entries.push(...page.entries);
    if (page.next !== undefined) continue;
    return { machine: page.machine, version: page.version, active: page.active[0], entries };
  }
}
