/** The way a turn went: from the state before it, by its event, through others that needed none. */
import type { Chart } from "./chart.ts";
import { findBeginning, type Hop, listAlways, listTaken, toHops } from "./routes.ts";

/**
 * The hops of a turn whose states are known, in order; those nothing in the drawing explains are left out. `from` is null
 * for the first turn.
 */
export function explainStates(
  chart: Chart,
  from: string | null,
  cause: string,
  entered: readonly string[],
): readonly Hop[] {
  let at = from;
  let first = true;
  const hops: Hop[] = [];
  for (const leaf of entered) {
    const byEvent = first && at !== null ? toHops(chart, listTaken(chart, at, cause)) : [];
    const ways = at === null ? [] : [...byEvent, ...listAlways(chart, at)];
    const hop = ways.find((way) => way.leaf === leaf);
    if (hop !== undefined) hops.push(hop);
    at = leaf;
    first = false;
  }
  return hops;
}

/**
 * The states a turn entered, in order, where only the one it ended in is known: the shortest way through states that need
 * no event. Null where the drawing has none.
 */
export function findStates(chart: Chart, from: string | null, cause: string, to: string): readonly string[] | null {
  const beginnings = listBeginnings(chart, from, cause);
  const seen = new Set<string>();
  let ways = beginnings;
  while (ways.length > 0) {
    const found = ways.find((way) => (way.at(-1) ?? from) === to);
    if (found !== undefined) return found.filter((leaf, index) => leaf !== (index === 0 ? from : found[index - 1]));
    ways = ways.flatMap((way) => {
      const at = way.at(-1) ?? from;
      if (at === null || seen.has(at)) return [];
      seen.add(at);
      return listAlways(chart, at).map(({ leaf }) => [...way, leaf]);
    });
  }
  return null;
}

/** The ways after the event itself: into a state, or none where it stays. */
function listBeginnings(chart: Chart, from: string | null, cause: string): readonly (readonly string[])[] {
  if (from === null) {
    const first = findBeginning(chart);
    return first === null ? [] : [[first]];
  }
  const taken = listTaken(chart, from, cause);
  const isSure = taken.at(-1)?.guard === undefined && taken.length > 0;
  const stays = !isSure || taken.some(({ to }) => to === null);
  return [...(stays ? [[]] : []), ...toHops(chart, taken).map(({ leaf }) => [leaf])];
}
