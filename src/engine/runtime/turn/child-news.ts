/** News of children for their parent. */
import { type ChildState, hasEnded, isAwaiting, isFinal, type TaskState } from "../../../core/task-states.ts";
import type { Store } from "../../ports/store.ts";
import type { MailRow, TaskRow } from "../../ports/store-rows.ts";
import type { RuntimeEvent } from "../effect.ts";

type News = Extract<RuntimeEvent, { readonly type: "child.changed" }>;

/** The event that tells a parent what its child came to. */
export function createChildChanged(from: string, state: ChildState, marks: readonly string[]): News {
  return { type: "child.changed", from, state, marks };
}

/** Tells the parent that a task came to rest or asks a person, or does so no longer. */
export function tellChange(read: Pick<Store, "task">, before: TaskState, row: TaskRow): readonly Omit<MailRow, "id">[] {
  const { state, marks } = row.facts;
  const isNews = state !== before && [state, before].some((one) => hasEnded(one) || isAwaiting(one));
  return isNews ? tellParent(read, row, state, marks) : [];
}

/** Mail for the parent of a task; none for a root, for a checkpoint, and where the parent has ended. */
export function tellParent(
  read: Pick<Store, "task">,
  { parent, kind, name }: TaskRow,
  state: ChildState,
  marks: readonly string[],
): readonly Omit<MailRow, "id">[] {
  const listener = parent === null || kind === "checkpoint" ? null : read.task(parent);
  if (listener === null || isFinal(listener.facts.state)) return [];
  return [{ to: listener.id, event: createChildChanged(name, state, marks) }];
}

/** Mail for the parent of a task that can't be loaded. */
export function tellQuarantined(read: Pick<Store, "task">, row: TaskRow): readonly Omit<MailRow, "id">[] {
  return tellParent(read, row, "QUARANTINED", [`quarantined: ${row.name}`]);
}

/** Mail for the parent of a task that was quarantined and is where it was before: it counts as at work until told otherwise. */
export function tellThawed(read: Pick<Store, "task">, row: TaskRow): readonly Omit<MailRow, "id">[] {
  return tellParent(read, row, row.facts.state, []);
}
