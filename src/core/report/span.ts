/** Where a secret stands in a text: the place behind it too. */
export type Span = readonly [start: number, end: number];
