/**
 * The timers poller: stored deadlines become deliveries.
 *
 * Invariants:
 * 1. Within one life a timer is measured with the monotonic clock: a step of the wall clock neither fires nor starves it.
 * 2. At boot what remains is clamped to `[0, delay]`; an `active` timer goes on where the last life left it.
 * 3. One sleep at a time, at most 60 s, and none without timers.
 */
import type { Clock } from "../ports/environment.ts";
import type { TimerRow } from "../ports/store-rows.ts";

const LONGEST_SLEEP_MS = 60_000;

export interface TimersOptions {
  readonly clock: Clock;
  /** A timer is due. It must be taken at once or kept by the receiver: the poller forgets it. */
  readonly fire: (timer: TimerRow) => void;
  /** Called at each waking while an `active` timer runs, with the time in UTC ms. */
  readonly heartbeat: (at: number) => void;
}

/** The timers of one life. */
export class Timers {
  readonly #options: TimersOptions;
  /** By key; `due` in monotonic ms. */
  readonly #waiting = new Map<string, { readonly row: TimerRow; readonly due: number }>();
  #wakeAt = Number.POSITIVE_INFINITY;
  #cancelSleep: () => void = () => {};

  constructor(options: TimersOptions) {
    this.#options = options;
  }

  /** Takes over what a turn set. */
  set(rows: readonly TimerRow[]): void {
    for (const row of rows) this.#add(row, row.delay);
  }

  clear(keys: readonly { readonly taskId: string; readonly id: string }[]): void {
    for (const timer of keys) this.#waiting.delete(toKey(timer));
  }

  /**
   * Takes over what an earlier life left; the rows to store in their place (`active` timers get a new due time, and with
   * `allStoodStill` all of them).
   */
  resume(rows: readonly TimerRow[], lastAlive: number | null, allStoodStill = false): readonly TimerRow[] {
    const now = this.#options.clock.now();
    return rows.flatMap((row) => {
      const stoodStill = row.active || allStoodStill;
      const since = stoodStill ? (lastAlive ?? now) : now;
      const remaining = Math.min(row.delay, Math.max(0, row.dueAt - since));
      const moved = { ...row, dueAt: now + remaining };
      this.#add(stoodStill ? moved : row, remaining);
      return stoodStill ? [moved] : [];
    });
  }

  stop(): void {
    this.#cancelSleep();
    this.#waiting.clear();
    this.#wakeAt = Number.POSITIVE_INFINITY;
  }

  #add(row: TimerRow, remaining: number): void {
    const due = this.#options.clock.monotonic() + remaining;
    this.#waiting.set(toKey(row), { row, due });
    if (due < this.#wakeAt) this.#sleep();
  }

  #sleep(): void {
    const { clock } = this.#options;
    this.#cancelSleep();
    this.#wakeAt = Number.POSITIVE_INFINITY;
    for (const { due } of this.#waiting.values()) this.#wakeAt = Math.min(this.#wakeAt, due);
    if (this.#waiting.size === 0) return;
    const ms = Math.min(LONGEST_SLEEP_MS, Math.max(0, this.#wakeAt - clock.monotonic()));
    this.#wakeAt = clock.monotonic() + ms;
    this.#cancelSleep = clock.after(ms, () => this.#wake());
  }

  #wake(): void {
    const { clock, fire, heartbeat } = this.#options;
    const now = clock.monotonic();
    const due = [...this.#waiting.values()].filter((timer) => timer.due <= now).sort((a, b) => a.due - b.due);
    for (const { row } of due) this.#waiting.delete(toKey(row));
    if ([...this.#waiting.values()].some(({ row }) => row.active)) heartbeat(clock.now());
    for (const { row } of due) fire(row);
    this.#sleep();
  }
}

function toKey(timer: { readonly taskId: string; readonly id: string }): string {
  return JSON.stringify([timer.taskId, timer.id]);
}
