import type Database from "better-sqlite3";
import { FINAL_STATES } from "../../core/task-states.ts";
import type { KeptPart } from "../../engine/ports/store.ts";
import { UNFINISHED } from "./reads.ts";
import { listInSql } from "./sql-list.ts";

/** No task of the tree under `root` is unfinished, and none has an open effect. */
const HAS_ENDED = `NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.root = root.id AND ${UNFINISHED})
  AND NOT EXISTS (
    SELECT 1 FROM tasks JOIN effects ON effects.task = tasks.id
      WHERE tasks.root = root.id AND effects.state = 'intent')`;
const OF_TREE = "task IN (SELECT id FROM tasks WHERE root = ?)";
// the newest entry stays: from it the numbers go on
const OLD_EVENTS = "seq < (SELECT max(seq) FROM log)";

/** Where the parts of a tree stand: trees that still have theirs, and what lets go of it. */
const PARTS: Readonly<Record<KeptPart, { readonly from: string; readonly deletions: readonly string[] }>> = {
  // a tree that still has its plan has not been pruned
  trees: {
    from: `plans JOIN tasks AS root ON root.id = plans.root WHERE ${HAS_ENDED}`,
    deletions: [
      `DELETE FROM log WHERE ${OF_TREE} AND ${OLD_EVENTS}`,
      `DELETE FROM log_parts WHERE ${OF_TREE} AND ${OLD_EVENTS}`,
      `DELETE FROM effects WHERE ${OF_TREE}`,
      `DELETE FROM hook_log WHERE ${OF_TREE}`,
      "DELETE FROM vault WHERE root = ?",
      "DELETE FROM plans WHERE root = ?",
    ],
  },
  events: {
    from: `plans JOIN tasks AS root ON root.id = plans.root WHERE ${HAS_ENDED} AND EXISTS (
      SELECT 1 FROM tasks JOIN log ON log.task = tasks.id WHERE tasks.root = root.id)`,
    deletions: [
      `DELETE FROM log WHERE ${OF_TREE} AND ${OLD_EVENTS}`,
      `DELETE FROM log_parts WHERE ${OF_TREE} AND ${OLD_EVENTS}`,
    ],
  },
  logs: {
    from: `plans JOIN tasks AS root ON root.id = plans.root WHERE ${HAS_ENDED} AND EXISTS (
      SELECT 1 FROM tasks JOIN hook_log ON hook_log.task = tasks.id WHERE tasks.root = root.id)`,
    deletions: [`DELETE FROM hook_log WHERE ${OF_TREE}`],
  },
  snapshots: {
    from: `tasks AS root WHERE root.parent IS NULL AND root.snapshot IS NOT NULL
      AND root.state IN (${listInSql(FINAL_STATES)}) AND ${HAS_ENDED}`,
    deletions: ["UPDATE tasks SET snapshot = NULL WHERE root = ?"],
  },
};

/** Retention (`Store.pruneEndedTasks`): the oldest first. */
export function preparePruneEndedTasks(db: Database.Database): (keep: number, part: KeptPart, most: number) => number {
  const prepared = Object.fromEntries(
    Object.entries(PARTS).map(([part, { from, deletions }]) => {
      const beyond = `SELECT root.id, root.updated, root.n FROM ${from} ORDER BY root.updated DESC, root.n DESC LIMIT -1 OFFSET ?`;
      const oldest = db.prepare<[number, number], string>(`SELECT id FROM (${beyond}) ORDER BY updated, n LIMIT ?`);
      return [part, { oldest: oldest.pluck(), deletions: deletions.map((sql) => db.prepare<[string]>(sql)) }];
    }),
  );
  const scripts = db.prepare(
    "DELETE FROM scripts WHERE NOT EXISTS (SELECT 1 FROM plans WHERE instr(plan, scripts.sha256) > 0)",
  );
  return db.transaction((keep: number, part: KeptPart, most: number) => {
    const { oldest, deletions } = prepared[part] ?? { deletions: [] };
    const pruned = (oldest?.all(keep, most) ?? []).filter(
      // of the tree with the newest entry nothing may be left to delete
      (root) => deletions.map((deletion) => deletion.run(root).changes).some((count) => count > 0),
    );
    if (pruned.length > 0 && part === "trees") scripts.run();
    return pruned.length;
  }).immediate;
}
