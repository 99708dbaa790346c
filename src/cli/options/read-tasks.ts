/** Tasks read from the rows of a database, also while its owner is at work on them. */
import { setTimeout as delay } from "node:timers/promises";
import { openReader } from "../../adapters/store-sqlite/open-store.ts";
import type { StoreReads } from "../../adapters/store-sqlite/reads.ts";
import type { EngineEvent } from "../../engine/api.ts";
import { readAudit } from "../../engine/audit/read-audit.ts";
import { listNotifications } from "../../engine/methods/notifications.ts";
import { listTasks } from "../../engine/methods/read-tasks.ts";
import { AuditRange, readRequest, TaskFilter } from "../../engine/requests.ts";
import { viewEvent, viewTree } from "../../engine/runtime/views.ts";
import type { TaskService } from "./task-service.ts";

/** Ms between two looks at a database another process writes to. */
const LOOK_EVERY_MS = 300;
/** Changes read at once. */
const PAGE = 32;

/** The tasks of a database that nobody has to own. */
export type TaskReader = Pick<TaskService, "tasks" | "task" | "changes" | "notifications" | "audit">;

/** Opens a database for reading; nothing is created, no host is asked. Throws `STORE_*`. */
export function openTaskReader(file: string): TaskReader & { close(): void } {
  const store = openReader(file);
  return {
    async tasks(filter) {
      // The number first: what its owner writes between the two reads is told once more, and not missed.
      const seq = store.lastSeq();
      return { tasks: listTasks(store, readRequest(TaskFilter, filter)), seq };
    },
    async task(id) {
      const row = store.task(id);
      return row === null || row.kind === "checkpoint" ? null : viewTree(row, store.tree(row.id));
    },
    notifications: async (unread) => listNotifications(store, { unread }),
    audit: async (range) => readAudit(store, readRequest(AuditRange, range)),
    changes: (fromSeq, signal) => followLog(store, fromSeq, signal),
    close: () => store.close(),
  };
}

/** Every change after `fromSeq`, also those another process commits meanwhile, until the signal aborts. */
export async function* followLog(
  store: Pick<StoreReads, "logAfter">,
  fromSeq: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<EngineEvent, void, undefined> {
  let seq = fromSeq;
  const isStopped = () => signal?.aborted === true;
  while (!isStopped()) {
    const rows = store.logAfter(seq, PAGE);
    for (const row of rows) {
      seq = row.seq;
      yield viewEvent(row);
      if (isStopped()) return;
    }
    if (rows.length === 0) await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
