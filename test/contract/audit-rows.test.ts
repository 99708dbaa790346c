import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { applyMigrations } from "../../src/adapters/store-sqlite/opening/migrate.ts";
import { prepareKeepAudit, prepareReadAudit } from "../../src/adapters/store-sqlite/rows/audit-rows.ts";
import { MIGRATIONS } from "../../src/adapters/store-sqlite/schema.ts";
import type { AuditMethod } from "../../src/engine/api.ts";

test("deeds that cost nothing push no other one out of the list", () => {
  const db = new Database(":memory:");
  applyMigrations(db, MIGRATIONS);
  const keep = prepareKeepAudit(db, { done: 3, revealed: 1, light: 1, refused: 2 }, 1);
  const actor = { id: "u", name: "U", how: "API" } as const;
  const add = (at: number, refused: "TASK_UNKNOWN" | null, method: AuditMethod = "cancel") =>
    keep({ at, actor, method, appId: null, taskId: null, refused });
  for (const at of [1, 2, 3, 4]) add(at, null);
  for (const at of [5, 6, 7, 8]) add(at, "TASK_UNKNOWN");
  const read = prepareReadAudit(db);
  expect(read({ limit: 10 }).map(({ at }) => at)).toEqual([8, 7, 4, 3, 2]);
  add(9, null);
  expect(read({ limit: 10 }).map(({ at, number }) => [at, number])).toEqual([9, 8, 7, 4, 3].map((at) => [at, at]));
  for (const at of [10, 11, 12]) add(at, null, "revealAnswer");
  expect(read({ limit: 10 }).map(({ at }) => at)).toEqual([12, 9, 8, 7, 4, 3]);
  for (const at of [13, 14]) add(at, null, "readNotifications");
  expect(read({ limit: 10 }).map(({ at }) => at)).toEqual([14, 12, 9, 8, 7, 4, 3]);
  db.close();
});

test("what is beyond those that are kept goes at every so many deeds, of each kind", () => {
  const db = new Database(":memory:");
  applyMigrations(db, MIGRATIONS);
  const keep = prepareKeepAudit(db, { done: 2, revealed: 1, light: 1, refused: 1 }, 4);
  const actor = { id: "u", name: "U", how: "API" } as const;
  const add = (at: number, refused: "TASK_UNKNOWN" | null) =>
    keep({ at, actor, method: "cancel", appId: null, taskId: null, refused });
  const kept = () => prepareReadAudit(db)({ limit: 10 }).map(({ at }) => at);
  for (const at of [1, 2, 3]) add(at, null);
  expect(kept()).toEqual([3, 2, 1]);
  add(4, "TASK_UNKNOWN");
  expect(kept()).toEqual([4, 3, 2]);
  for (const at of [5, 6, 7]) add(at, "TASK_UNKNOWN");
  add(8, null);
  expect(kept()).toEqual([8, 7, 3]);
  db.close();
});
