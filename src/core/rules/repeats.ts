/** An entry that is equal to one before it. */
export interface Repeat {
  readonly index: number;
  /** Index of the first of the equal entries. */
  readonly first: number;
}

/** The entries that stand in a list before; `undefined` is equal to nothing. */
export function findRepeats(entries: readonly (string | undefined)[]): readonly Repeat[] {
  const firsts = new Map<string, number>();
  const repeats: Repeat[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry === undefined) continue;
    const first = firsts.get(entry);
    if (first === undefined) firsts.set(entry, index);
    else repeats.push({ index, first });
  }
  return repeats;
}
