/**
 * `watchHints`: what is worth reading anew, beside the log of changes.
 *
 * Invariants:
 * 1. Hints are not kept: whoever does not watch at that moment never gets them, and lists anew when it comes.
 * 2. The same thing is told to a watcher at most once in `HINT_PAUSE_MS`.
 * 3. A slow watcher costs bounded memory: beyond `HINT_LIMIT` waiting hints it is told `hints.lost` in their place.
 */
import type { EngineHint } from "../api.ts";
import type { Clock } from "../ports/environment.ts";
import { addHint, type WaitingHints } from "./waiting-hints.ts";

/** Ms hints are collected before they are told. */
export const HINT_PAUSE_MS = 250;

interface Inbox {
  waiting: WaitingHints;
  wake: () => void;
}

/** The watchers of one engine's hints. */
export class HintHub {
  readonly #clock: Pick<Clock, "after">;
  readonly #inboxes = new Set<Inbox>();
  readonly #onWatched: (isWatched: boolean) => void;
  #collected: WaitingHints = new Map();
  #stopTimer: (() => void) | null = null;
  #closed = false;

  /** `onWatched` is told when the first watcher comes, and when the last one has gone. */
  constructor(clock: Pick<Clock, "after">, onWatched: (isWatched: boolean) => void = () => {}) {
    this.#clock = clock;
    this.#onWatched = onWatched;
  }

  tell(hint: EngineHint): void {
    if (this.#closed || this.#inboxes.size === 0) return;
    addHint(this.#collected, hint);
    this.#stopTimer ??= this.#clock.after(HINT_PAUSE_MS, () => this.#deliver());
  }

  /** Whoever watches is told from its first question on. */
  async *watch(signal?: AbortSignal): AsyncGenerator<EngineHint, void, undefined> {
    const inbox: Inbox = { waiting: new Map(), wake: () => {} };
    const isStopped = () => this.#closed || signal?.aborted === true;
    const stop = () => inbox.wake();
    if (isStopped()) return;
    signal?.addEventListener("abort", stop);
    this.#inboxes.add(inbox);
    if (this.#inboxes.size === 1) this.#onWatched(true);
    try {
      while (!isStopped()) {
        const hints = inbox.waiting;
        inbox.waiting = new Map();
        for (const hint of hints.values()) {
          yield hint;
          if (isStopped()) return;
        }
        if (inbox.waiting.size > 0) continue;
        await new Promise<void>((resolve) => {
          inbox.wake = resolve;
        });
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#inboxes.delete(inbox);
      if (this.#inboxes.size === 0 && !this.#closed) this.#onWatched(false);
    }
  }

  /** Ends every watcher. */
  close(): void {
    this.#closed = true;
    this.#stopTimer?.();
    for (const { wake } of this.#inboxes) wake();
  }

  #deliver(): void {
    const hints = this.#collected;
    this.#collected = new Map();
    this.#stopTimer = null;
    for (const inbox of this.#inboxes) {
      for (const hint of hints.values()) addHint(inbox.waiting, hint);
      inbox.wake();
    }
  }
}
