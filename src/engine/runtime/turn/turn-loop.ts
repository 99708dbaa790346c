/**
 * The loop that takes events in and lets effects out.
 *
 * Invariants:
 * 1. The only suspension is between turns: a turn is computed and committed in one synchronous stretch.
 * 2. An effect's result is delivered until it is committed; a store that refuses writes delays it, nothing loses it.
 * 3. A quarantined task is frozen: its effects, timers and mail stay as they are until a person decides.
 */
import type { Code } from "../../../core/codes/code.ts";
import { EngineError, type Failure } from "../../../core/codes/problems.ts";
import { crashLoop } from "../../../core/task/task-failures.ts";
import { isFinal } from "../../../core/task-states.ts";
import type { EffectRow, Source, TaskRow, TimerRow, TurnRows } from "../../ports/store.ts";
import { crashPoint } from "../crash-points.ts";
import { createDispatcher, type Dispatcher } from "../dispatch.ts";
import type { MachineEvent, RuntimeEvent } from "../effect.ts";
import type { RuntimeOptions } from "../runtime.ts";
import { createTimers, type Timers } from "../timers.ts";
import type { WatchHub } from "../watch-hub.ts";
import { tellQuarantined } from "./child-news.ts";
import { MachineFault, type TurnContext } from "./plan-turn.ts";
import { claimedByOther, emptyTurn, type Incoming, noteSilence, takeTurn } from "./turn.ts";
import { logEntry } from "./turn-log.ts";

/** Ms of turns taken before other work of the process gets its turn. */
const TURNS_MS = 10;
const FIRST_STORE_RETRY_MS = 1_000;
const LAST_STORE_RETRY_MS = 30_000;
/** Trees that ended last and are kept with their events, plans and logs (`Store.pruneEndedTasks`). */
const KEPT_TREES = 200;

/** An event of this process that waits for its turn; if it dies with the process, its effect is reconciled. */
type Delivery =
  | { readonly kind: "ended" | "emitted"; readonly effect: EffectRow; readonly event: MachineEvent }
  | { readonly kind: "silenced"; readonly effect: EffectRow; readonly isSilent: boolean }
  | { readonly kind: "broke"; readonly effect: EffectRow; readonly error: unknown }
  | { readonly kind: "due"; readonly timer: TimerRow }
  | { readonly kind: "looping"; readonly taskId: string };

export interface TurnLoop {
  readonly timers: Timers;
  readonly dispatcher: Dispatcher;
  depsOf(root: string): TurnContext;
  /** Writes a turn, then lets its effects out. */
  commit(rows: TurnRows): void;
  /** Delivers an event only the engine sends; a machine that does not take it is quarantined. */
  deliverRequired(row: TaskRow, incoming: Incoming, code: Code): void;
  quarantine(row: TaskRow, code: Code, reason: string, event: MachineEvent): void;
  /** Tells the machine that the engine keeps dying, instead of running its open effects once more. */
  reportCrashLoop(taskId: string): void;
  /** Takes everything that waits; called after whatever may have put something there. */
  drain(): void;
  close(): Promise<void>;
}

export interface TurnLoopOptions extends RuntimeOptions {
  readonly hub: WatchHub;
  /** Called whenever nothing waits any more. */
  readonly ranDry: () => void;
}

export function createTurnLoop(options: TurnLoopOptions): TurnLoop {
  const { store, registry, handlers, clock, logger, hub } = options;
  const inbox: Delivery[] = [];
  let draining = false;
  let closed = false;
  /** Trees may have ended since the store last let go of old ones. */
  let mayPrune = true;
  let retryMs = FIRST_STORE_RETRY_MS;
  let cancelRetry = () => {};

  const timers = createTimers({
    clock,
    fire: (timer) => deliver({ kind: "due", timer }),
    heartbeat: (at) => unlessStoreFails(() => store.heartbeat(at)),
  });
  const dispatcher = createDispatcher({
    store,
    handlers,
    clock,
    logger,
    ended: (effect, event) => deliver({ kind: "ended", effect, event }),
    emitted: (effect, event) => deliver({ kind: "emitted", effect, event }),
    silenced: (effect, isSilent) => deliver({ kind: "silenced", effect, isSilent }),
    broke: (effect, error) => deliver({ kind: "broke", effect, error }),
  });

  function depsOf(root: string): TurnContext {
    const mask = options.mask?.(root) ?? ((text: string) => text);
    return { registry, handlers, read: store, epoch: store.opened.epoch, now: clock.now(), mask };
  }

  function commit(rows: TurnRows): void {
    crashPoint("beforeCommit");
    const { logged } = store.commit(rows);
    crashPoint("afterCommit");
    mayPrune ||= rows.tasks.some(({ row }) => isFinal(row.facts.state));
    hub.publish(logged);
    dispatcher.abort(rows.cancelled);
    timers.clear(rows.cleared);
    timers.set(rows.timers);
    dispatcher.perform(rows.effects);
  }

  /**
   * Takes one event as a turn. A fault of the machine quarantines the task and leaves the event's source open; so does a
   * machine that drops an event it must take.
   */
  function advance(row: TaskRow, incoming: Incoming, must?: Code): void {
    const { type } = incoming.event;
    try {
      const turn = takeTurn(depsOf(row.root), row, incoming);
      if (!turn.taken && must !== undefined) throw new MachineFault(`machine "${row.machine}" does not take "${type}"`);
      if (turn.taken && claimedByOther(store, turn.row))
        throw new MachineFault(`claim "${row.claim}" is held by another task`);
      commit(turn.rows);
      if (!turn.taken) logger.info({ task: row.id, event: type, reason: turn.reason }, "event dropped");
    } catch (error) {
      if (!(error instanceof MachineFault)) throw error;
      quarantine(row, must ?? "TASK_QUARANTINED", error.message, incoming.event);
    }
  }

  function quarantine(row: TaskRow, code: Code, reason: string, event: MachineEvent): void {
    const deps = depsOf(row.root);
    const failure: Failure = {
      code,
      message: deps.mask(reason),
      context: [{ label: "machine", value: `${row.machine} ${row.version}` }],
      retryable: true,
    };
    const frozen: TaskRow = { ...row, quarantine: failure, updated: deps.now };
    logger.error({ task: row.id, code, reason: failure.message }, "task quarantined");
    commit({
      ...emptyTurn(deps),
      tasks: [{ expectedRev: row.rev, row: frozen }],
      log: [logEntry(deps, frozen, "task.quarantined", event, { reason: failure.message })],
      mail: tellQuarantined(store, row),
    });
  }

  function reportCrashLoop(taskId: string): void {
    const row = store.task(taskId);
    if (row === null || row.quarantine !== null) return;
    const cancels = store.openEffects(taskId).map(({ id }) => id);
    // What changes the host was asked for before: it was not begun.
    const event = { type: "engine.failed", failure: crashLoop(row.lives), done: false } satisfies RuntimeEvent;
    advance(row, { event, source: null, progress: true, cancels }, "TASK_CRASH_LOOP");
  }

  function deliver(delivery: Delivery): void {
    if (closed) return;
    inbox.push(delivery);
    drain();
  }

  function drain(): void {
    if (draining || closed) return;
    draining = true;
    try {
      for (const until = clock.monotonic() + TURNS_MS; clock.monotonic() <= until; ) {
        if (!takeNext()) {
          options.ranDry();
          if (mayPrune) pruneEndedTasks();
          return;
        }
        retryMs = FIRST_STORE_RETRY_MS;
      }
      setImmediate(drain);
    } catch (error) {
      const fault = storeFault(error);
      logger.error({ code: fault.code, retryMs }, fault.message);
      cancelRetry();
      cancelRetry = clock.after(retryMs, drain);
      retryMs = Math.min(LAST_STORE_RETRY_MS, retryMs * 2);
    } finally {
      draining = false;
    }
  }

  function takeNext(): boolean {
    const delivery = inbox[0];
    if (delivery !== undefined) {
      takeDelivery(delivery);
      inbox.shift();
      return true;
    }
    const mail = store.nextMail();
    const row = mail && store.task(mail.to);
    if (!mail || !row) return false;
    advance(row, { event: mail.event, source: { kind: "mail", id: mail.id }, progress: true });
    return true;
  }

  function takeDelivery(delivery: Delivery): void {
    switch (delivery.kind) {
      case "ended":
        withOpenEffect(delivery.effect, (row, source) => {
          advance(row, { event: delivery.event, source, progress: true });
        });
        break;
      case "emitted":
        withOpenEffect(delivery.effect, (row) => {
          advance(row, { event: delivery.event, source: null, progress: false });
        });
        break;
      case "silenced":
        withOpenEffect(delivery.effect, (row) => {
          commit(noteSilence(depsOf(row.root), row, delivery.isSilent ? delivery.effect.id : null));
        });
        break;
      case "broke":
        withOpenEffect(delivery.effect, (row) => {
          const { effect, error } = delivery;
          const reason = error instanceof Error ? error.message : String(error);
          quarantine(row, "TASK_QUARANTINED", `effect "${effect.name}" broke: ${reason}`, { type: "engine.broke" });
        });
        break;
      case "due":
        takeTimer(delivery.timer);
        break;
      case "looping":
        reportCrashLoop(delivery.taskId);
        break;
    }
  }

  /** A cancelled effect's result is dropped; a frozen task's effects stay open. */
  function withOpenEffect(effect: EffectRow, take: (row: TaskRow, source: Source) => void): void {
    const row = store.task(effect.taskId);
    if (row === null || row.quarantine !== null) return;
    if (store.isOpen(effect.id)) take(row, { kind: "effect", id: effect.id });
    else logger.info({ task: row.id, effect: effect.id }, "result of a cancelled effect dropped");
  }

  function takeTimer({ taskId, id, dueAt, event }: TimerRow): void {
    const row = store.task(taskId);
    const stored = store.timers(taskId).some((timer) => timer.id === id && timer.dueAt === dueAt);
    if (row === null || row.quarantine !== null || !stored) return;
    advance(row, { event, source: { kind: "timer", taskId, id }, progress: false });
  }

  function pruneEndedTasks(): void {
    unlessStoreFails(() => {
      mayPrune = store.pruneEndedTasks(KEPT_TREES) > 0;
    });
  }

  function unlessStoreFails(write: () => void): void {
    try {
      write();
    } catch (error) {
      logger.warn({ code: storeFault(error).code }, "write that can wait failed");
    }
  }

  return {
    timers,
    dispatcher,
    depsOf,
    commit,
    deliverRequired: advance,
    quarantine,
    reportCrashLoop: (taskId) => deliver({ kind: "looping", taskId }),
    drain,
    async close() {
      closed = true;
      cancelRetry();
      timers.stop();
      await dispatcher.close();
    },
  };
}

/** The store's refusal; any other error is a bug and goes on. */
function storeFault(error: unknown): EngineError {
  if (error instanceof EngineError && error.code.startsWith("STORE_")) return error;
  throw error;
}
