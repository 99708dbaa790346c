/** Runs a piece of work when fewer than the limit are running; waiting pieces go in the order they came. */
export type CallLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a limit of at most `most` pieces of work at a time. */
export function createCallLimit(most: number): CallLimit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // The piece that ends hands its place to the first that waits, so none can slip in between.
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
