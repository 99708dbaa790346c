/** The names a rollback gives the clone until it is in its place, and the dataset that was there before. */
export function nameSwap(dataset: string, stamp: string): { readonly clone: string; readonly aside: string } {
  return { clone: `${dataset}-restored-${stamp}`, aside: `${dataset}-before-${stamp}` };
}
