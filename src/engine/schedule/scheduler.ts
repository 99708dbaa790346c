/**
 * Begins upgrades by themselves, in the windows of the policies.
 *
 * Invariants:
 * 1. A window begins at most one task: the task bears its mark from the turn it begins with, and is looked for before
 *    another is begun.
 * 2. A window is done once its task has begun, nothing was there to upgrade, or it passed and is not wanted late; until
 *    then it is tried again every minute. One that is made up for is done with the first answer: nobody said how long it is
 *    open.
 * 3. Between reading a policy, and beginning or noting what it wants, nothing is waited for.
 */
import { isDeepStrictEqual } from "node:util";
import { findLastTime } from "../../core/schedule/cron.ts";
import type { Actor } from "../audit/actor.ts";
import type { MethodDeps } from "../methods/deps.ts";
import { findUpgrades, leaveOutTaken, type UpgradesOfMany } from "../methods/upgrade/find-upgrades.ts";
import { createNoneError, findFreeClaim, startUpgrades } from "../methods/upgrade/start-upgrades.ts";
import type { Store } from "../ports/store.ts";
import { runOneAtATime } from "../system/one-at-a-time.ts";
import { ALL, keepDone, listSchedules, type Schedule } from "./policies.ts";
import { readTimeZone } from "./time-zone.ts";
import { WindowLog } from "./window-log.ts";
import { hasPassed, joinRequests, pickOwn, toMark, type Window } from "./windows.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const SCHEDULE: Actor = { id: "schedule", name: "the upgrade schedule", how: "schedule" };

/** Looks every minute, as long as a policy wants it, whether a window has opened. */
export class UpgradeScheduler {
  readonly #deps: MethodDeps;
  readonly #log: WindowLog;
  #isCopy: boolean;
  readonly #lookAnew = runOneAtATime(() => this.#beginDue());
  #isClosed = false;
  #cancel = (): void => {};

  constructor(deps: MethodDeps) {
    this.#deps = deps;
    this.#log = new WindowLog(deps.logger);
    this.#isCopy = deps.store.opened.rolledBack;
  }

  /** Looks now, or once the look under way has ended; and every minute from then on. */
  look(): void {
    if (this.#isClosed) return;
    const { clock } = this.#deps;
    this.#cancel();
    this.#cancel = clock.after(MINUTE_MS - (clock.now() % MINUTE_MS), () => this.look());
    void this.#lookAnew().catch((error: unknown) => this.#tell([{ id: ALL }], error));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #beginDue(): Promise<void> {
    const { store } = this.#deps;
    if (listSchedules(store).length === 0) return this.#cancel();
    this.#leaveCopyAlone();
    const timeZone = await readTimeZone(this.#deps);
    const due = this.#listDue(timeZone);
    if (due.length === 0) return;
    try {
      findFreeClaim(this.#deps);
      const found = await findUpgrades(this.#deps, joinRequests(due));
      // A policy that was changed meanwhile is looked at anew.
      const same = this.#listDue(timeZone).filter((one) => due.some((other) => isDeepStrictEqual(one, other)));
      this.#begin(same, leaveOutTaken(store, found));
    } catch (error) {
      this.#tell(due, error);
    }
  }

  /** What a look meets while the engine closes is no fault. */
  #tell(about: readonly { readonly id: string; readonly opened?: number }[], error: unknown): void {
    if (!this.#isClosed) for (const one of about) this.#log.tell(one, error);
  }

  /** Of an older copy nobody knows which windows were done: none is late in it. */
  #leaveCopyAlone(): void {
    const { store, clock } = this.#deps;
    if (this.#isCopy) for (const { id } of listSchedules(store)) keepDone(store, id, clock.now());
    this.#isCopy = false;
  }

  /** The windows to begin now; those that were begun or missed are done. */
  #listDue(timeZone: string): readonly Window[] {
    if (this.#isClosed) return [];
    return listSchedules(this.#deps.store).flatMap((schedule) => {
      try {
        return this.#findDue(schedule, timeZone) ?? [];
      } catch (error) {
        this.#log.tell(schedule, error);
        return [];
      }
    });
  }

  #findDue(schedule: Schedule, timeZone: string): Window | null {
    const { store, clock } = this.#deps;
    const now = clock.now();
    // The clock was ahead: windows count from now on.
    if (schedule.done > now) keepDone(store, schedule.id, now);
    const opened = findLastTime(schedule.policy.cron, timeZone, now);
    if (opened === null || opened <= schedule.done) return null;
    const window = { ...schedule, opened };
    const isBegun = wasBegun(store, window);
    const isMissed = hasPassed(window, now) && schedule.policy.late !== true;
    if (!isBegun && !isMissed) return window;
    if (!isBegun) this.#log.tellMissed(window);
    keepDone(store, schedule.id, opened);
    return null;
  }

  /** Begins one task for all windows that have something to upgrade; one whose apps were all left out stays open for its time. */
  #begin(windows: readonly Window[], found: UpgradesOfMany): void {
    const { store, clock } = this.#deps;
    const begun = windows.filter((window) => pickOwn(window, found.upgrades).length > 0);
    for (const window of windows.filter((one) => !begun.includes(one))) {
      // An app that is gone has nothing to upgrade.
      const leftOut = pickOwn(window, found.leftOut).filter(({ code }) => code !== "TASK_APP_NOT_INSTALLED");
      const isOver = hasPassed(window, clock.now());
      if (leftOut.length > 0) this.#log.tell(window, createNoneError(leftOut), { isOver });
      if (leftOut.length === 0 || isOver) keepDone(store, window.id, window.opened);
    }
    if (begun.length === 0) return;
    const own = {
      upgrades: found.upgrades.filter((one) => begun.some((window) => pickOwn(window, [one]).length > 0)),
      leftOut: begun.flatMap((window) => pickOwn(window, found.leftOut)),
    };
    const deps = { ...this.#deps, deed: { actor: SCHEDULE, method: "upgradeAll" as const } };
    startUpgrades(deps, own, { ...joinRequests(begun), marks: begun.map(toMark) });
    for (const { id, opened } of begun) keepDone(store, id, opened);
  }
}

/** Whether the task was begun before: by an earlier life that died before it noted so, or by a clock that was ahead. */
function wasBegun(store: Pick<Store, "rootTrees">, window: Window): boolean {
  // No app is theirs. When one changed last may be before its window, by a clock that was set back.
  const roots = store.rootTrees({ appId: "", since: window.opened - DAY_MS });
  return roots.some(([root]) => root.kind === "upgrade-all" && root.facts.marks.includes(toMark(window)));
}
