import type { Store } from "../../ports/store.ts";
import type { LogRow, TaskRow } from "../../ports/store-rows.ts";
import type { MachineEvent } from "../effect.ts";
import { viewTask } from "../views.ts";

interface LogDeps {
  /** UTC ms. */
  readonly now: number;
  readonly read: Pick<Store, "children" | "task">;
}

/** A log entry of a task as the row stands; `children` are rows the same turn adds under it. */
export function createLogEntry(
  { now, read }: LogDeps,
  row: TaskRow,
  type: LogRow["type"],
  event: MachineEvent,
  more: { readonly digest?: string; readonly reason?: string; readonly children?: readonly TaskRow[] } = {},
): LogRow {
  const shown = row.kind === "checkpoint" && row.parent !== null ? read.task(row.parent) : row;
  if (shown === null) throw new Error(`parent of "${row.id}" is not stored`);
  const hasCheckpoints = shown.kind === "hook" || shown.kind === "link";
  const below = hasCheckpoints ? [...read.children(shown.id), ...(more.children ?? [])] : [];
  return {
    at: now,
    root: row.root,
    taskId: row.id,
    rev: row.rev,
    type,
    event,
    ...(more.reason !== undefined && { reason: more.reason }),
    digest: more.digest ?? "",
    task: viewTask(
      shown,
      below.map((child) => (child.id === row.id ? row : child)),
    ),
  };
}
