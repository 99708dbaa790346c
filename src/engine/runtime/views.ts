/** Rows -> what people see. Nothing here loads a machine. */
import { LINKS_GROUP } from "../../core/hooks/link-names.ts";
import type { CheckpointView, EngineEvent, TaskView } from "../api.ts";
import type { LoggedRow, ShownRow } from "../ports/store-rows.ts";
import { readNotified } from "./notifications.ts";

/** The task as it is shown, with every task under it, from the rows of its tree. */
export function viewTree(row: ShownRow, tree: readonly ShownRow[]): TaskView {
  const below = tree.filter((other) => other.parent === row.id);
  return {
    ...viewTask(row, below),
    children: below.filter((child) => child.kind !== "checkpoint").map((child) => viewTree(child, tree)),
  };
}

/** The task without its child tasks; `below` are its child rows, of which the checkpoints are shown. */
export function viewTask(row: ShownRow, below: readonly ShownRow[]): EngineEvent["task"] {
  if (row.kind === "checkpoint") throw new Error(`checkpoint "${row.id}" is shown in its hook, not as a task`);
  const { quarantine, facts } = row;
  return {
    id: row.id,
    kind: row.kind,
    appId: row.appId,
    ...(row.hookId !== null && { hookId: row.hookId }),
    ...(row.parent !== null && { parent: row.parent }),
    ...facts,
    ...(row.parent !== null && row.kind !== "hook" && { group: LINKS_GROUP }),
    ...(quarantine && { failure: quarantine, marks: [...facts.marks, "quarantined"], revision: 0 }),
    checkpoints: below.filter((child) => child.kind === "checkpoint").map(viewCheckpoint),
    created: new Date(row.created).toISOString(),
    updated: new Date(row.updated).toISOString(),
  };
}

function viewCheckpoint(row: ShownRow): CheckpointView {
  return { id: row.name, message: row.facts.label, state: readCheckpointState(row) };
}

function readCheckpointState(row: ShownRow): CheckpointView["state"] {
  switch (row.facts.state) {
    case "COMPLETED":
      return "COMPLETED";
    case "SKIPPED":
    case "CANCELLED":
    case "DISMISSED":
      return "SKIPPED";
    case "FAILED":
    case "AWAITING_RETRY":
      return "FAILED";
    default:
      return "REGISTERED";
  }
}

/** A log entry as `watch` tells it. */
export function viewEvent(row: LoggedRow): EngineEvent {
  const { seq, type, task } = row;
  const common = { seq, at: new Date(row.at).toISOString(), taskId: row.root, task };
  return type === "task.notified" ? { ...common, type, notification: readNotified(row) } : { ...common, type };
}
