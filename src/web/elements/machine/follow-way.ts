/** A machine's history on its drawing: where it stood after each entry, what it passed and which lines it took. */
import type { Chart } from "./chart.ts";
import { explainStates } from "./find-way.ts";

/** One entry of a history, of a trace or of a recording. */
export interface WayEntry {
  /** Number in the log; of a recording that of the line. */
  readonly seq: number;
  /** ISO 8601 UTC; a recording has none. */
  readonly at?: string | undefined;
  /** The event, as the log names it. */
  readonly cause: string;
  /** Why it came to nothing. */
  readonly reason?: string | undefined;
  /** Innermost states it entered; absent where nobody knows, or where it was no turn. */
  readonly states?: readonly string[] | undefined;
}

/** A drawing's marks after some entries of a history. */
export interface WayMarks {
  /** The innermost state; null before the first. */
  readonly present: string | null;
  /** By path of an entered state the numbers of its entries, counted over the whole way. */
  readonly orders: ReadonlyMap<string, readonly number[]>;
  /** The lines taken, as `nameLine` has them. */
  readonly lines: ReadonlySet<string>;
  /** When the present state was entered; absent in a recording. */
  readonly since?: string;
}

/** The key of a line of the drawing. */
export function nameLine({ from, to }: { readonly from: string; readonly to: string | null }): string {
  return `${from} to ${to}`;
}

/** Marks the way up to and with the entry at `until`; `active` is known to be the present state of the last one. */
export function followWay(chart: Chart, entries: readonly WayEntry[], until: number, active?: string): WayMarks {
  let present: string | null = null;
  let since: string | undefined;
  let order = 0;
  const orders = new Map<string, readonly number[]>();
  const lines = new Set<string>();
  for (const { at, cause, states = [] } of entries.slice(0, until + 1)) {
    for (const { transition } of explainStates(chart, present, cause, states)) lines.add(nameLine(transition));
    for (const path of states) {
      order += 1;
      orders.set(path, [...(orders.get(path) ?? []), order]);
    }
    const last = states.at(-1);
    if (last !== undefined) [present, since] = [last, at];
  }
  if (active !== undefined && until >= entries.length - 1 && active !== present) [present, since] = [active, undefined];
  return { present, orders, lines, ...(since !== undefined && { since }) };
}
