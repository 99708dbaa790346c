/** Reads the lines of a log in pages, newer ones and older ones. */
import { call, pathOf } from "../../api/client.ts";
import type { Log } from "../../api/types.ts";
import { showLine } from "../../ui/format/show-unseen.ts";

export type LogLine = Log["lines"][number];

/** Lines known of a log, oldest first, without a gap. */
export interface KnownLines {
  readonly lines: readonly LogLine[];
  /** Whether older ones are kept. */
  readonly hasOlder: boolean;
}

/** Lines asked for at once. */
const PAGE = 100;
/** Most lines that are shown: as many as the engine keeps. */
const MOST = 1_000;

/** How a page of lines is asked for: the newest, or those before a number. */
export type ReadPage = (before: number | undefined) => Promise<Log>;

/** Asks the engine for pages of a task's log. */
export function readLog(api: string, task: string, signal: AbortSignal): ReadPage {
  return (before) => call<Log>(api, `${pathOf("tasks", task)}/log`, { query: { before, limit: PAGE }, signal });
}

/**
 * Reads what was written since: pages from the newest back to what is known. Where more than that was dropped meanwhile, or
 * the log was begun anew, what is known no longer counts.
 */
export async function readNewer(known: KnownLines, read: ReadPage): Promise<KnownLines> {
  const newest = known.lines.at(-1);
  const found: LogLine[] = [];
  for (let before: number | undefined; ; ) {
    const { lines, next } = await read(before);
    const fresh = lines.filter(({ number }) => newest === undefined || number > newest.number);
    found.unshift(...fresh);
    if (newest === undefined || next === undefined || fresh.length < lines.length) {
      const goesOn = newest !== undefined && (fresh.length < lines.length || found[0]?.number === newest.number + 1);
      if (!goesOn) return keepNewest(found, next !== undefined);
      return found.length === 0 ? known : keepNewest([...known.lines, ...found], known.hasOlder);
    }
    before = next;
  }
}

/** Reads a page of lines older than those known. */
export async function readOlder(known: KnownLines, read: ReadPage): Promise<KnownLines> {
  const { lines, next } = await read(known.lines[0]?.number);
  return keepNewest([...lines, ...known.lines], next !== undefined);
}

/** Whatever is older than the lines kept here the engine drops as well. */
function keepNewest(lines: readonly LogLine[], hasOlder: boolean): KnownLines {
  return lines.length > MOST ? { lines: lines.slice(-MOST), hasOlder: false } : { lines, hasOlder };
}

/** The lines as a text file: time and line, one a row, of which nothing steers the terminal it is shown in. */
export function writeLog(lines: readonly LogLine[]): string {
  return lines.map(({ at, line }) => `${at} ${showLine(line)}\n`).join("");
}
