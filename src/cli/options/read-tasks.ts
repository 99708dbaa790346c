/** Tasks read from the rows of a database, also while its owner is at work on them. */
import { openReader } from "../../adapters/store-sqlite/open-store.ts";
import { viewTree } from "../../engine/runtime/views.ts";
import type { TaskService } from "./task-service.ts";

/** The tasks of a database that nobody has to own. */
export type TaskReader = Pick<TaskService, "tasks" | "task">;

/** Opens a database for reading; nothing is created, no host is asked. Throws `STORE_*`. */
export function openTaskReader(file: string): TaskReader & { close(): void } {
  const store = openReader(file);
  return {
    tasks: async (filter) => store.roots(filter).map((row) => viewTree(row, store.tree(row.id))),
    async task(id) {
      const row = store.task(id);
      return row === null || row.kind === "checkpoint" ? null : viewTree(row, store.tree(row.id));
    },
    close: () => store.close(),
  };
}
