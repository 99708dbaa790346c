/** How long a thread computes without a moment for other work, in CPU: the same on a busy machine as on an idle one. */

/** Watches this thread from `start` on; `stop` answers the longest stretch, in ms of its CPU. */
export function watchHeld(): { start(): void; stop(): number } {
  let longest = 0;
  let before = 0;
  let next: NodeJS.Immediate | undefined;
  const look = (): void => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
    next = setImmediate(look);
  };
  return {
    start() {
      before = cpuMs();
      next ??= setImmediate(look);
    },
    stop() {
      clearImmediate(next);
      return longest;
    },
  };
}

/** CPU this thread has used so far, in ms. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
