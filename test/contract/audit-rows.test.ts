import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { prepareKeepAudit, prepareReadAudit } from "../../src/adapters/store-sqlite/audit-rows.ts";
import { applyMigrations } from "../../src/adapters/store-sqlite/opening/migrate.ts";
import { MIGRATIONS } from "../../src/adapters/store-sqlite/schema.ts";

test("refused deeds push none that was done out of the list", () => {
  const db = new Database(":memory:");
  applyMigrations(db, MIGRATIONS);
  const keep = prepareKeepAudit(db, { done: 3, refused: 2 });
  const actor = { id: "u", name: "U", how: "API" } as const;
  const add = (at: number, refused: "TASK_UNKNOWN" | null) =>
    keep({ at, actor, method: "cancel", appId: null, taskId: null, refused });
  for (const at of [1, 2, 3, 4]) add(at, null);
  for (const at of [5, 6, 7, 8]) add(at, "TASK_UNKNOWN");
  const read = prepareReadAudit(db);
  expect(read({ limit: 10 }).map(({ at }) => at)).toEqual([8, 7, 4, 3, 2]);
  add(9, null);
  expect(read({ limit: 10 }).map(({ at, number }) => [at, number])).toEqual([9, 8, 7, 4, 3].map((at) => [at, at]));
  db.close();
});
