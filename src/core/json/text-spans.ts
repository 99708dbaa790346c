/** Line and column of ranges of a text. */

/** Line and column 1-based, column and length in UTF-16 units. */
export interface Span {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A range of the text, in UTF-16 units. */
export interface TextRange {
  readonly offset: number;
  readonly length: number;
}

/** Line and column of ranges of the text, all found in one pass. */
export function locateSpans(text: string, ranges: readonly TextRange[]): Span[] {
  return ranges.map(createSpanReader(text));
}

export function createSpanReader(text: string): (token: TextRange) => Span {
  const starts = findLineStarts(text);
  return ({ offset, length }) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1, length };
  };
}

/** The offset of each line of a text. */
export function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
