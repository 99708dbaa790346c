/** Lists of what is stored about tasks: pages of root tasks, one task's history, a hook's lines. */
import { createTaskUnknownError } from "../../core/codes/common-errors.ts";
import { isFinal, TASK_STATES } from "../../core/task-states.ts";
import type { HistoryEntry, LogLine, TaskTrace, TaskView } from "../api.ts";
import type { RootFilter, Store } from "../ports/store.ts";
import type { LoggedRow, TaskRow } from "../ports/store-rows.ts";
import { traceTask } from "../replay/trace-task.ts";
import { type HistoryRange, type LogRange, PAGE_LIMIT, type TaskFilter } from "../requests.ts";
import { viewEvent, viewTree } from "../runtime/views.ts";
import type { NameOf } from "../surfaces/name-apps.ts";
import type { MethodDeps } from "./deps.ts";

/** Entries of a page where its request does not say how many. */
const PAGE = 100;

/** Lists root tasks, newest first. Throws `TASK_UNKNOWN` where `before` is not a root task. */
export function listTasks(
  store: Pick<Store, "task" | "rootTrees">,
  filter: TaskFilter,
  nameOf?: NameOf,
): readonly TaskView[] {
  const { before } = filter;
  if (before !== undefined && store.task(before)?.parent !== null) throw createTaskUnknownError(before);
  return store.rootTrees(toRootFilter(filter)).map((tree) => viewTree(tree[0], tree, nameOf));
}

function toRootFilter({ search, appId, unfinished, states, since, before, limit = PAGE }: TaskFilter): RootFilter {
  const wanted = (states ?? TASK_STATES).filter((state) => unfinished === undefined || unfinished === !isFinal(state));
  return {
    ...(search !== undefined && { words: search.split(/\s+/).filter((word) => word !== "") }),
    ...(appId !== undefined && { appId }),
    states: wanted,
    ...(since !== undefined && { since: Date.parse(since) }),
    ...(before !== undefined && { before }),
    limit,
  };
}

/** Reads the changes that show one task. Throws `TASK_UNKNOWN`. */
export function readHistory(
  { store, nameOf }: { readonly store: Pick<Store, "task" | "history">; readonly nameOf?: NameOf },
  taskId: string,
  { from = 0, limit = PAGE }: HistoryRange,
): readonly HistoryEntry[] {
  requireTask(store, taskId);
  return store.history(taskId, from, limit).map((row) => viewEntry(row, nameOf));
}

/** Reads a hook's lines, masked again by the secrets that came after they were written. Throws `TASK_UNKNOWN`. */
export function readLog(
  { store, masks }: Pick<MethodDeps, "masks"> & { readonly store: Pick<Store, "task" | "hookLog"> },
  taskId: string,
  { limit = PAGE_LIMIT, before }: LogRange,
): readonly LogLine[] {
  const { root } = requireTask(store, taskId);
  // Nobody else tells that there are others.
  if (isFinal(requireTask(store, root).facts.state)) masks.forget(root);
  const mask = masks.of(root);
  return store.hookLog(taskId, limit, before).map(({ number, at, line }) => {
    return { number, at: new Date(at).toISOString(), line: mask(line) };
  });
}

/** Reads where a task's machine has been, a page of it. Throws `TASK_UNKNOWN`. */
export async function readTrace(
  { store, registry }: Pick<MethodDeps, "registry"> & { readonly store: Pick<Store, "task" | "taskEvents"> },
  taskId: string,
  { from = 0, limit = PAGE }: HistoryRange,
): Promise<TaskTrace> {
  return traceTask(store, registry, requireTask(store, taskId), { from, limit });
}

function viewEntry(row: LoggedRow, nameOf?: NameOf): HistoryEntry {
  return { ...viewEvent(row, nameOf), cause: row.event.type, ...(row.reason !== undefined && { reason: row.reason }) };
}

function requireTask(store: Pick<Store, "task">, taskId: string): TaskRow {
  const row = store.task(taskId);
  if (row === null || row.kind === "checkpoint") throw createTaskUnknownError(taskId);
  return row;
}
