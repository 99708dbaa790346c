import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { makeTask, turn } from "../../../src/contract/store-rows.ts";
import { createRetention } from "../../../src/engine/runtime/turn/retention.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { useStoreFolder } from "../../support/store-folder.ts";

const folder = useStoreFolder();

test("as many trees are kept whole as were asked for, and what goes makes room for what comes", () => {
  const store = folder.open();
  const retention = createRetention(store, SILENT_LOGGER, { trees: 5 });
  const end = (id: string, updated: number): void => {
    const task = makeTask(id, 1, { updated });
    const rows = turn(store, { ...task, facts: { ...task.facts, state: "COMPLETED" } });
    store.commit({ ...rows, started: { plan: { id, filling: randomBytes(20_000).toString("hex") } } });
    retention.note(rows);
    retention.prune();
  };
  const sizes = [0, 20, 40].map((first) => {
    for (let n = first; n < first + 20; n += 1) end(`t${n}`, n);
    store.eraseDeleted();
    return statSync(folder.file).size;
  });
  const whole = Array.from({ length: 60 }, (_, n) => n).filter((n) => store.plan(`t${n}`) !== null);
  expect(whole).toEqual([55, 56, 57, 58, 59]);
  expect(store.task("t0")).toMatchObject({ facts: { state: "COMPLETED" } });
  // 40 more plans of 40 KB each went through it
  expect((sizes[2] ?? 0) - (sizes[0] ?? 0)).toBeLessThan(200_000);
});
