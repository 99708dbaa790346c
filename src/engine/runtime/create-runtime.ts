import {
  createClaimHeldError,
  createEngineClosedError,
  createTaskUnknownError,
} from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { isFinal } from "../../core/task-states.ts";
import type { TaskView } from "../api.ts";
import type { Deed } from "../audit/deed.ts";
import type { Store } from "../ports/store.ts";
import type { TaskRow } from "../ports/store-rows.ts";
import type { StartedRows } from "../ports/turn-rows.ts";
import { type MachineEvent, TURN_ACTIONS } from "./effect.ts";
import { createTaskRow } from "./new-task.ts";
import { dismissQuarantinedTask, recoverTasks, releaseTask } from "./recovery/recovery.ts";
import type { Runtime, RuntimeLoad, RuntimeOptions, SendExtra, StartRequest } from "./runtime.ts";
import { SettledWaiters } from "./settled.ts";
import { initEvent } from "./turn/plan-turn.ts";
import { signTurn } from "./turn/sign-turn.ts";
import { findOtherHolder, takeTurn } from "./turn/turn.ts";
import { MachineFault } from "./turn/turn-context.ts";
import { createTurnLoop, type TurnLoop } from "./turn/turn-loop.ts";
import { QUARANTINE_COMMANDS, viewTree } from "./views.ts";
import { WatchHub } from "./watch-hub.ts";

/**
 * Makes a runtime over an open store. Nothing runs before `start` or `recover`. Throws where a handler has the name of an
 * action the turn carries out itself: it would never be called.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const shadowed = TURN_ACTIONS.find((name) => options.handlers[name] !== undefined);
  if (shadowed !== undefined) throw new Error(`"${shadowed}" is carried out by the turn and takes no handler`);
  return new TaskRuntime(options);
}

const ENDS_WORK: ReadonlySet<string> = new Set(["user.cancel", "user.dismiss"]);

class TaskRuntime implements Runtime {
  readonly #options: RuntimeOptions;
  readonly #store: Store;
  readonly #hub: WatchHub;
  readonly #settled: SettledWaiters;
  readonly #loop: TurnLoop;
  #closing: Promise<void> | null = null;
  /** UTC ms at which the engine will have closed; null while work is taken. */
  #drainedAt: number | null = null;

  constructor(options: RuntimeOptions) {
    const { store } = options;
    this.#options = options;
    this.#store = store;
    this.#hub = new WatchHub(store, options.nameOf);
    this.#settled = new SettledWaiters({ busy: store.busy, view: (id) => this.task(id) });
    this.#loop = createTurnLoop({ ...options, hub: this.#hub, ranDry: () => this.#settled.check() });
  }

  start(request: StartRequest, deed?: Deed): TaskView {
    this.requireWork();
    const row = createRootRow(this.#options, request, deed);
    this.#refuseSecondHolder(row);
    const { plan, secrets, scripts } = request;
    const started: StartedRows = { ...(plan && { plan }), ...(secrets && { secrets }), ...(scripts && { scripts }) };
    const incoming = { event: initEvent(request.input), source: null, progress: true };
    this.#loop.commit(signTurn(takeTurn(this.#loop.depsOf(row.id), row, incoming, started).rows, row, deed));
    this.#loop.drain();
    return this.#requireView(row.id);
  }

  send(taskId: string, event: MachineEvent, { secrets, deed }: SendExtra = {}): TaskView {
    if (ENDS_WORK.has(event.type)) this.#assertOpen();
    else this.requireWork();
    const row = this.#store.task(taskId);
    if (row === null || row.kind === "checkpoint") throw createTaskUnknownError(taskId);
    if (row.quarantine !== null && !isFinal(row.facts.state)) this.#sendToFrozen(row, event, deed);
    else this.#sendToMachine(row, event, secrets ? { secrets } : {}, deed);
    this.#loop.drain();
    return this.#requireView(taskId);
  }

  async recover(): ReturnType<Runtime["recover"]> {
    this.#assertOpen();
    const recovered = recoverTasks(this.#options, this.#loop);
    this.#loop.drain();
    return recovered;
  }

  async settled(taskId: string, signal?: AbortSignal): Promise<TaskView> {
    this.#assertOpen();
    return this.#settled.wait(taskId, signal);
  }

  task(id: string): TaskView | null {
    const tree = this.#store.tree(id);
    const row = tree.find((other) => other.id === id);
    return row === undefined || row.kind === "checkpoint" ? null : viewTree(row, tree, this.#options.nameOf);
  }

  watch(...[fromSeq, signal]: Parameters<Runtime["watch"]>): ReturnType<Runtime["watch"]> {
    return this.#hub.watch(fromSeq, signal);
  }

  load(): RuntimeLoad {
    return { inbox: this.#loop.waiting(), ...this.#hub.load() };
  }

  refuseWork(until: number): void {
    this.#drainedAt = until;
  }

  requireWork(): void {
    this.#assertOpen();
    if (this.#drainedAt === null) return;
    const retryAfter = Math.max(1, Math.ceil((this.#drainedAt - this.#options.clock.now()) / 1_000));
    throw new EngineError("TASK_ENGINE_DRAINING", "the engine is about to close and takes no new work", { retryAfter });
  }

  close(): Promise<void> {
    this.#closing ??= this.#loop.close().finally(() => {
      this.#settled.close();
      this.#hub.close();
    });
    return this.#closing;
  }

  #requireView(id: string): TaskView {
    const view = this.task(id);
    if (view === null) throw createTaskUnknownError(id);
    return view;
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw createEngineClosedError();
  }

  #refuseSecondHolder(row: TaskRow): void {
    const holder = findOtherHolder(this.#store, row);
    if (holder !== null) throw createClaimHeldError(holder, row.claim ?? row.id);
  }

  #sendToFrozen(row: TaskRow, event: MachineEvent, deed: Deed | undefined): void {
    const command = QUARANTINE_COMMANDS.find((one) => event.type === `user.${one}`);
    if (command === undefined) throw createRefusedError(row, event);
    if (command === "retry") releaseTask(this.#options, this.#loop, row, event, deed);
    else dismissQuarantinedTask(this.#options, this.#loop, row, event, deed);
  }

  #sendToMachine(row: TaskRow, event: MachineEvent, started: StartedRows, deed: Deed | undefined): void {
    try {
      const incoming = { event, source: null, progress: true };
      const turn = takeTurn(this.#loop.depsOf(row.root), row, incoming, started);
      if (turn.taken) this.#refuseSecondHolder(turn.row);
      this.#loop.commit(signTurn(turn.rows, row, deed, turn.taken));
      if (!turn.taken) throw createRefusedError(row, event);
    } catch (error) {
      if (!(error instanceof MachineFault)) throw error;
      this.#loop.quarantine(row, "TASK_QUARANTINED", error.message, event);
      throw new EngineError("TASK_QUARANTINED", `task "${row.id}" can't go on: ${error.message}`, { taskId: row.id });
    }
  }
}

function createRootRow(
  { registry, randomness, clock }: RuntimeOptions,
  request: StartRequest,
  deed: Deed | undefined,
): TaskRow {
  const id = randomness.id();
  const version = registry[request.machine]?.version ?? 0;
  return createTaskRow({ id, root: id, parent: null, name: id }, request, {
    version,
    label: request.appId,
    now: clock.now(),
    ...(deed && { startedBy: deed.actor }),
  });
}

function createRefusedError(row: TaskRow, event: MachineEvent): EngineError {
  const { state } = row.facts;
  const action = event.type.replace(/^user\./, "");
  return new EngineError("TASK_REFUSED", `task "${row.id}" is ${state} and does not take "${action}"`, {
    taskId: row.id,
    state,
  });
}
