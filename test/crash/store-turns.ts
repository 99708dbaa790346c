import type { Store } from "../../src/engine/ports/store.ts";
import type { TaskRow } from "../../src/engine/ports/store-rows.ts";
import type { TurnRows } from "../../src/engine/ports/turn-rows.ts";

/** A turn of task "t", by its number from 1. */
export function turnOf(store: Store, rev: number): TurnRows {
  const facts = { state: "RUNNING", label: "t", progress: 0, marks: [], revision: 1 } as const;
  const row: TaskRow = {
    id: "t",
    root: "t",
    parent: null,
    name: "t",
    kind: "install",
    appId: "shop",
    hookId: null,
    target: null,
    claim: null,
    machine: "install",
    version: 1,
    rev,
    snapshot: JSON.stringify({ rev, filled: "x".repeat(4_000) }),
    facts,
    created: 1,
    updated: rev,
    crashCount: 0,
    silent: null,
    quarantine: null,
  };
  const task = {
    id: "t",
    kind: "install",
    appId: "shop",
    ...facts,
    checkpoints: [],
    created: "",
    updated: "",
  } as const;
  return {
    epoch: store.opened.epoch,
    at: rev,
    tasks: [{ expectedRev: rev - 1, row }],
    log: [{ at: rev, root: "t", taskId: "t", rev, type: "task.updated", event: { type: "x" }, digest: "", task }],
    consumed: null,
    effects: [],
    cancelled: [],
    timers: [],
    cleared: [],
    mail: [],
  };
}
