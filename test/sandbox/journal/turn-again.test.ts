import { afterAll, expect, test } from "vitest";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import type { JournalRow } from "../../../sandbox/journal/row.ts";
import { createWorkbench } from "../workbench.ts";

const bench = createWorkbench(false);
afterAll(() => bench[Symbol.asyncDispose]());

/** Its one turn is on the disk in part: what was asked, without an end. */
const code = `export async function run(ctx) {
  const first = crypto.randomUUID();
  for (const until = Number(ctx.inputs.rounds), s = { n: 0 }; s.n < until; s.n++) Math.sqrt(s.n);
  const second = crypto.randomUUID();
  await ctx.registerCheckpoints(["after"]);
  return [first, second];
}`;
const context = { inputs: { rounds: 3_000_000 } };

test("a turn that had asked and not ended asks the rest only, in every later life", async () => {
  const first = new MemoryJournal();
  await bench.run({ code, context, journal: first });
  const { rows } = first.read();
  const at = rows.findIndex(({ text }) => text.includes('"answer"'));
  const inTurn: readonly JournalRow[] = rows.slice(0, at + 1);
  expect(inTurn.at(-1)?.text).not.toContain('"turn"');
  const second = new MemoryJournal({}, inTurn);
  const { outcome } = await bench.run({ code, context, journal: second });
  expect(outcome).toMatchObject({ status: "completed", result: [expect.any(String), expect.any(String)] });
  const third = new MemoryJournal({}, second.read().rows);
  expect((await bench.run({ code, context, journal: third })).outcome).toMatchObject({
    status: "completed",
    result: outcome.status === "completed" ? outcome.result : null,
  });
});
