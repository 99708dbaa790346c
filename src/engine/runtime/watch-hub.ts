/**
 * `watch(fromSeq)`: every committed change in order, from any number on.
 *
 * Invariants:
 * 1. Between replay and live nothing is lost or doubled: a watcher is a cursor, and both are read by the same rule.
 * 2. A slow watcher costs no memory: it holds a number, and reads the store where the shared recent entries end.
 */
import type { EngineEvent } from "../api.ts";
import type { Store } from "../ports/store.ts";
import type { LoggedRow } from "../ports/store-rows.ts";
import type { NameOf } from "../surfaces/name-apps.ts";
import { viewEvent } from "./views.ts";

/** Entries shared by watchers that keep up; each may show two hundred checkpoints. */
const RECENT = 64;
const PAGE = 32;

/** The watchers of one store. */
export class WatchHub {
  readonly #store: Pick<Store, "lastSeq" | "logAfter">;
  readonly #view: (row: LoggedRow) => EngineEvent;
  readonly #sleepers = new Set<() => void>();
  /** The number each watcher was told last. */
  readonly #told = new Map<symbol, number>();
  #recent: EngineEvent[] = [];
  #closed = false;

  constructor(store: Pick<Store, "lastSeq" | "logAfter">, nameOf?: NameOf) {
    this.#store = store;
    this.#view = (row) => viewEvent(row, nameOf);
  }

  /** Makes committed entries visible to every watcher. */
  publish(logged: readonly LoggedRow[]): void {
    if (logged.length === 0) return;
    this.#recent.push(...logged.map(this.#view));
    if (this.#recent.length > 2 * RECENT) this.#recent = this.#recent.slice(-RECENT);
    this.#wakeAll();
  }

  /** Watchers there are, and how many entries the slowest has yet to be told. */
  load(): { readonly watchers: number; readonly lag: number } {
    const last = this.#store.lastSeq();
    return { watchers: this.#told.size, lag: Math.max(0, ...[...this.#told.values()].map((seq) => last - seq)) };
  }

  async *watch(fromSeq: number, signal?: AbortSignal): AsyncGenerator<EngineEvent, void, undefined> {
    const watcher = Symbol("watcher");
    let seq = fromSeq;
    let wake = () => {};
    const stop = () => wake();
    const isStopped = () => signal?.aborted === true;
    signal?.addEventListener("abort", stop);
    this.#told.set(watcher, seq);
    try {
      while (!isStopped()) {
        const events = this.#after(seq);
        for (const event of events) {
          seq = event.seq;
          yield event;
          this.#told.set(watcher, seq);
          if (isStopped()) return;
        }
        if (events.length > 0) continue;
        if (this.#closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          this.#sleepers.add(wake);
        });
        this.#sleepers.delete(wake);
      }
    } finally {
      this.#told.delete(watcher);
      this.#sleepers.delete(wake);
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Ends every watcher after what is committed was told. */
  close(): void {
    this.#closed = true;
    this.#wakeAll();
  }

  #after(seq: number): readonly EngineEvent[] {
    const first = this.#recent[0];
    if (first !== undefined && seq >= first.seq - 1) {
      return this.#recent.slice(this.#recent.findLastIndex((event) => event.seq <= seq) + 1);
    }
    return this.#closed ? [] : this.#store.logAfter(seq, PAGE).map(this.#view);
  }

  #wakeAll(): void {
    for (const wake of this.#sleepers) wake();
  }
}
