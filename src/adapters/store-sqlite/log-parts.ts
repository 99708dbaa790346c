/**
 * The parts a log entry shows that may be long and changes seldom, the failure, the checkpoints of a hook and the steps of a
 * lifecycle, kept once per change: an entry that held them all made the log grow with the square of what a script reports.
 */
import type Database from "better-sqlite3";
import type { LogRow } from "../../engine/ports/store-rows.ts";
import { prepareInsert } from "./insert.ts";

type Shown = LogRow["task"];

/** A part as it was last: 0 is the failure, the others are the checkpoints, or the steps, in order. */
interface PartRecord {
  readonly part: number;
  /** JSON; `null` where there is none. */
  readonly value: string;
}

const NONE = "null";

/** The parts of log entries. */
export interface LogParts {
  /** Keeps the parts that differ from those of the entry before, and answers the text of the rest. */
  write(seq: number, shown: Shown): string;
  /** The shown task of the entry of this number, from the text of the rest. */
  read(seq: number, text: string): Shown;
}

/** Prepares both; `write` belongs into the transaction that writes the entry. */
export function prepareLogParts(db: Database.Database): LogParts {
  // beside max(), SQLite answers the other columns of the row that has the maximum
  const partsAt = db.prepare<[{ readonly task: string; readonly seq: number }], PartRecord>(
    "SELECT part, value, max(seq) FROM log_parts WHERE task = :task AND seq <= :seq GROUP BY part ORDER BY part",
  );
  const insert = prepareInsert<PartRecord & { task: string; seq: number }>(db, "INSERT INTO log_parts", "n");

  return {
    write(seq, shown) {
      const { failure, checkpoints, steps, ...rest } = shown;
      const values = [failure ?? null, ...(hasCheckpoints(shown) ? checkpoints : steps)].map((part) =>
        JSON.stringify(part),
      );
      const before = new Map(partsAt.all({ task: shown.id, seq }).map(({ part, value }) => [part, value]));
      for (const part of new Set([...before.keys(), ...values.keys()])) {
        const value = values[part] ?? NONE;
        if (value !== (before.get(part) ?? NONE)) insert.run({ task: shown.id, part, seq, value });
      }
      return JSON.stringify({ ...rest, checkpoints: [], steps: [] });
    },
    read(seq, text) {
      const shown: Shown = JSON.parse(text);
      let { failure } = shown;
      const checkpoints: Shown["checkpoints"][number][] = [];
      const steps: Shown["steps"][number][] = [];
      for (const { part, value } of partsAt.all({ task: shown.id, seq })) {
        if (value === NONE) continue;
        if (part === 0) failure = JSON.parse(value);
        else if (hasCheckpoints(shown)) checkpoints.push(JSON.parse(value));
        else steps.push(JSON.parse(value));
      }
      return { ...shown, ...(failure && { failure }), checkpoints, steps };
    },
  };
}

function hasCheckpoints({ kind }: Shown): boolean {
  return kind === "hook" || kind === "link";
}
