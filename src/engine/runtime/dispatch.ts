/**
 * Effects in flight: intents become calls of their handlers, results become deliveries.
 *
 * Invariants:
 * 1. An effect is performed only after its intent was committed, and at most once at a time in this process.
 * 2. An effect of an earlier life is reconciled before it is repeated, unless its class may be repeated freely.
 * 3. After `close` nothing is delivered; every handler has been told to stop.
 * 4. What acts inside this process stands still while its task is quarantined: what it said would be dropped.
 */
import { HostError, isHostAway } from "../host-error.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Store } from "../ports/store.ts";
import type { EffectRow } from "../ports/store-rows.ts";
import { passCrashPoint } from "./crash-points.ts";
import {
  type EffectHandler,
  type EffectRun,
  type JournalAlong,
  type MachineEvent,
  type Reconciled,
  SUSPENDED,
} from "./effect.ts";
import { createEffectRun } from "./effect-run.ts";
import { isStoreFault } from "./turn/store-fault.ts";

const CLOSE_PATIENCE_MS = 5_000;
const RESUME_MS = 5_000;

export interface Dispatcher {
  /** Performs effects whose intents were just committed. */
  perform(effects: readonly EffectRow[]): void;
  /** Takes up an effect of an earlier life; `repeat` decides what happens when it may start again. */
  resume(effect: EffectRow, repeat?: () => void): void;
  abort(effectIds: readonly string[]): void;
  /** Stops what acts inside this process for a task that was quarantined, until it is taken up again. */
  suspend(taskId: string): void;
  close(): Promise<void>;
}

export interface DispatcherOptions {
  readonly store: Pick<Store, "effect" | "task" | "writeNote">;
  readonly handlers: Readonly<Record<string, EffectHandler>>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The end of an effect. */
  readonly ended: (effect: EffectRow, event: MachineEvent) => void;
  /** A further event of an effect that goes on. */
  readonly emitted: (effect: EffectRow, event: MachineEvent, along?: JournalAlong) => void;
  /** An effect can't reach the host at the moment, or can again. */
  readonly silenced: (effect: EffectRow, isSilent: boolean) => void;
  /** A handler broke its contract. */
  readonly broke: (effect: EffectRow, error: unknown) => void;
}

/** Makes a dispatcher in which nothing runs yet. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new EffectDispatcher(options);
}

interface Running {
  readonly effect: EffectRow;
  readonly abort: AbortController;
  readonly finished: Promise<void>;
}

class EffectDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new Map<string, Running>();
  /** Effects whose interruption was told of, so that their next ones are not. */
  readonly #interrupted = new Set<string>();
  #closed = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  perform(effects: readonly EffectRow[]): void {
    for (const effect of effects) this.#start(effect, false, (run) => this.#perform(effect, run));
  }

  resume(effect: EffectRow, repeat?: () => void): void {
    if (this.#closed) return;
    const running = this.#running.get(effect.id);
    if (running?.abort.signal.aborted === true) {
      void running.finished.then(() => this.resume(effect, repeat));
      return;
    }
    const { store } = this.#options;
    const now = store.effect(effect.id);
    if (now?.state !== "intent" || store.task(effect.taskId)?.quarantine !== null) return;
    this.#start(now, true, (run) => this.#reconcile(now, run, repeat));
  }

  abort(effectIds: readonly string[]): void {
    for (const id of effectIds) this.#running.get(id)?.abort.abort();
  }

  suspend(taskId: string): void {
    for (const { effect, abort } of this.#running.values()) {
      if (effect.taskId === taskId && this.#options.handlers[effect.name]?.class === "local") abort.abort(SUSPENDED);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { abort } of this.#running.values()) abort.abort(SUSPENDED);
    const all = Promise.allSettled([...this.#running.values()].map(({ finished }) => finished));
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(CLOSE_PATIENCE_MS, resolve);
      void all.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #start(effect: EffectRow, resumed: boolean, work: (run: EffectRun) => Promise<void>): void {
    if (this.#closed || this.#running.has(effect.id)) return;
    const abort = new AbortController();
    const { signal } = abort;
    // Not in the caller's stretch: the turn that asked for it may have more effects to let out, or to cancel this one.
    const finished = Promise.resolve()
      .then(() => (signal.aborted ? undefined : work(this.#createRun(effect, resumed, signal))))
      .catch((error: unknown) => this.#fail(effect, signal, error))
      .finally(() => this.#forget(effect.id, abort));
    this.#running.set(effect.id, { effect, abort, finished });
  }

  /** Not where the delivered result has already made the effect run again. */
  #forget(effectId: string, abort: AbortController): void {
    if (this.#running.get(effectId)?.abort === abort) this.#running.delete(effectId);
  }

  #createRun(effect: EffectRow, resumed: boolean, signal: AbortSignal): EffectRun {
    const { store, silenced, emitted } = this.#options;
    return createEffectRun({ effect, resumed, signal, store, silenced, emitted, isClosed: () => this.#closed });
  }

  async #perform(effect: EffectRow, run: EffectRun): Promise<void> {
    if (run.signal.aborted) return;
    this.#finish(effect, run, await this.#handlerOf(effect).perform(effect.params, run));
  }

  async #reconcile(effect: EffectRow, run: EffectRun, repeat: (() => void) | undefined): Promise<void> {
    passCrashPoint("beforeReconcile");
    const found = await reconcileEffect(this.#handlerOf(effect), effect, run);
    const { id, name } = effect;
    this.#options.logger.debug({ effect: id, name, status: found.status }, "effect of an earlier life reconciled");
    switch (found.status) {
      case "done":
      case "unknown":
        return this.#finish(effect, run, found.event);
      case "in_progress":
        return this.#finish(effect, run, await found.event);
      case "not_started":
        return repeat === undefined ? this.#perform(effect, run) : repeat();
    }
  }

  #finish(effect: EffectRow, run: EffectRun, event: MachineEvent): void {
    passCrashPoint("afterEffectDone");
    if (this.#closed || run.signal.aborted) return;
    this.#running.delete(effect.id);
    this.#interrupted.delete(effect.id);
    this.#options.ended(effect, event);
  }

  #fail(effect: EffectRow, signal: AbortSignal, error: unknown): void {
    if (this.#closed || signal.aborted) return;
    const { clock, logger, broke } = this.#options;
    this.#running.delete(effect.id);
    if (error instanceof HostError || isStoreFault(error)) {
      // What the handler did is not noted, or not known; as after a crash, the outside is asked a little later.
      const level = this.#interrupted.has(effect.id) ? "debug" : "warn";
      this.#interrupted.add(effect.id);
      logger[level]({ effect: effect.id, code: error.code }, "effect interrupted; it will be reconciled");
      if (isHostAway(error)) this.#options.silenced(effect, true);
      clock.after(RESUME_MS, () => this.resume(effect));
      return;
    }
    broke(effect, error);
  }

  #handlerOf(effect: EffectRow): EffectHandler {
    const handler = this.#options.handlers[effect.name];
    if (handler === undefined) throw new Error(`no effect handler "${effect.name}"`);
    return handler;
  }
}

/** Finds out how an effect of an earlier life ended; one that may be repeated freely was never begun. */
async function reconcileEffect(handler: EffectHandler, effect: EffectRow, run: EffectRun): Promise<Reconciled> {
  if (handler.class !== "create" && handler.class !== "mutate") return { status: "not_started" };
  if (handler.reconcile === undefined) throw new Error(`effect handler "${effect.name}" can't be reconciled`);
  return handler.reconcile(effect.params, run);
}
