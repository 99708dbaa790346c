/** Rows -> what people see. Nothing here loads a machine. */
import type { Failure } from "../../core/codes/problems.ts";
import { LINKS_GROUP } from "../../core/hooks/link-names.ts";
import type { Command } from "../../core/task/commands.ts";
import { explainMark } from "../../core/task/remarks.ts";
import { findAskedCheckpoint } from "../../core/task/waiting.ts";
import { isFinal } from "../../core/task-states.ts";
import type { CheckpointView, EngineEvent, TaskView } from "../api.ts";
import type { LoggedRow, ShownRow, StoredFacts } from "../ports/store-rows.ts";
import { type NameOf, nameApp } from "../surfaces/name-apps.ts";
import { readNotified } from "./notifications.ts";

/** The task as it is shown, with every task under it, from the rows of its tree. */
export function viewTree(row: ShownRow, tree: readonly ShownRow[], nameOf?: NameOf): TaskView {
  const below = tree.filter((other) => other.parent === row.id);
  return {
    ...nameApp(viewTask(row, below), nameOf),
    children: below.filter((child) => child.kind !== "checkpoint").map((child) => viewTree(child, tree, nameOf)),
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
    ...(isOfLinks(row) && { group: LINKS_GROUP }),
    ...(quarantine && viewQuarantine(row, quarantine)),
    remarks: listMarks(row).map(explainMark),
    checkpoints: below.filter((child) => child.kind === "checkpoint").map((child) => viewCheckpoint(child, facts)),
    created: new Date(row.created).toISOString(),
    updated: new Date(row.updated).toISOString(),
  };
}

/** A link, or an install it needs; one of several apps of a task has the app's id for its name. */
function isOfLinks({ parent, kind, name, appId }: ShownRow): boolean {
  return parent !== null && kind !== "hook" && name !== appId;
}

/** The commands of a task whose machine can't be asked. */
export const QUARANTINE_COMMANDS = ["retry", "cancel", "dismiss"] as const satisfies readonly Command[];

function viewQuarantine(row: ShownRow, failure: Failure): Partial<StoredFacts> {
  const commands = isFinal(row.facts.state) ? [] : QUARANTINE_COMMANDS;
  return { failure, marks: listMarks(row), revision: 0, commands };
}

function listMarks({ facts, quarantine }: ShownRow): readonly string[] {
  return quarantine === null ? facts.marks : [...facts.marks, "quarantined"];
}

/** A checkpoint knows no failure: its hook, which waits at it, does. */
function viewCheckpoint(row: ShownRow, hook: StoredFacts): CheckpointView {
  const failure = findAskedCheckpoint(hook.waitingFor) === row.name ? hook.failure : undefined;
  return {
    id: row.name,
    message: row.facts.label,
    state: readCheckpointState(row),
    ...(failure && { failure: { code: failure.code, message: failure.message } }),
    created: new Date(row.created).toISOString(),
    updated: new Date(row.updated).toISOString(),
  };
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

/** A log entry as `watch` tells it. Names are those of now: the log has none. */
export function viewEvent(row: LoggedRow, nameOf?: NameOf): EngineEvent {
  const { seq, type, actor } = row;
  const task = nameApp(row.task, nameOf);
  const common = { seq, at: new Date(row.at).toISOString(), taskId: row.root, ...(actor && { actor }), task };
  return type === "task.notified" ? { ...common, type, notification: readNotified(row) } : { ...common, type };
}
