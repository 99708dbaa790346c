/** Large journals: the engine has its turn for other work while one is read. */
import { setImmediate as nextTick } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { MemoryJournal } from "../../../sandbox/journal/memory-journal.ts";
import type { JournalRecord } from "../../../sandbox/journal/record.ts";
import { type JournalRow, type StoredJournal, sealRows } from "../../../sandbox/journal/row.ts";
import { begin, ended, sandbox } from "./kept-runs.ts";

afterAll(() => sandbox.close());

const ROWS = 250;
const ROW_BYTES = 80 * 1024;

/** A journal of 20 MB: so many requests, each made when the one before was answered. */
function writeLarge(): StoredJournal {
  const calls = (id: number): JournalRecord => ({
    is: "turn",
    calls: id > ROWS ? [] : [{ id, class: "read", hash: null }],
    lines: 0,
  });
  const made = { script: "", guest: "", node: "" };
  const start: JournalRecord = { is: "start", format: 1, entrypoint: "run", seed: "seed", context: null, made };
  const ok = { text: "a".repeat(ROW_BYTES) };
  const rows = Array.from({ length: ROWS + 1 }, (_, id): readonly JournalRecord[] => [
    id === 0 ? start : { is: "outcome", id, ok },
    { is: "delivery", id, now: id },
    calls(id + 1),
  ]);
  return sealRows(
    rows.map((records) => ({
      text: JSON.stringify({ at: 0, ranMs: 0, running: true, used: {}, records }),
      bytes: new Uint8Array(),
      bodies: [],
    })),
  );
}

/** A row that tells when its text is read. */
function watchRow(row: JournalRow, read: () => void): JournalRow {
  return {
    ...row,
    get text() {
      read();
      return row.text;
    },
  };
}

test("a journal of 20 MB is read a few ms at a stretch, and one that is damaged at its end ends in nothing live", async () => {
  const { rows, head } = writeLarge();
  const last = rows.at(-1);
  if (last === undefined) throw new Error("the journal is empty");
  const damaged = rows.with(-1, { ...last, text: last.text.replace("aaa", "aba") });
  let ticks = 0;
  let isOver = false;
  const turnLoop = async (): Promise<void> => {
    while (!isOver) {
      ticks += 1;
      await nextTick();
    }
  };
  const readAt = new Set<number>();
  class Large extends MemoryJournal {
    override read(): StoredJournal {
      return { rows: damaged.map((row) => watchRow(row, () => readAt.add(ticks))), head };
    }
  }
  void turnLoop();
  const run = await begin("await fetch(ctx.baseUrl);", new Large());
  expect(await ended(run)).toMatchObject({
    status: "failed",
    reason: "replay_diverged",
    message: expect.stringContaining(`row ${ROWS} is not what was written`),
  });
  isOver = true;
  expect(readAt.size).toBeGreaterThan(3);
});
