import type Database from "better-sqlite3";
import { TASK_STATES } from "../../core/task-states.ts";
import type { Store } from "../../engine/ports/store.ts";
import type { RootTree, ShownRow } from "../../engine/ports/store-rows.ts";
import { type ShownRecord, toShownRow } from "./records.ts";

/**
 * A page of root tasks with all that is under them, in one read. The roots are found in `tasks_roots` alone, which holds
 * every column asked about: a filter that few of ten thousand roots fit reads no row of the others, unless it has words.
 */
export function prepareRootTrees(db: Database.Database): Store["rootTrees"] {
  const rows = db.prepare<[Parameters], ShownRecord>(
    `WITH page AS MATERIALIZED (
      SELECT n FROM tasks INDEXED BY tasks_roots
        WHERE parent IS NULL
          AND (:before IS NULL OR n < (SELECT n FROM tasks WHERE id = :before AND parent IS NULL))
          AND (:app IS NULL OR app_id = :app)
          AND state IN (SELECT value FROM json_each(:states))
          AND updated >= :since
          AND (:words IS NULL OR NOT EXISTS (
            SELECT 1 FROM json_each(:words)
              WHERE instr(lower(app_id || ' ' || json_extract(facts, '$.title')), lower(value)) = 0))
        ORDER BY n DESC LIMIT :limit)
    SELECT id, root, parent, name, kind, app_id, hook_id, rev, facts, created, updated, quarantine FROM tasks
      WHERE root IN (SELECT id FROM page JOIN tasks USING (n)) ORDER BY n`,
  );
  return ({ words = [], appId, states, since, before, limit } = {}) =>
    groupTrees(
      rows
        .all({
          words: words.length === 0 ? null : JSON.stringify(words),
          app: appId ?? null,
          states: JSON.stringify(states ?? TASK_STATES),
          since: since ?? 0,
          before: before ?? null,
          limit: limit ?? -1,
        })
        .map(toShownRow),
    );
}

interface Parameters {
  /** JSON list; null: any. */
  readonly words: string | null;
  readonly app: string | null;
  /** JSON list. */
  readonly states: string;
  readonly since: number;
  readonly before: string | null;
  /** -1: no limit. */
  readonly limit: number;
}

/** Rows in order of creation as trees, the newest first. A root is older than what is under it. */
function groupTrees(rows: readonly ShownRow[]): readonly RootTree[] {
  const trees = new Map<string, [ShownRow, ...ShownRow[]]>();
  for (const row of rows) {
    const tree = trees.get(row.root);
    if (tree === undefined) trees.set(row.root, [row]);
    else tree.push(row);
  }
  return [...trees.values()].reverse();
}
