/**
 * The loop that takes events in and lets effects out.
 *
 * Invariants:
 * 1. The only suspension is between turns: a turn is computed and committed in one synchronous stretch.
 * 2. An effect's result is delivered until it is committed; a store that refuses writes delays it, nothing loses it.
 * 3. A quarantined task is frozen: its timers and mail stay as they are until a person decides, its scripts stand still,
 *    and the host's answers to what it asked are found out then.
 */
import type { Code } from "../../../core/codes/code.ts";
import type { LoggedRow, TaskRow } from "../../ports/store-rows.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";
import { createDispatcher, type Dispatcher } from "../dispatch.ts";
import type { MachineEvent } from "../effect.ts";
import type { CommittedTurn, RuntimeOptions } from "../runtime.ts";
import { Timers } from "../timers.ts";
import type { WatchHub } from "../watch-hub.ts";
import { createTurnCommitter, type TurnCommitter } from "./commit-turns.ts";
import { type Delivery, dropDelivery, takeDelivery } from "./deliveries.ts";
import { createDrain, type Drain } from "./drain.ts";
import { Erasure } from "./erasure.ts";
import { createRetention, type Retention } from "./retention.ts";
import { Shrinking } from "./shrinking.ts";
import { tryWrite } from "./store-fault.ts";
import { createTaskLog, type TaskLog } from "./task-log.ts";
import type { Incoming } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";

/** Takes in what effects, timers, mail and people send, one turn at a time. */
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
  /** Events of this process that wait for their turn. */
  waiting(): number;
  close(): Promise<void>;
}

export interface TurnLoopOptions extends RuntimeOptions {
  readonly hub: WatchHub;
  /** Called whenever nothing waits any more. */
  readonly ranDry: () => void;
}

/** Makes a loop that takes nothing before the first `drain` or delivery. */
export function createTurnLoop(options: TurnLoopOptions): TurnLoop {
  return new InboxLoop(options);
}

class InboxLoop implements TurnLoop {
  readonly timers: Timers;
  readonly dispatcher: Dispatcher;
  readonly #options: TurnLoopOptions;
  readonly #inbox: Delivery[] = [];
  readonly #turns: TurnCommitter;
  readonly #drain: Drain;
  readonly #retention: Retention;
  readonly #erasure: Erasure;
  readonly #shrinking: Shrinking;
  readonly #taskLog: TaskLog;
  #closed = false;

  constructor(options: TurnLoopOptions) {
    const { store, handlers, clock, logger, kept } = options;
    this.#options = options;
    this.#retention = createRetention(store, logger, kept);
    this.#erasure = new Erasure(store, clock, logger);
    this.#shrinking = new Shrinking(store, clock, logger, () => this.#erasure.plan());
    this.#taskLog = createTaskLog(store, logger);
    this.#turns = createTurnCommitter({ ...options, committed: (turn, logged) => this.#letOut(turn, logged) });
    this.#drain = createDrain({ clock, logger, takeNext: () => this.#takeNext(), ranDry: () => this.#runDry() });
    this.timers = new Timers({
      clock,
      fire: (timer) => this.#deliver({ kind: "due", timer }),
      heartbeat: (at) => tryWrite(logger, () => store.heartbeat(at)),
    });
    this.dispatcher = createDispatcher({
      store,
      handlers,
      clock,
      logger,
      ended: (effect, event) => this.#deliver({ kind: "ended", effect, event }),
      emitted: (effect, event, along) => this.#deliver({ kind: "emitted", effect, event, ...(along && { along }) }),
      silenced: (effect, isSilent) => this.#deliver({ kind: "silenced", effect, isSilent }),
      broke: (effect, error) => this.#deliver({ kind: "broke", effect, error }),
    });
  }

  depsOf(root: string): TurnContext {
    return this.#turns.depsOf(root);
  }

  commit(rows: TurnRows): void {
    this.#turns.commit(rows);
  }

  deliverRequired(row: TaskRow, incoming: Incoming, code: Code): void {
    this.#turns.advance(row, incoming, code);
  }

  quarantine(row: TaskRow, code: Code, reason: string, event: MachineEvent): void {
    this.#turns.quarantine(row, code, reason, event);
  }

  reportCrashLoop(taskId: string): void {
    this.#deliver({ kind: "looping", taskId });
  }

  drain(): void {
    this.#drain.run();
  }

  waiting(): number {
    return this.#inbox.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#drain.stop();
    this.#erasure.stop();
    this.#shrinking.stop();
    this.timers.stop();
    // told to stop before anything is dropped: what is not on disk then is no news to act on
    const stopped = this.dispatcher.close();
    for (const delivery of this.#inbox) dropDelivery(delivery);
    await stopped;
  }

  #deliver(delivery: Delivery): void {
    if (this.#closed) {
      dropDelivery(delivery);
      return;
    }
    this.#inbox.push(delivery);
    this.#drain.run();
  }

  /** Deliveries of this process go before mail, and leave the inbox once their turn is committed. */
  #takeNext(): boolean {
    const { store, logger } = this.#options;
    const delivery = this.#inbox[0];
    if (delivery !== undefined) {
      takeDelivery({ store, logger, turns: this.#turns }, delivery);
      this.#inbox.shift();
      return true;
    }
    const mail = store.nextMail();
    const row = mail && store.task(mail.to);
    if (!mail || !row) return false;
    this.#turns.advance(row, { event: mail.event, source: { kind: "mail", id: mail.id }, progress: true });
    return true;
  }

  #runDry(): void {
    this.#options.ranDry();
    this.#retention.prune();
    this.#erasure.plan();
    this.#shrinking.plan();
  }

  #letOut(turn: CommittedTurn, logged: readonly LoggedRow[]): void {
    const { rows } = turn;
    this.#retention.note(rows);
    this.#taskLog.tell(rows);
    this.#options.committed?.(turn);
    this.#options.hub.publish(logged);
    this.dispatcher.abort(rows.cancelled);
    for (const { row } of rows.tasks) if (row.quarantine !== null) this.dispatcher.suspend(row.id);
    this.timers.clear(rows.cleared);
    this.timers.set(rows.timers);
    this.dispatcher.perform(rows.effects);
  }
}
