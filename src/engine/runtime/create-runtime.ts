import { createEngineClosedError, createTaskUnknownError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { isFinal } from "../../core/task-states.ts";
import type { TaskView } from "../api.ts";
import type { StartedRows, TaskRow } from "../ports/store.ts";
import { type MachineEvent, TURN_ACTIONS } from "./effect.ts";
import { createTaskRow } from "./new-task.ts";
import { dismissQuarantinedTask, recoverTasks, releaseTask } from "./recovery.ts";
import type { Runtime, RuntimeOptions, StartRequest } from "./runtime.ts";
import { SettledWaiters } from "./settled.ts";
import { initEvent, MachineFault } from "./turn/plan-turn.ts";
import { findOtherHolder, takeTurn } from "./turn/turn.ts";
import { createTurnLoop } from "./turn/turn-loop.ts";
import { viewTree } from "./views.ts";
import { WatchHub } from "./watch-hub.ts";

/**
 * Makes a runtime over an open store. Nothing runs before `start` or `recover`. Throws where a handler has the name of an
 * action the turn carries out itself: it would never be called.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const shadowed = TURN_ACTIONS.find((name) => options.handlers[name] !== undefined);
  if (shadowed !== undefined) throw new Error(`"${shadowed}" is carried out by the turn and takes no handler`);
  const { store } = options;
  const hub = new WatchHub(store);
  const settled = new SettledWaiters({ busy: store.busy, view: findView });
  const loop = createTurnLoop({ ...options, hub, ranDry: () => settled.check() });
  let closing: Promise<void> | null = null;

  function findView(id: string): TaskView | null {
    const tree = store.tree(id);
    const row = tree.find((other) => other.id === id);
    return row === undefined || row.kind === "checkpoint" ? null : viewTree(row, tree);
  }

  function requireView(id: string): TaskView {
    const view = findView(id);
    if (view === null) throw createTaskUnknownError(id);
    return view;
  }

  function assertOpen(): void {
    if (closing !== null) throw createEngineClosedError();
  }

  function refuseSecondHolder(row: TaskRow): void {
    const holder = findOtherHolder(store, row);
    if (holder === null) return;
    throw new EngineError("TASK_CONFLICT", `task "${holder}" is already at work on "${row.claim}"`, { taskId: holder });
  }

  function sendToFrozen(row: TaskRow, event: MachineEvent): void {
    switch (event.type) {
      case "user.retry":
        releaseTask(options, loop, row, event);
        break;
      case "user.cancel":
      case "user.dismiss":
        dismissQuarantinedTask(options, loop, row, event);
        break;
      default:
        throw createRefusedError(row, event);
    }
  }

  function sendToMachine(row: TaskRow, event: MachineEvent, started: StartedRows): void {
    try {
      const turn = takeTurn(loop.depsOf(row.root), row, { event, source: null, progress: true }, started);
      if (turn.taken) refuseSecondHolder(turn.row);
      loop.commit(turn.rows);
      if (!turn.taken) throw createRefusedError(row, event);
    } catch (error) {
      if (!(error instanceof MachineFault)) throw error;
      loop.quarantine(row, "TASK_QUARANTINED", error.message, event);
      throw new EngineError("TASK_QUARANTINED", `task "${row.id}" can't go on: ${error.message}`, { taskId: row.id });
    }
  }

  return {
    start(request) {
      assertOpen();
      const row = createRootRow(options, request);
      refuseSecondHolder(row);
      const { plan, secrets, scripts } = request;
      const started: StartedRows = { ...(plan && { plan }), ...(secrets && { secrets }), ...(scripts && { scripts }) };
      const incoming = { event: initEvent(request.input), source: null, progress: true };
      loop.commit(takeTurn(loop.depsOf(row.id), row, incoming, started).rows);
      loop.drain();
      return requireView(row.id);
    },
    send(taskId, event, extra = {}) {
      assertOpen();
      const row = store.task(taskId);
      if (row === null || row.kind === "checkpoint") throw createTaskUnknownError(taskId);
      if (row.quarantine !== null && !isFinal(row.facts.state)) sendToFrozen(row, event);
      else sendToMachine(row, event, extra.secrets ? { secrets: extra.secrets } : {});
      loop.drain();
      return requireView(taskId);
    },
    async recover() {
      assertOpen();
      const recovered = recoverTasks(options, loop);
      loop.drain();
      return recovered;
    },
    async settled(taskId, signal) {
      assertOpen();
      return settled.wait(taskId, signal);
    },
    task: findView,
    watch: (fromSeq, signal) => hub.watch(fromSeq, signal),
    close() {
      closing ??= loop.close().finally(() => {
        settled.close();
        hub.close();
      });
      return closing;
    },
  };
}

function createRootRow({ registry, randomness, clock }: RuntimeOptions, request: StartRequest): TaskRow {
  const id = randomness.id();
  const version = registry[request.machine]?.version ?? 0;
  return createTaskRow({ id, root: id, parent: null, name: id }, request, {
    version,
    label: request.appId,
    now: clock.now(),
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
