/**
 * Has something run once at a time. A call is answered by the end of a run that began after it: the one under way may
 * have looked already, so that all who ask meanwhile wait for the one after it.
 */
export function runOneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    running = run().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return begin();
    const next = () => {
      queued = null;
      return begin();
    };
    queued ??= running.then(next, next);
    return queued;
  };
}
