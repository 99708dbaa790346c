/**
 * When it is looked for what the host has otherwise than the engine left it: a moment after a start, a change of an app,
 * the end of a task or the host's return, and at an interval.
 *
 * Invariants:
 * 1. A look changes nothing on the host, asks one question at a time; there is one at a time, and it ends with the engine.
 * 2. About an app a task is at work on nothing is said: what was found before stays.
 * 3. A look that fails loses no finding.
 */
import { explain } from "../../core/codes/codes.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { hasEnded } from "../../core/task-states.ts";
import type { Drift, EngineEvent } from "../api.ts";
import type { Hints } from "../hints/hints.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Timing } from "../runtime/timing.ts";
import { type NameOf, nameApp } from "../surfaces/name-apps.ts";
import { runOneAtATime } from "../system/one-at-a-time.ts";
import { DriftLook, type LookDeps } from "./drift-look.ts";

/** Ms after which a look that failed is made again: nobody else may ask the host meanwhile. */
const AGAIN_MS = 60_000;
/**
 * Ms from a look to one that a change of an app brings, twice as long after each that finds nothing new: an app that
 * crashes and starts again changes all the time.
 */
const CHANGE_PAUSE_MS = 300_000;

interface DriftDeps extends LookDeps {
  readonly clock: Pick<Clock, "now" | "monotonic" | "after">;
  readonly logger: Logger;
  readonly timing: Pick<Timing, "driftEvery" | "driftSettle">;
  readonly hints: Pick<Hints, "tell">;
  /** Default: no name is known. */
  readonly nameOf?: NameOf;
  /** Changes of tasks from now on. */
  readonly changes: (signal: AbortSignal) => AsyncIterable<EngineEvent>;
}

/** Nothing is asked before `start` or `look`. */
export class DriftWatch {
  readonly #deps: DriftDeps;
  readonly #look: DriftLook;
  readonly #closing = new AbortController();
  #skipped: Drift["skipped"] = [];
  #lookedAt: number | null = null;
  /** When the look before came to its end, by the monotonic clock. */
  #endedAt: number | null = null;
  #failed: Drift["failed"];
  #changePause = CHANGE_PAUSE_MS;
  /** When an app was last heard to change, by the monotonic clock. */
  #changedAt: number | null = null;
  readonly #lookAnew = runOneAtATime(() => this.#lookOnce());
  /** `due`: by the monotonic clock. */
  #next: { readonly due: number; readonly cancel: () => void } | null = null;

  constructor(deps: DriftDeps) {
    this.#deps = deps;
    this.#look = new DriftLook(deps);
  }

  /** Begins to look by itself, where the interval is not 0. */
  start(): void {
    if (this.#deps.timing.driftEvery === 0) return;
    this.lookSoon();
    void this.#followTasks();
  }

  /** Has the next look come soon, for all that happens until then. */
  lookSoon(): void {
    if (this.#deps.timing.driftEvery > 0) this.#lookIn(this.#deps.timing.driftSettle);
  }

  /** The same for a change of an app on the host, a while after the look before. */
  lookAfterChange(): void {
    const { clock, timing } = this.#deps;
    const now = clock.monotonic();
    // Nothing has changed for a while: it is no app that does so all the time.
    if (now - (this.#changedAt ?? now) >= this.#changePause) this.#changePause = CHANGE_PAUSE_MS;
    this.#changedAt = now;
    const paused = this.#endedAt === null ? 0 : this.#endedAt + this.#changePause - now;
    if (timing.driftEvery > 0) this.#lookIn(Math.max(timing.driftSettle, paused), () => this.#lookForChange());
  }

  /** Looks now, or after the look under way. Never rejects: why it came to no end is in the answer. */
  async look(): Promise<Drift> {
    await this.#lookAnew();
    return this.read();
  }

  read(): Drift {
    return {
      findings: this.#look.findings().map((finding) => nameApp(finding, this.#deps.nameOf)),
      lookedAt: this.#lookedAt === null ? null : new Date(this.#lookedAt).toISOString(),
      skipped: this.#skipped.map((one) => nameApp(one, this.#deps.nameOf)),
      ...(this.#failed !== undefined && { failed: this.#failed }),
    };
  }

  close(): void {
    this.#closing.abort();
    this.#next?.cancel();
  }

  async #lookForChange(): Promise<void> {
    const before = this.#describe();
    await this.#lookAnew();
    const isNew = this.#describe() !== before;
    this.#changePause = isNew ? CHANGE_PAUSE_MS : Math.min(this.#changePause * 2, this.#deps.timing.driftEvery);
  }

  /** The sooner of two looks counts. */
  #lookIn(ms: number, look: () => Promise<void> = this.#lookAnew): void {
    const { clock } = this.#deps;
    const due = clock.monotonic() + ms;
    if (this.#closing.signal.aborted || (this.#next !== null && this.#next.due <= due)) return;
    this.#next?.cancel();
    const cancel = clock.after(ms, () => {
      this.#next = null;
      void look();
    });
    this.#next = { due, cancel };
  }

  async #followTasks(): Promise<void> {
    try {
      for await (const { task } of this.#deps.changes(this.#closing.signal)) if (hasEnded(task.state)) this.lookSoon();
    } catch (error) {
      this.#deps.logger.debug({ error }, "the changes of tasks could not be followed");
    }
  }

  async #lookOnce(): Promise<void> {
    const { clock, hints, timing } = this.#deps;
    const { signal } = this.#closing;
    if (signal.aborted) return;
    const before = this.#describe();
    try {
      this.#skipped = await this.#look.run(signal);
      this.#failed = undefined;
      this.#lookedAt = clock.now();
    } catch (error) {
      if (signal.aborted) return;
      this.#noteFailure(error);
    }
    this.#endedAt = clock.monotonic();
    if (this.#describe() !== before) hints.tell({ type: "drift.changed" });
    if (timing.driftEvery === 0) return;
    this.#lookIn(this.#failed === undefined ? timing.driftEvery : Math.min(timing.driftEvery, AGAIN_MS));
  }

  #noteFailure(error: unknown): void {
    const { clock, logger } = this.#deps;
    const code = error instanceof EngineError ? error.code : "HOST_CALL_FAILED";
    this.#failed = { at: new Date(clock.now()).toISOString(), code, hint: explain(code).hint };
    logger.debug({ error }, "a look for drift came to no end");
  }

  /** What watchers are told of when it changes. */
  #describe(): string {
    const { findings, skipped, failed } = this.read();
    return JSON.stringify([findings, skipped, failed?.code]);
  }
}
