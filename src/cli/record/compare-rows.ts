/** What a recording changes in a fake that is there. Pure. */
import type { AppAnswer, AppTable } from "../../standin/apps/answers.ts";

/** A fake and what is new in it, or gone from it. */
export interface ComparedFake {
  readonly fake: AppTable;
  readonly added: readonly AppAnswer[];
  readonly removed: readonly AppAnswer[];
}

/** Puts recorded rows in the place of those for the same requests; all others stay, behind them. */
export function compareRows(before: AppTable, recorded: readonly AppAnswer[]): ComparedFake {
  const asked = new Set(recorded.map(toKey));
  const kept = before.answers.filter((row) => !asked.has(toKey(row)));
  const answers = [...recorded, ...kept];
  return {
    fake: { ...before, answers },
    added: subtract(answers, before.answers),
    removed: subtract(before.answers, answers),
  };
}

function toKey({ method = "", path }: AppAnswer): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Rows of one list that the other has not, or not as often. */
function subtract(rows: readonly AppAnswer[], others: readonly AppAnswer[]): readonly AppAnswer[] {
  const left = others.map(toText);
  return rows.filter((row) => {
    const at = left.indexOf(toText(row));
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

/** The same for the same row, in whatever order its members stand. */
function toText({ method, path, status, headers, body, delayMs, times }: AppAnswer): string {
  return JSON.stringify([method, path, status, headers, body, delayMs, times]);
}
