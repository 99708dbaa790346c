import { afterAll, expect, test } from "vitest";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import { createWorkbench } from "../workbench.ts";

const bench = createWorkbench(false);
afterAll(() => bench[Symbol.asyncDispose]());

const code = `export async function run(ctx) {
  await ctx.registerCheckpoints(["a"]);
  ctx.log("over");
  return 7;
}`;

test("a run that died between its script's end and its own ends the same, each of 30 times", async () => {
  const first = new MemoryJournal();
  const before = await bench.run({ code, journal: first });
  const { rows } = first.read();
  expect(rows.at(-1)?.text).toContain('"done":true');
  // what the child says behind its end may come with it or later
  for (let life = 0; life < 30; life++) {
    const journal = new MemoryJournal({}, rows);
    const { outcome, calls } = await bench.run({ code, journal });
    expect(outcome).toMatchObject({ status: "completed", result: 7 });
    expect(calls).toEqual([]);
    expect(journal.wentOnAt).toHaveLength(1);
  }
  expect(before.outcome).toMatchObject({ status: "completed", result: 7 });
});
