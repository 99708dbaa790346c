/** Rows the suites of the `Store` port write. */
import type { Store } from "../engine/ports/store.ts";
import type { EffectRow, TaskRow } from "../engine/ports/store-rows.ts";
import type { JournalWrite, TurnRows } from "../engine/ports/turn-rows.ts";

/** A row of a task at a revision. */
export function makeTask(id: string, rev: number, more: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    root: id,
    parent: null,
    name: id,
    kind: "install",
    appId: "shop",
    hookId: null,
    target: null,
    claim: null,
    machine: "install",
    version: 1,
    rev,
    snapshot: JSON.stringify({ rev }),
    facts: { state: "RUNNING", label: id, title: id, steps: [], commands: [], progress: rev, marks: [], revision: rev },
    created: 1,
    updated: rev,
    crashCount: 0,
    silent: null,
    quarantine: null,
    ...more,
  };
}

/** A turn that writes one row. */
export function turn(store: Store, row: TaskRow, more: Partial<TurnRows> = {}): TurnRows {
  const view = {
    id: row.id,
    kind: "install",
    appId: row.appId,
    ...row.facts,
    checkpoints: [],
    remarks: [],
    created: "",
    updated: "",
  } as const;
  return {
    epoch: store.opened.epoch,
    at: row.rev,
    tasks: [{ expectedRev: row.rev - 1, row }],
    log: [
      {
        at: 1,
        root: row.root,
        taskId: row.id,
        rev: row.rev,
        type: "task.updated",
        event: { type: "x" },
        digest: "",
        task: view,
      },
    ],
    consumed: null,
    effects: [],
    cancelled: [],
    timers: [],
    cleared: [],
    mail: [],
    ...more,
  };
}

/** An effect a turn intends. */
export function makeEffect(taskId: string, rev: number): EffectRow {
  const id = `${taskId}:${rev}.0`;
  return { id, taskId, name: "work", params: { rev }, state: "intent", note: null, intendedAt: rev };
}

/** An entry of the journal of the effect `makeEffect(taskId, 1)`. */
export function makeEntry(taskId: string, seq: number, more: Partial<JournalWrite["row"]> = {}): JournalWrite {
  const row = { seq, text: `["step",${seq}]`, bytes: Uint8Array.of(seq), bodies: [], digest: `digest ${seq}`, ...more };
  return { effectId: `${taskId}:1.0`, taskId, at: seq, row, lines: [`line ${seq}`] };
}
