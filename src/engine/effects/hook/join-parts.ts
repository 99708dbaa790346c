import { setImmediate as nextTick } from "node:timers/promises";
import type { JournalRow, StoredJournal } from "../../../../sandbox/journal/row.ts";

/**
 * A journal of its parts, each read from the row behind the last one on, also where one before it is missing; the thread
 * has other work in between.
 */
export async function joinParts(readFrom: (row: number) => Promise<StoredJournal>): Promise<StoredJournal> {
  const rows: JournalRow[] = [];
  for (;;) {
    const part = await readFrom((rows.at(-1)?.seq ?? -1) + 1);
    if (part.rows.length === 0) return { rows, head: part.head };
    for (const row of part.rows) rows.push(row);
    await nextTick();
  }
}
