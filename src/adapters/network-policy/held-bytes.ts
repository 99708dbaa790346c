/**
 * Bounds the bytes the engine holds of responses whose scripts have not taken them yet. A response that finds no room
 * is not read on: its socket stands still.
 *
 * Invariants:
 * 1. A run holds at most 32 MB; all runs together hold at most 108 MB beyond the first MB of each, which is 128 MB with
 *    the 20 runs there are at once.
 * 2. The oldest unfinished response has room for all of itself once what is finished has been taken: nobody waits in a
 *    circle, and no run keeps another from small answers.
 */
const MB = 1024 * 1024;

/** Bytes. */
export const HELD = {
  /** Most a run holds. */
  run: 32 * MB,
  /** Most all runs hold beyond their `free` bytes. */
  all: 108 * MB,
  /** Of each run, whatever the others hold. */
  free: MB,
  /** Kept for the oldest unfinished response: the largest there can be. */
  oldest: 16 * MB,
} as const;

/** The responses of one run. */
export interface RunBytes {
  /** Bytes held now. */
  readonly bytes: number;
  /** Responses that wait for room. */
  readonly waiting: number;
  /** Begins a response. */
  open(): ResponseBytes;
  /** Gives everything back; what still waits is let go, and holds nothing. */
  close(): void;
}

/** One response. */
export interface ResponseBytes {
  /** Resolves once there is room for so many more bytes; rejects with the signal's reason. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  /** It is whole: no more bytes come. */
  finish(): void;
  /** Gives its bytes back. */
  release(): void;
}

interface Holder {
  readonly run: Run;
  bytes: number;
  /** The bytes it waits for. */
  wish: { readonly bytes: number; readonly grant: () => void } | null;
}

interface Run {
  bytes: number;
  closed: boolean;
}

/** The bytes of every run of an engine. */
export class HeldBytes {
  /** Beyond the free bytes of each run. */
  #beyond = 0;
  /** Unfinished responses, the oldest first. */
  readonly #unfinished = new Set<Holder>();

  /** Begins a run. */
  openRun(): RunBytes {
    const run: Run = { bytes: 0, closed: false };
    const unfinished = this.#unfinished;
    return {
      get bytes() {
        return run.bytes;
      },
      get waiting() {
        return [...unfinished].filter((holder) => holder.run === run && holder.wish !== null).length;
      },
      open: () => this.#open(run),
      close: () => {
        this.#add(run, -run.bytes);
        run.closed = true;
        for (const holder of unfinished) if (holder.run === run) this.#end(holder);
        this.#grant();
      },
    };
  }

  #open(run: Run): ResponseBytes {
    const holder: Holder = { run, bytes: 0, wish: null };
    this.#unfinished.add(holder);
    return {
      take: async (bytes, signal) => {
        signal.throwIfAborted();
        if (run.closed) return;
        if (this.#hasRoom(holder, bytes)) this.#give(holder, bytes);
        else await this.#wait(holder, bytes, signal);
      },
      finish: () => {
        this.#end(holder);
        this.#grant();
      },
      release: () => {
        this.#end(holder);
        if (!run.closed) this.#add(run, -holder.bytes);
        holder.bytes = 0;
        this.#grant();
      },
    };
  }

  async #wait(holder: Holder, bytes: number, signal: AbortSignal): Promise<void> {
    const granted = Promise.withResolvers<void>();
    const abort = (): void => {
      holder.wish = null;
      granted.reject(signal.reason);
    };
    holder.wish = { bytes, grant: granted.resolve };
    signal.addEventListener("abort", abort, { once: true });
    try {
      await granted.promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** No longer one of those that grow; a wish it had is let go. */
  #end(holder: Holder): void {
    this.#unfinished.delete(holder);
    const { wish } = holder;
    holder.wish = null;
    wish?.grant();
  }

  /** Whoever waits and has room now, the oldest first. */
  #grant(): void {
    for (const holder of this.#unfinished) {
      const { wish } = holder;
      if (wish === null || !this.#hasRoom(holder, wish.bytes)) continue;
      holder.wish = null;
      this.#give(holder, wish.bytes);
      wish.grant();
    }
  }

  #hasRoom(holder: Holder, bytes: number): boolean {
    const { run } = holder;
    const after = run.bytes + bytes;
    if (after > HELD.run - (this.#isOldest(holder, run) ? 0 : HELD.oldest)) return false;
    if (after <= HELD.free) return true;
    const beyond = this.#beyond + countBeyondFree(after) - countBeyondFree(run.bytes);
    return beyond <= HELD.all - (this.#isOldest(holder) ? 0 : HELD.oldest);
  }

  /** Of one run, or of all. */
  #isOldest(holder: Holder, run?: Run): boolean {
    for (const other of this.#unfinished) if (run === undefined || other.run === run) return other === holder;
    return false;
  }

  #give(holder: Holder, bytes: number): void {
    holder.bytes += bytes;
    this.#add(holder.run, bytes);
  }

  #add(run: Run, bytes: number): void {
    this.#beyond += countBeyondFree(run.bytes + bytes) - countBeyondFree(run.bytes);
    run.bytes += bytes;
  }
}

function countBeyondFree(bytes: number): number {
  return Math.max(0, bytes - HELD.free);
}
