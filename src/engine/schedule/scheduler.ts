/**
 * Begins upgrades by themselves, in the windows of the policies.
 *
 * Invariants:
 * 1. A window begins at most one task: the task bears its mark from the turn it begins with, and is looked for before
 *    another is begun.
 * 2. A window is done once its task has begun, nothing was there to upgrade, or it passed and is not wanted late; until
 *    then it is tried again every minute.
 */
import { EngineError } from "../../core/codes/problems.ts";
import { findLastTime } from "../../core/schedule/cron.ts";
import type { Actor } from "../audit/actor.ts";
import type { MethodDeps } from "../methods/deps.ts";
import { upgradeAll } from "../methods/upgrade/upgrade-all.ts";
import type { Store } from "../ports/store.ts";
import { keepDone, listSchedules, type Schedule } from "./policies.ts";
import { readTimeZone } from "./time-zone.ts";

const MINUTE_MS = 60_000;
/** How long a window stays open where its policy does not say. */
const WINDOW_MINUTES = 60;

const SCHEDULE: Actor = { id: "schedule", name: "the upgrade schedule", how: "schedule" };

/** Looks every minute, as long as a policy wants it, whether a window has opened. */
export class UpgradeScheduler {
  readonly #deps: MethodDeps;
  #isLooking = false;
  #isClosed = false;
  #cancel = (): void => {};

  constructor(deps: MethodDeps) {
    this.#deps = deps;
  }

  /** Goes on where the last life was. Of an older copy nobody knows which windows were done: none is late in it. */
  begin(): void {
    const { store, clock } = this.#deps;
    if (store.opened.rolledBack) for (const { id } of listSchedules(store)) keepDone(store, id, clock.now());
    this.look();
  }

  /** Looks now, and every minute from then on. */
  look(): void {
    if (this.#isLooking || this.#isClosed) return;
    this.#cancel();
    this.#isLooking = true;
    const began = this.#deps.clock.now();
    void this.#beginDue()
      .catch((error: unknown) => this.#tell(error))
      .then(() => {
        this.#isLooking = false;
        this.#lookAgain(began);
      })
      .catch((error: unknown) => this.#tell(error));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  /** In the minute after the last look: at once where that has come meanwhile. */
  #lookAgain(last: number): void {
    const { store, clock } = this.#deps;
    if (this.#isClosed || listSchedules(store).length === 0) return;
    const now = clock.now();
    const due = last - (last % MINUTE_MS) + MINUTE_MS;
    // A clock that was set back by hours is not waited for.
    const wait = Math.min(due - now, MINUTE_MS);
    if (wait <= 0) this.look();
    else this.#cancel = clock.after(wait, () => this.look());
  }

  async #beginDue(): Promise<void> {
    const { store, clock } = this.#deps;
    if (listSchedules(store).length === 0) return;
    const timeZone = await readTimeZone(this.#deps);
    for (const schedule of listSchedules(store)) {
      const now = clock.now();
      const opened = findLastTime(schedule.policy.cron, timeZone, now);
      if (opened === null || opened <= schedule.done || this.#isClosed) continue;
      const isOver = now >= opened + (schedule.policy.minutes ?? WINDOW_MINUTES) * MINUTE_MS;
      if (isOver && schedule.policy.late !== true) keepDone(store, schedule.id, opened);
      else await this.#begin(schedule, opened);
    }
  }

  async #begin({ id, request }: Schedule, opened: number): Promise<void> {
    const { store } = this.#deps;
    const mark = `scheduled: ${id} ${new Date(opened).toISOString()}`;
    try {
      if (!wasBegun(store, mark, opened))
        await upgradeAll({ ...this.#deps, deed: { actor: SCHEDULE, method: "upgradeAll" } }, request, [mark]);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (error.code !== "HOST_UPGRADE_NONE") return this.#tell(error);
    }
    keepDone(store, id, opened);
  }

  #tell(error: unknown): void {
    if (!this.#isClosed) this.#deps.logger.warn({ error }, "a scheduled upgrade was not begun, and is tried again");
  }
}

/** Whether an earlier life has begun the task, and died before it noted so. */
function wasBegun(store: Pick<Store, "rootTrees">, mark: string, since: number): boolean {
  return store.rootTrees({ since }).some(([root]) => root.kind === "upgrade-all" && root.facts.marks.includes(mark));
}
