/** Trees of tasks as a real database has kept them, written to another one under new names. */
import type { StoreReads } from "../../src/adapters/store-sqlite/reads.ts";
import type { Json } from "../../src/core/json/json.ts";
import type { Deed } from "../../src/engine/audit/deed.ts";
import { readLeftApp } from "../../src/engine/drift/left-app.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import type { EffectRow, LogRow, TaskRow } from "../../src/engine/ports/store-rows.ts";
import type { StartedRows } from "../../src/engine/ports/turn-rows.ts";
import { createEmptyTurn } from "../../src/engine/runtime/turn/turn.ts";
import { CHOICES, INPUT_RANDOMS } from "../../src/engine/vault/kept-choices.ts";

/** What an app keeps of its tasks. */
const SETTINGS = [...CHOICES, INPUT_RANDOMS, "changedBy"];

/** Everything a store keeps of one tree. */
export interface PlayedTree {
  readonly root: string;
  readonly appId: string;
  readonly tasks: readonly TaskRow[];
  readonly log: readonly LogRow[];
  readonly effects: readonly EffectRow[];
  readonly started: StartedRows;
  readonly lines: readonly { readonly taskId: string; readonly lines: readonly string[] }[];
  /** Of its app. */
  readonly settings: Readonly<Record<string, Json>>;
}

export interface PlayedAs {
  readonly number: number;
  /** UTC ms. */
  readonly at: number;
  readonly deed: Deed;
}

/** Every tree of the database that has ended and was not pruned. */
export function readTrees(reads: StoreReads): readonly PlayedTree[] {
  const unfinished = new Set(reads.unfinished().map(({ root }) => root));
  return reads.rootTrees().flatMap(([{ root, appId }]) => {
    const plan = reads.plan(root);
    if (plan === null || unfinished.has(root)) return [];
    const tasks = reads.tree(root);
    return {
      root,
      appId,
      tasks,
      log: tasks.flatMap(({ id }) => reads.taskLog(id)).toSorted((a, b) => a.seq - b.seq),
      effects: tasks.flatMap(({ id }) => reads.effectsOf(id)),
      started: { plan, secrets: reads.secrets(root) satisfies Readonly<Record<string, Json>> },
      lines: tasks.map(({ id }) => ({ taskId: id, lines: reads.hookLog(id, 1_000).map(({ line }) => line) })),
      settings: Object.fromEntries(SETTINGS.map((key) => [key, reads.setting(appId, key)])),
    };
  });
}

/** Writes the tree again under another name, with the deed that began it, and what a look for drift keeps after it. */
export function playTree(store: Store, tree: PlayedTree, { number, at, deed }: PlayedAs): void {
  const root = `played${String(number).padStart(14, "0")}`;
  const text = JSON.stringify(tree).replaceAll(tree.root, root);
  const { appId, tasks, log, effects, started, lines, settings }: PlayedTree = JSON.parse(text);
  store.commit({
    ...createEmptyTurn({ epoch: store.opened.epoch, now: at }),
    tasks: tasks.map((row) => ({ expectedRev: 0, row: { ...row, created: at, updated: at } })),
    log,
    effects,
    started,
    audit: { ...deed, at, appId, taskId: root, refused: null },
  });
  for (const { taskId, lines: said } of lines) if (said.length > 0) store.appendHookLog(taskId, at, said);
  store.keepSettings(appId, settings);
  readLeftApp(store, appId);
}
