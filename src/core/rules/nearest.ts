/**
 * The word of a set an author most plausibly meant: the fewest edits (insert, delete, replace, swap of neighbours;
 * letter case counts nothing), at most a third of the word's length. undefined when none is that near.
 */
export function findNearest(word: string, words: readonly string[]): string | undefined {
  // Longer than any key we know: no typing error, and the table below would be large.
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of words) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase(), fewest);
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** The first of some words that is at most `edits` edits away, letter case counting nothing. */
export function findWithin(word: string, words: readonly string[], edits: number): string | undefined {
  if (word.length > 64) return undefined;
  return words.find((other) => editDistance(word.toLowerCase(), other.toLowerCase(), edits + 1) <= edits);
}

/** Optimal string alignment distance, or `limit` when it is not below that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = readCell(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let edits = Math.min(replaced, readCell(last, j) + 1, readCell(row, j - 1) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, readCell(beforeLast, j - 2) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return readCell(last, b.length);
}

function readCell(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
