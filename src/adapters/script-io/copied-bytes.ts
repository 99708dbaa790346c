/** Bounds the bytes of databases that are copied: of one run, each try counted, and of all runs until they end. */

/** Most bytes all runs of an engine have copied at a time. */
const ALL_BYTES = 4 * 1024 * 1024 * 1024;

/** The copies of one run. */
export interface CopyBudget {
  /** Most bytes it may copy in all. */
  readonly most: number;
  /** Takes so many bytes; false where they are not allowed, and then nothing is taken. */
  take(bytes: number): boolean;
  /** Gives everything back: the run's copies are gone. */
  close(): void;
}

/** The copies of every run of an engine. */
export class CopiedBytes {
  #left = ALL_BYTES;

  /** Begins a run that may copy `most` bytes in all. */
  openRun(most: number): CopyBudget {
    let taken = 0;
    return {
      most,
      take: (bytes) => {
        if (taken + bytes > most || bytes > this.#left) return false;
        taken += bytes;
        this.#left -= bytes;
        return true;
      },
      close: () => {
        this.#left += taken;
        taken = 0;
      },
    };
  }
}
