/**
 * `watch(fromSeq)`: every committed change in order, from any number on.
 *
 * Invariants:
 * 1. Between replay and live nothing is lost or doubled: a watcher is a cursor, and both are read by the same rule.
 * 2. A slow watcher costs no memory: it holds a number, and reads the store where the shared recent entries end.
 */
import type { EngineEvent } from "../api.ts";
import type { LoggedRow, Store } from "../ports/store.ts";
import { viewEvent } from "./views.ts";

/** Entries shared by watchers that keep up; each may show two hundred checkpoints. */
const RECENT = 64;
const PAGE = 32;

export interface WatchHub {
  /** Makes committed entries visible to every watcher. */
  publish(logged: readonly LoggedRow[]): void;
  watch(fromSeq: number, signal?: AbortSignal): AsyncIterable<EngineEvent>;
  /** Ends every watcher after what is committed was told. */
  close(): void;
}

export function createWatchHub(store: Pick<Store, "logAfter">): WatchHub {
  const sleepers = new Set<() => void>();
  let recent: EngineEvent[] = [];
  let closed = false;

  function after(seq: number): readonly EngineEvent[] {
    const first = recent[0];
    if (first !== undefined && seq >= first.seq - 1) {
      return recent.slice(recent.findLastIndex((event) => event.seq <= seq) + 1);
    }
    return closed ? [] : store.logAfter(seq, PAGE).map(viewEvent);
  }

  function wakeAll(): void {
    for (const wake of sleepers) wake();
  }

  return {
    publish(logged) {
      if (logged.length === 0) return;
      recent.push(...logged.map(viewEvent));
      if (recent.length > 2 * RECENT) recent = recent.slice(-RECENT);
      wakeAll();
    },
    async *watch(fromSeq, signal) {
      let seq = fromSeq;
      let wake = () => {};
      const stop = () => wake();
      const stopped = () => signal?.aborted === true;
      signal?.addEventListener("abort", stop);
      try {
        while (!stopped()) {
          const events = after(seq);
          for (const event of events) {
            seq = event.seq;
            yield event;
            if (stopped()) return;
          }
          if (events.length > 0) continue;
          if (closed) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
            sleepers.add(wake);
          });
          sleepers.delete(wake);
        }
      } finally {
        sleepers.delete(wake);
        signal?.removeEventListener("abort", stop);
      }
    },
    close() {
      closed = true;
      wakeAll();
    },
  };
}
