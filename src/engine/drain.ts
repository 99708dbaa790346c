/**
 * The end of an engine in peace.
 *
 * Invariants:
 * 1. From its first moment on no new work is taken.
 * 2. Only runs that would have to begin anew are waited for, and no longer than asked: everything else goes on where it is
 *    in the next life, so that there is nothing to wait for.
 */
import { NOT_RESUMABLE } from "../../machines/hook-task/context.ts";
import type { Drained, DrainRequest, DrainStanding } from "./api.ts";
import type { Hints } from "./hints/hints.ts";
import type { Clock, Logger } from "./ports/environment.ts";
import type { Store } from "./ports/store.ts";
import { DrainDeadline, readRequest } from "./requests.ts";
import type { Runtime } from "./runtime/runtime.ts";

const DEADLINE_MS = 30_000;

interface DrainParts {
  readonly store: Pick<Store, "unfinished" | "lastSeq">;
  readonly runtime: Pick<Runtime, "watch" | "refuseWork">;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly hints: Pick<Hints, "tell">;
  readonly logger: Logger;
  readonly close: () => Promise<void>;
}

/** The drain of one engine. */
export class Drain {
  readonly #parts: DrainParts;
  #times: { readonly since: number; readonly deadline: number } | null = null;
  #drained: Promise<Drained> | null = null;

  constructor(parts: DrainParts) {
    this.#parts = parts;
  }

  /**
   * Every call answers the one end; the first one's request counts, and its `begun` is told. Throws
   * `TASK_REQUEST_INVALID`.
   */
  run(request: DrainRequest, begun: () => void): Promise<Drained> {
    const { deadlineMs = DEADLINE_MS, beforeClose } = request;
    if (this.#drained === null) {
      readRequest(DrainDeadline, { deadlineMs });
      begun();
      this.#drained = this.#end(deadlineMs, beforeClose);
    }
    return this.#drained;
  }

  /** null before the first `run`. */
  standing(): DrainStanding | null {
    if (this.#times === null) return null;
    const { since, deadline } = this.#times;
    const toIso = (at: number) => new Date(at).toISOString();
    return { since: toIso(since), deadline: toIso(deadline), waitsFor: this.#listUnresumable() };
  }

  async #end(deadlineMs: number, beforeClose: DrainRequest["beforeClose"]): Promise<Drained> {
    const { runtime, clock, logger, close } = this.#parts;
    const since = clock.now();
    this.#times = { since, deadline: since + deadlineMs };
    runtime.refuseWork(since + deadlineMs);
    try {
      const waitsFor = this.#listUnresumable();
      logger.info({ deadlineMs, waitsFor }, "the engine takes no new work");
      if (waitsFor.length > 0) await this.#awaitRuns(deadlineMs);
      const beginAnew = this.#listUnresumable();
      if (beginAnew.length > 0) logger.warn({ tasks: beginAnew }, "hooks were cut off and begin anew");
      return { beginAnew };
    } finally {
      await this.#close(beforeClose, close);
    }
  }

  /** Also where the store can't be asked what to wait for. */
  async #close(beforeClose: DrainRequest["beforeClose"], close: () => Promise<void>): Promise<void> {
    try {
      await beforeClose?.();
    } finally {
      await close();
    }
  }

  async #awaitRuns(deadlineMs: number): Promise<void> {
    const { store, runtime, clock, hints } = this.#parts;
    const over = new AbortController();
    const cancel = clock.after(deadlineMs, () => over.abort());
    hints.tell({ type: "health.changed" });
    let left = this.#listUnresumable().length;
    for await (const _ of runtime.watch(store.lastSeq(), over.signal)) {
      const now = this.#listUnresumable().length;
      if (now !== left) hints.tell({ type: "health.changed" });
      left = now;
      if (left === 0) break;
    }
    cancel();
  }

  #listUnresumable(): readonly string[] {
    return this.#parts.store
      .unfinished()
      .filter(({ facts: { state, marks }, quarantine }) => {
        return state === "RUNNING" && quarantine === null && marks.includes(NOT_RESUMABLE);
      })
      .map(({ id }) => id);
  }
}
