import type { TaskRow } from "../ports/store-rows.ts";

/** Whose a new task is and what it runs, as a start or its parent asks for it. */
export interface NewTask {
  readonly machine: string;
  readonly kind: TaskRow["kind"];
  readonly appId: string;
  readonly hookId?: string | null | undefined;
  readonly target?: string | null | undefined;
  readonly claim?: string | null | undefined;
}

/** A row before its first turn; `label` is shown until then, `now` is UTC ms. */
export function createTaskRow(
  place: Pick<TaskRow, "id" | "root" | "parent" | "name">,
  { machine, kind, appId, hookId, target, claim }: NewTask,
  { version, label, now }: { readonly version: number; readonly label: string; readonly now: number },
): TaskRow {
  return {
    ...place,
    kind,
    appId,
    hookId: hookId ?? null,
    target: target ?? null,
    claim: claim ?? null,
    machine,
    version,
    rev: 0,
    snapshot: null,
    facts: { state: "PENDING", label, title: label, steps: [], commands: [], progress: 0, marks: [], revision: 0 },
    created: now,
    updated: now,
    crashCount: 0,
    silent: null,
    quarantine: null,
  };
}
