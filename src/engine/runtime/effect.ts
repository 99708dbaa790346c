/**
 * The agreement between the runtime (turns, outbox, timers) and the engine (machines, effects).
 *
 * A named action of a machine is an effect: the turn writes it as an intent row, dispatch performs it after the commit,
 * its result comes back as one machine event that names the effect. After a restart every intent without a result is
 * reconciled before anything is repeated (docs/architecture.md).
 */
import type { AnyStateMachine } from "xstate";
import type { Failure } from "../../core/codes/problems.ts";
import type { Json, JsonObject } from "../../core/json/json.ts";
import type { TaskFacts } from "../../core/task/task-facts.ts";
import type { WorkDone } from "../../core/task/task-failures.ts";
import type { ChildState } from "../../core/task-states.ts";
import type { JournalWrite } from "../ports/turn-rows.ts";
import type { MachineEvent } from "./machine-event.ts";

export type { MachineEvent };

/**
 * Class of an effect. `read` and `idempotent` may be repeated freely; `create` and `mutate` only after `reconcile` said
 * `not_started`; `local` acts inside this process (a script run, a poller) and starts again from its beginning.
 */
export type EffectClass = "read" | "idempotent" | "create" | "mutate" | "local";

export interface EffectHandler {
  readonly class: EffectClass;
  /**
   * Of a `local` effect: it reaches others. Once an older copy of the database was put back nobody knows what it did, as
   * with `create` and `mutate`.
   */
  readonly reachesOthers?: true;
  /**
   * Performs the effect and resolves with the machine event that ends it. A `HostError` (a question the host refused) or
   * a fault of the store leaves the effect open: it is taken up again like one of an earlier life. Any other rejection is
   * a bug and quarantines the task.
   */
  perform(params: JsonObject, run: EffectRun): Promise<MachineEvent>;
  /** Asks the outside what became of an intent whose result was lost. Required for `create` and `mutate`. */
  reconcile?(params: JsonObject, run: EffectRun): Promise<Reconciled>;
}

export type Reconciled =
  | { readonly status: "done"; readonly event: MachineEvent }
  | { readonly status: "not_started" }
  /** Still running outside; `event` resolves when it ends. */
  | { readonly status: "in_progress"; readonly event: Promise<MachineEvent> }
  /** Nobody can tell: `event` puts the question to the machine (usually a retryable failure). */
  | { readonly status: "unknown"; readonly event: MachineEvent };

/** One attempt at one effect. */
export interface EffectRun {
  /** `<task>:<rev>.<k>`. */
  readonly effectId: string;
  readonly taskId: string;
  readonly rootId: string;
  /** UUID derived from the effect id: the host's request id, stored before sending. */
  readonly requestId: string;
  /** UTC ms at which the intent was committed. */
  readonly intendedAt: number;
  /** An earlier life, or an interrupted attempt of this one, may have begun it. */
  readonly resumed: boolean;
  /** Aborts when the machine cancels the effect or the engine closes. */
  readonly signal: AbortSignal;
  /** Noted by an earlier life for this effect, e.g. a host job id. */
  readonly note: JsonObject | null;
  /** Commits a note beside the intent before going on. */
  writeNote(note: JsonObject): void;
  /** Notes on the task's row that the host can't be asked at the moment, or can again; no machine hears of it. */
  setHostSilent(silent: boolean): void;
  /**
   * Sends a further machine event while the effect goes on (progress, checkpoints); a turn of its own, in whose
   * transaction `along` is written.
   */
  emit(event: MachineEvent, along?: JournalAlong): void;
}

/** An entry of a hook's journal that goes to the disk with the turn of an event, or not at all. */
export interface JournalAlong {
  readonly write: JournalWrite;
  /** Called once: whether turn and entry were committed. */
  settled(committed: boolean): void;
}

/**
 * Why a running effect is aborted that will be taken up again and is to lose nothing: the engine closes, or its task was
 * quarantined.
 */
export const SUSPENDED = new DOMException("It is taken up again later", "AbortError");

/** A machine as the runtime loads it: literal, version, migrations, and how its rows are shown. */
export interface RegisteredMachine {
  readonly id: string;
  readonly version: number;
  readonly machine: AnyStateMachine;
  /** From version n to n + 1, over the persisted snapshot's JSON. */
  readonly migrate: Readonly<Record<number, (snapshot: Json) => Json>>;
  /**
   * From version n to n + 1: ids of timers that changed with a state's or delay's name, old to new
   * (`xstate.after.<delay>.<machine>.<STATE>`), so that what runs when a task is migrated still arrives.
   */
  readonly renamedTimers?: Readonly<Record<number, Readonly<Record<string, string>>>>;
  /**
   * Names of delays that stand still while the engine is down (a hook's running time). All others count downtime
   * (a person's deadline).
   */
  readonly activeDelays?: readonly string[];
  /** The task as people see it, from the machine's context and state value; committed with the snapshot. */
  readonly view: (snapshot: { readonly value: Json; readonly context: JsonObject }) => TaskFacts;
}

export type { TaskFacts } from "../../core/task/task-facts.ts";

/**
 * Actions the turn itself carries out inside the transaction, never dispatched:
 * `task.start {id, machine, input, kind, appId, hookId?, target?, claim?}` creates a child row and its first turn's
 * mailbox row; `id` is the child's name, unique under its parent (the row's id is `toChildTaskId(parent, id)`); a second
 * start of the same name is logged as dropped. When
 * another task holds the claim, no child is made and the parent is told `child.changed` to REFUSED.
 * `task.tell {to, event}` puts an event into another task's mailbox: `to` is `"parent"` or a child's `id`. It arrives
 * with `from` added: the child's `id`, or `"parent"`.
 * `task.notify {notifications}` stores what people are told, each once, and puts it into the log as `task.notified`.
 * `effect.cancel {name}` aborts this task's open effects of that name, `effect.cancelAll` every one; their results are
 * dropped.
 * Everything else named by a machine is looked up among the effect handlers.
 */
export const TURN_ACTIONS = ["task.start", "task.tell", "task.notify", "effect.cancel", "effect.cancelAll"] as const;

/**
 * Events the runtime sends by itself. A machine that does not take `engine.failed` is quarantined instead; a parent may
 * ignore what it is told of its children.
 */
export type RuntimeEvent =
  /**
   * Work under way can't go on, and a person should decide: the engine died several times in a row while it ran
   * (`TASK_CRASH_LOOP`: its effects are cancelled), or the database was rolled back behind it (`TASK_EFFECT_UNKNOWN`).
   */
  | { readonly type: "engine.failed"; readonly failure: Failure; readonly done?: WorkDone }
  /**
   * The child `from` came to a final state, to FAILED or to an awaiting one, or left one that is not final. REFUSED: it was
   * not made, another task has its claim. QUARANTINED: it can't go on until a person retries or dismisses it. `marks` are
   * the child's, and of the last two one that names it.
   */
  | {
      readonly type: "child.changed";
      readonly from: string;
      readonly state: ChildState;
      readonly marks: readonly string[];
    };
