/** Trees of tasks as a real database has kept them, written to another one under new names. */
import type { StoreReads } from "../../src/adapters/store-sqlite/reads.ts";
import type { Json } from "../../src/core/json/json.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import type { EffectRow, LogRow, TaskRow } from "../../src/engine/ports/store-rows.ts";
import type { StartedRows } from "../../src/engine/ports/turn-rows.ts";
import { createEmptyTurn } from "../../src/engine/runtime/turn/turn.ts";

/** Everything a store keeps of one tree. */
export interface PlayedTree {
  readonly root: string;
  readonly tasks: readonly TaskRow[];
  readonly log: readonly LogRow[];
  readonly effects: readonly EffectRow[];
  readonly started: StartedRows;
  readonly lines: readonly { readonly taskId: string; readonly lines: readonly string[] }[];
}

/** Every tree of the database that has ended and was not pruned. */
export function readTrees(reads: StoreReads): readonly PlayedTree[] {
  const unfinished = new Set(reads.unfinished().map(({ root }) => root));
  return reads.rootTrees().flatMap(([{ root }]) => {
    const plan = reads.plan(root);
    if (plan === null || unfinished.has(root)) return [];
    const tasks = reads.tree(root);
    return {
      root,
      tasks,
      log: tasks.flatMap(({ id }) => reads.taskLog(id)).toSorted((a, b) => a.seq - b.seq),
      effects: tasks.flatMap(({ id }) => reads.effectsOf(id)),
      started: { plan, secrets: reads.secrets(root) satisfies Readonly<Record<string, Json>> },
      lines: tasks.map(({ id }) => ({ taskId: id, lines: reads.hookLog(id, 1_000).map(({ line }) => line) })),
    };
  });
}

/** Writes the tree again as the `number`th one. */
export function playTree(store: Store, tree: PlayedTree, number: number): void {
  const text = JSON.stringify(tree).replaceAll(tree.root, `played${String(number).padStart(14, "0")}`);
  const { tasks, log, effects, started, lines }: PlayedTree = JSON.parse(text);
  const now = number;
  store.commit({
    ...createEmptyTurn({ epoch: store.opened.epoch, now }),
    tasks: tasks.map((row) => ({ expectedRev: 0, row: { ...row, updated: now } })),
    log,
    effects,
    started,
  });
  for (const { taskId, lines: said } of lines) if (said.length > 0) store.appendHookLog(taskId, now, said);
}
