/**
 * The runtime: executes machines as turns. This file is its interface; `create-runtime.ts` makes one.
 */
import type { CompiledScript } from "../../../sandbox/contract.ts";
import type { Json, JsonObject } from "../../core/json/json.ts";
import type { EngineEvent, TaskKind, TaskView } from "../api.ts";
import type { Deed } from "../audit/deed.ts";
import type { Clock, Logger, Randomness } from "../ports/environment.ts";
import type { Store } from "../ports/store.ts";
import type { TurnRows } from "../ports/turn-rows.ts";
import type { NameOf } from "../surfaces/name-apps.ts";
import type { EffectHandler, MachineEvent, RegisteredMachine } from "./effect.ts";
import { toIdPart } from "./id-part.ts";
import type { Kept } from "./turn/retention.ts";

export interface RuntimeOptions {
  readonly store: Store;
  /** By `RegisteredMachine.id`. */
  readonly registry: Readonly<Record<string, RegisteredMachine>>;
  /** By the action's name in the machines. */
  readonly handlers: Readonly<Record<string, EffectHandler>>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  /** How much of tasks that have ended is kept. */
  readonly kept?: Partial<Kept>;
  /** Told after each commit, before the effects it asks for begin. Must not throw. */
  readonly committed?: (turn: CommittedTurn) => void;
  /** The display name of an app, for views; default: none is known. */
  readonly nameOf?: NameOf;
  /** Masks the secrets of a root task in one text; every view and log line passes through it. Default: unchanged. */
  readonly mask?: (rootId: string) => (text: string) => string;
}

/** A turn that is on disk. */
export interface CommittedTurn {
  readonly rows: TurnRows;
  /** Ms from the moment its event was taken. */
  readonly ms: number;
}

/** How busy a runtime is. */
export interface RuntimeLoad {
  /** Events of this process that wait for their turn. */
  readonly inbox: number;
  readonly watchers: number;
  /** Log entries the slowest watcher has yet to be told. */
  readonly lag: number;
}

/** A new root task with everything that is frozen with it, committed in one transaction with its first turn. */
export interface StartRequest {
  /** Registry id. */
  readonly machine: string;
  /** JSON without secrets: it is kept in the event log. */
  readonly input: JsonObject;
  readonly kind: TaskKind;
  readonly appId: string;
  readonly hookId?: string;
  /** The aim of a hook run as one comparable text (see `Store.runs`). */
  readonly target?: string;
  /** Held until the task is final or FAILED, e.g. `app:jellyfin`; a second holder is refused with `TASK_CONFLICT`. */
  readonly claim?: string;
  /** `store.plan(rootId)` afterwards. Secrets allowed. */
  readonly plan?: JsonObject;
  /** `store.secret(rootId, name)` afterwards. */
  readonly secrets?: Readonly<Record<string, Json>>;
  /** `store.script(sha256)` afterwards. */
  readonly scripts?: readonly CompiledScript[];
}

/** What comes with an event from outside. */
export interface SendExtra {
  readonly secrets?: Readonly<Record<string, Json>>;
  /** What it comes of; absent where nobody asked for it. */
  readonly deed?: Deed;
}

export interface Runtime {
  /**
   * Commits the task and its first turn, with the deed it comes of, then dispatches. Throws `TASK_CONFLICT {taskId}` when
   * the claim is held.
   */
  start(request: StartRequest, deed?: Deed): TaskView;
  /**
   * Commits one event from outside (a person's decision) as a turn of the task; `secrets` and the deed are kept in the
   * same transaction. Throws `TASK_UNKNOWN`, `TASK_REFUSED {taskId, state}` when the machine does not take the event now,
   * `TASK_CONFLICT {taskId}` when a retried task's claim is held by another.
   * A quarantined task takes `user.retry` (tries to load it again), `user.cancel` and `user.dismiss` (ends it).
   */
  send(taskId: string, event: MachineEvent, extra?: SendExtra): TaskView;
  /** Drives on what an earlier life left: timers, reconciled effects, mailboxes. Call once, after creation. */
  recover(): Promise<{ readonly resumed: number; readonly quarantined: number }>;
  /** Resolves when nothing under the task goes on without a person: final, FAILED, quarantined or AWAITING_*. */
  settled(taskId: string, signal?: AbortSignal): Promise<TaskView>;
  task(id: string): TaskView | null;
  watch(fromSeq: number, signal?: AbortSignal): AsyncIterable<EngineEvent>;
  load(): RuntimeLoad;
  /**
   * From now on `start` and `send` of anything but `user.cancel` and `user.dismiss` throw `TASK_ENGINE_DRAINING
   * {retryAfter}`; `until` (UTC ms) is when the engine will have closed. Tasks go on.
   */
  refuseWork(until: number): void;
  /** Throws `TASK_ENGINE_CLOSED`, or `TASK_ENGINE_DRAINING {retryAfter}`, where no new work is taken. */
  requireWork(): void;
  /** Aborts running effects and waits for them (at most 5 s); commits nothing more. The store stays open. */
  close(): Promise<void>;
}

/** The id of a child task: derived from its parent and its name, safe in a URL; at most 200 characters at any depth. */
export function toChildTaskId(parent: string, name: string): string {
  return `${parent}~${toIdPart(encodeURIComponent(name).replaceAll("~", "%7E"))}`;
}
