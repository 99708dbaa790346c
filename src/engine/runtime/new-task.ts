import type { Actor } from "../audit/actor.ts";
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

/** What a row begins with. */
interface Beginning {
  readonly version: number;
  /** Shown until the first turn. */
  readonly label: string;
  /** UTC ms. */
  readonly now: number;
  readonly startedBy?: Actor;
}

/** A row before its first turn. */
export function createTaskRow(
  place: Pick<TaskRow, "id" | "root" | "parent" | "name">,
  { machine, kind, appId, hookId, target, claim }: NewTask,
  { version, label, now, startedBy }: Beginning,
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
    facts: {
      state: "PENDING",
      label,
      title: label,
      steps: [],
      commands: [],
      progress: 0,
      marks: [],
      revision: 0,
      ...(startedBy && { startedBy }),
    },
    created: now,
    updated: now,
    crashCount: 0,
    silent: null,
    quarantine: null,
  };
}
