import type Database from "better-sqlite3";
import { UNFINISHED } from "./reads.ts";

const AT_ONCE = 10;

/**
 * Retention: a tree that has ended long ago keeps its tasks and nothing else (`Store.pruneEndedTasks`). A tree that still has its
 * plan has not been pruned; one with an unfinished task or an open effect is never.
 */
export function preparePruneEndedTasks(db: Database.Database): (keep: number) => number {
  const ended = db
    .prepare<[number], string>(
      `SELECT root.id FROM plans JOIN tasks AS root ON root.id = plans.root
        WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.root = root.id AND ${UNFINISHED})
          AND NOT EXISTS (
            SELECT 1 FROM tasks JOIN effects ON effects.task = tasks.id
              WHERE tasks.root = root.id AND effects.state = 'intent')
        ORDER BY root.updated DESC, root.n DESC LIMIT ${AT_ONCE} OFFSET ?`,
    )
    .pluck();
  const ofTree = "task IN (SELECT id FROM tasks WHERE root = ?)";
  const deletions = [
    `DELETE FROM log WHERE ${ofTree} AND seq < (SELECT max(seq) FROM log)`,
    `DELETE FROM log_parts WHERE ${ofTree} AND seq < (SELECT max(seq) FROM log)`,
    `DELETE FROM effects WHERE ${ofTree}`,
    `DELETE FROM hook_log WHERE ${ofTree}`,
    "DELETE FROM vault WHERE root = ?",
    "DELETE FROM plans WHERE root = ?",
  ].map((sql) => db.prepare<[string]>(sql));
  const scripts = db.prepare(
    "DELETE FROM scripts WHERE NOT EXISTS (SELECT 1 FROM plans WHERE instr(plan, scripts.sha256) > 0)",
  );
  return db.transaction((keep: number) => {
    const roots = ended.all(keep);
    for (const root of roots) for (const deletion of deletions) deletion.run(root);
    if (roots.length > 0) scripts.run();
    return roots.length;
  }).immediate;
}
