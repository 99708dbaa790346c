/**
 * The timers poller: stored deadlines become deliveries.
 *
 * Invariants:
 * 1. Within one life a timer is measured with the monotonic clock: a step of the wall clock neither fires nor starves it.
 * 2. At boot what remains is clamped to `[0, delay]`; an `active` timer goes on where the last life left it.
 * 3. One sleep at a time, at most 60 s, and none without timers.
 */
import type { Clock } from "../ports/environment.ts";
import type { TimerRow } from "../ports/store.ts";

const LONGEST_SLEEP_MS = 60_000;

export interface Timers {
  /** Takes over what a turn set. */
  set(rows: readonly TimerRow[]): void;
  clear(keys: readonly { readonly taskId: string; readonly id: string }[]): void;
  /** Takes over what an earlier life left; the rows to store in their place (`active` timers get a new due time). */
  resume(rows: readonly TimerRow[], lastAlive: number | null): readonly TimerRow[];
  stop(): void;
}

export interface TimersOptions {
  readonly clock: Clock;
  /** A timer is due. It must be taken at once or kept by the receiver: the poller forgets it. */
  readonly fire: (timer: TimerRow) => void;
  /** Called at each waking while an `active` timer runs, with the time in UTC ms. */
  readonly heartbeat: (at: number) => void;
}

export function createTimers({ clock, fire, heartbeat }: TimersOptions): Timers {
  const waiting = new Map<string, { readonly row: TimerRow; readonly due: number }>();
  let wakeAt = Number.POSITIVE_INFINITY;
  let cancelSleep: () => void = () => {};

  function add(row: TimerRow, remaining: number): void {
    const due = clock.monotonic() + remaining;
    waiting.set(key(row), { row, due });
    if (due < wakeAt) sleep();
  }

  function sleep(): void {
    cancelSleep();
    wakeAt = Number.POSITIVE_INFINITY;
    for (const { due } of waiting.values()) wakeAt = Math.min(wakeAt, due);
    if (waiting.size === 0) return;
    const ms = Math.min(LONGEST_SLEEP_MS, Math.max(0, wakeAt - clock.monotonic()));
    wakeAt = clock.monotonic() + ms;
    cancelSleep = clock.after(ms, wake);
  }

  function wake(): void {
    const now = clock.monotonic();
    const due = [...waiting.values()].filter((timer) => timer.due <= now).sort((a, b) => a.due - b.due);
    for (const { row } of due) waiting.delete(key(row));
    if ([...waiting.values()].some(({ row }) => row.active)) heartbeat(clock.now());
    for (const { row } of due) fire(row);
    sleep();
  }

  return {
    set(rows) {
      for (const row of rows) add(row, row.delay);
    },
    clear(keys) {
      for (const timer of keys) waiting.delete(key(timer));
    },
    resume(rows, lastAlive) {
      const now = clock.now();
      return rows.flatMap((row) => {
        const since = row.active ? (lastAlive ?? now) : now;
        const remaining = Math.min(row.delay, Math.max(0, row.dueAt - since));
        const moved = { ...row, dueAt: now + remaining };
        add(row.active ? moved : row, remaining);
        return row.active ? [moved] : [];
      });
    },
    stop() {
      cancelSleep();
      waiting.clear();
      wakeAt = Number.POSITIVE_INFINITY;
    },
  };
}

function key(timer: { readonly taskId: string; readonly id: string }): string {
  return JSON.stringify([timer.taskId, timer.id]);
}
