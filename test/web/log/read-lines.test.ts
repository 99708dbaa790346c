/** The pages of a log put together: nothing is missing, nothing comes twice, whatever is written meanwhile. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Log } from "../../../src/web/api/types.ts";
import { type KnownLines, readNewer, readOlder, writeLog } from "../../../src/web/elements/log/read-lines.ts";

/** A log as the engine keeps one: the newest `kept` lines, read in pages. */
function keepLog(kept: number, page: number) {
  const all: Log["lines"][number][] = [];
  return {
    all,
    write(count: number) {
      for (let each = 0; each < count; each += 1) {
        const number = (all.at(-1)?.number ?? 0) + 1;
        all.push({ number, at: new Date(number).toISOString(), line: `line ${number}` });
      }
      all.splice(0, Math.max(0, all.length - kept));
    },
    read: async (before: number | undefined): Promise<Log> => {
      const older = all.filter(({ number }) => before === undefined || number < before);
      const lines = older.slice(-page);
      const oldest = lines[0]?.number;
      return { lines, ...(oldest !== undefined && older.length > lines.length && { next: oldest }) };
    },
  };
}

const NONE: KnownLines = { lines: [], hasOlder: false };
const numbers = ({ lines }: KnownLines) => lines.map(({ number }) => number);

test("looks at a growing log again and again see every line that is kept, once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 5, max: 30 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
      async (page, kept, writes) => {
        const log = keepLog(kept, page);
        let known = NONE;
        for (const count of writes) {
          log.write(count);
          known = await readNewer(known, log.read);
          const seen = numbers(known);
          const [first = 1] = seen;
          expect(seen).toEqual(seen.map((_, index) => first + index));
          expect(seen.at(-1)).toBe(log.all.at(-1)?.number);
        }
        while (known.hasOlder) known = await readOlder(known, log.read);
        expect(numbers(known).slice(-log.all.length)).toEqual(log.all.map(({ number }) => number));
      },
    ),
  );
});

test("a log nothing was written to since stays the same object", async () => {
  const log = keepLog(100, 10);
  log.write(25);
  const known = await readNewer(NONE, log.read);
  expect([numbers(known).length, known.hasOlder]).toEqual([10, true]);
  expect(await readNewer(known, log.read)).toBe(known);
});

test("a log that is read for long has the newest 1,000 lines, as the engine does", async () => {
  const log = keepLog(1_000, 100);
  log.write(900);
  let known = await readNewer(NONE, log.read);
  while (known.hasOlder) known = await readOlder(known, log.read);
  log.write(300);
  known = await readNewer(known, log.read);
  expect([numbers(known)[0], numbers(known).at(-1), known.hasOlder]).toEqual([201, 1_200, false]);
});

test("as a file each line has its time, and nothing that steers a terminal", () => {
  expect(writeLog([{ number: 1, at: "2026-01-01T00:00:00.000Z", line: "a\t\u001b[2Jb" }])).toBe(
    "2026-01-01T00:00:00.000Z a\t\u241b[2Jb\n",
  );
});
