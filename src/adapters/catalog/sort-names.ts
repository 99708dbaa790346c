/** Sorts names an author chose: as many as a directory holds and as alike as he likes, which takes seconds at a stretch. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { compareText } from "../../core/script/parse/place-problems.ts";

/** Names that are sorted or merged in one turn of the event loop: a few ms. */
const STRETCH = 2_000;

/** The names in the order of `compareText`; the engine's thread is left to others in between. */
export async function sortNames(names: readonly string[]): Promise<string[]> {
  let runs: string[][] = [];
  for (let from = 0; from < names.length; from += STRETCH) {
    runs.push(names.slice(from, from + STRETCH).sort(compareText));
    await nextTurn();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergeRuns(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeRuns(left: readonly string[], right: readonly string[]): Promise<string[]> {
  const merged: string[] = [];
  for (let fromLeft = 0, fromRight = 0; merged.length < left.length + right.length; ) {
    const [one, other] = [left[fromLeft], right[fromRight]];
    const isLeft = other === undefined || (one !== undefined && compareText(one, other) <= 0);
    merged.push((isLeft ? one : other) ?? "");
    if (isLeft) fromLeft += 1;
    else fromRight += 1;
    if (merged.length % STRETCH === 0) await nextTurn();
  }
  return merged;
}
