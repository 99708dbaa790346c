/**
 * Effects in flight: intents become calls of their handlers, results become deliveries.
 *
 * Invariants:
 * 1. An effect is performed only after its intent was committed, and at most once at a time in this process.
 * 2. An effect of an earlier life is reconciled before it is repeated, unless its class may be repeated freely.
 * 3. After `close` nothing is delivered; every handler has been told to stop.
 */
import { createHash } from "node:crypto";
import { EngineError } from "../../core/codes/problems.ts";
import type { JsonObject } from "../../core/json/json.ts";
import { HostError } from "../host-error.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { EffectRow, Store } from "../ports/store.ts";
import { crashPoint } from "./crash-points.ts";
import type { EffectHandler, EffectRun, MachineEvent, Reconciled } from "./effect.ts";

const CLOSE_PATIENCE_MS = 5_000;
const RESUME_MS = 5_000;

export interface Dispatcher {
  /** Performs effects whose intents were just committed. */
  perform(effects: readonly EffectRow[]): void;
  /** Takes up an effect of an earlier life; `repeat` decides what happens when it may start again. */
  resume(effect: EffectRow, repeat?: () => void): void;
  abort(effectIds: readonly string[]): void;
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
  readonly emitted: (effect: EffectRow, event: MachineEvent) => void;
  /** An effect can't reach the host at the moment, or can again. */
  readonly silenced: (effect: EffectRow, isSilent: boolean) => void;
  /** A handler broke its contract. */
  readonly broke: (effect: EffectRow, error: unknown) => void;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, handlers, clock, logger } = options;
  const running = new Map<string, { readonly abort: AbortController; readonly finished: Promise<void> }>();
  let closed = false;

  function handlerOf(effect: EffectRow): EffectHandler {
    const handler = handlers[effect.name];
    if (handler === undefined) throw new Error(`no effect handler "${effect.name}"`);
    return handler;
  }

  function start(effect: EffectRow, resumed: boolean, work: (run: EffectRun) => Promise<void>): void {
    if (closed || running.has(effect.id)) return;
    const abort = new AbortController();
    // Not in the caller's stretch: the turn that asked for it may have more effects to let out, or to cancel this one.
    const finished = Promise.resolve()
      .then(() => (abort.signal.aborted ? undefined : work(createRun(effect, resumed, abort.signal))))
      .catch((error: unknown) => failed(effect, abort.signal, error))
      .finally(() => forget(effect.id, abort));
    running.set(effect.id, { abort, finished });
  }

  /** Not where the delivered result has already made the effect fly again. */
  function forget(effectId: string, abort: AbortController): void {
    if (running.get(effectId)?.abort === abort) running.delete(effectId);
  }

  function createRun(effect: EffectRow, resumed: boolean, signal: AbortSignal): EffectRun {
    let { note } = effect;
    const task = store.task(effect.taskId);
    let isSilent = task?.silent === effect.id;
    return {
      effectId: effect.id,
      taskId: effect.taskId,
      rootId: task?.root ?? effect.taskId,
      requestId: requestIdOf(effect.id),
      intendedAt: effect.intendedAt,
      resumed,
      signal,
      get note() {
        return note;
      },
      writeNote(value: JsonObject) {
        if (closed) return;
        store.writeNote(effect.id, value);
        note = value;
      },
      setHostSilent(silent) {
        if (closed || signal.aborted || silent === isSilent) return;
        isSilent = silent;
        options.silenced(effect, silent);
      },
      emit(event) {
        if (!closed && !signal.aborted) options.emitted(effect, event);
      },
    };
  }

  async function performed(effect: EffectRow, run: EffectRun): Promise<void> {
    if (run.signal.aborted) return;
    land(effect, run, await handlerOf(effect).perform(effect.params, run));
  }

  function land(effect: EffectRow, run: EffectRun, event: MachineEvent): void {
    crashPoint("afterEffectDone");
    if (closed || run.signal.aborted) return;
    running.delete(effect.id);
    options.ended(effect, event);
  }

  async function reconciled(effect: EffectRow, run: EffectRun, repeat: (() => void) | undefined): Promise<void> {
    crashPoint("beforeReconcile");
    const handler = handlerOf(effect);
    const found = await ask(handler, effect, run);
    logger.info({ effect: effect.id, name: effect.name, status: found.status }, "effect of an earlier life reconciled");
    switch (found.status) {
      case "done":
      case "unknown":
        return land(effect, run, found.event);
      case "in_progress":
        return land(effect, run, await found.event);
      case "not_started":
        return repeat === undefined ? performed(effect, run) : repeat();
    }
  }

  async function ask(handler: EffectHandler, effect: EffectRow, run: EffectRun): Promise<Reconciled> {
    if (handler.class !== "create" && handler.class !== "mutate") return { status: "not_started" };
    if (handler.reconcile === undefined) throw new Error(`effect handler "${effect.name}" can't be reconciled`);
    return handler.reconcile(effect.params, run);
  }

  function failed(effect: EffectRow, signal: AbortSignal, error: unknown): void {
    if (closed || signal.aborted) return;
    running.delete(effect.id);
    if (error instanceof HostError || (error instanceof EngineError && error.code.startsWith("STORE_"))) {
      // What the handler did is not noted, or not known; as after a crash, the outside is asked a little later.
      logger.warn({ effect: effect.id, code: error.code }, "effect interrupted; it will be reconciled");
      clock.after(RESUME_MS, () => resume(effect));
      return;
    }
    options.broke(effect, error);
  }

  function resume(effect: EffectRow, repeat?: () => void): void {
    if (closed) return;
    const now = store.effect(effect.id);
    if (now?.state === "intent") start(now, true, (run) => reconciled(now, run, repeat));
  }

  return {
    perform(effects) {
      for (const effect of effects) start(effect, false, (run) => performed(effect, run));
    },
    resume,
    abort(ids) {
      for (const id of ids) running.get(id)?.abort.abort();
    },
    async close() {
      closed = true;
      for (const { abort } of running.values()) abort.abort();
      const all = Promise.allSettled([...running.values()].map(({ finished }) => finished));
      await new Promise<void>((resolve) => {
        const cancel = clock.after(CLOSE_PATIENCE_MS, resolve);
        void all.then(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

/** A UUID (version 8, RFC 9562 section 5.8) derived from the effect's id: the same for every sending of it. */
export function requestIdOf(effectId: string): string {
  const hex = createHash("sha256").update(effectId).digest("hex");
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
