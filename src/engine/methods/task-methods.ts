import type { Lifecycles } from "../api.ts";
import { DecisionRequest, HistoryRange, InputRequest, LogRange, readRequest, TaskFilter } from "../requests.ts";
import { decide, giveInput } from "./decide.ts";
import type { MethodDeps } from "./deps.ts";
import { listNotifications, readNotification, readNotifications } from "./notifications.ts";
import { listTasks, readHistory, readLog, readTrace } from "./read-tasks.ts";

type TaskMethods = Pick<
  Lifecycles,
  | "tasks"
  | "task"
  | "history"
  | "log"
  | "trace"
  | "watch"
  | "lastSeq"
  | "eventLog"
  | "notifications"
  | "readNotification"
  | "readNotifications"
  | "settled"
  | "input"
  | "retry"
  | "skip"
  | "cancel"
  | "dismiss"
>;

/** Makes the part of the engine that reads tasks that are there, and has them decided about. */
export function createTaskMethods(deps: MethodDeps): TaskMethods {
  const { runtime, store } = deps;
  return {
    tasks: (filter = {}) => listTasks(store, readRequest(TaskFilter, filter)),
    task: (id) => runtime.task(id),
    history: (taskId, range = {}) => readHistory(deps, taskId, readRequest(HistoryRange, range)),
    log: (taskId, range = {}) => readLog(deps, taskId, readRequest(LogRange, range)),
    trace: async (taskId, range = {}) => readTrace(deps, taskId, readRequest(HistoryRange, range)),
    watch: (fromSeq, signal) => runtime.watch(fromSeq, signal),
    lastSeq: () => store.lastSeq(),
    eventLog: () => ({ epoch: store.opened.history, seq: store.lastSeq(), oldest: store.oldestSeq() }),
    notifications: (filter = {}) => listNotifications(store, filter),
    readNotification: (id) => readNotification(deps, id),
    readNotifications: () => readNotifications(deps),
    settled: (taskId, signal) => runtime.settled(taskId, signal),
    input: async (taskId, values, about = {}) =>
      giveInput(deps, taskId, readRequest(InputRequest, values), readRequest(DecisionRequest, about)),
    retry: async (taskId, about = {}) => decide(deps, taskId, "retry", readRequest(DecisionRequest, about)),
    skip: async (taskId, about = {}) => decide(deps, taskId, "skip", readRequest(DecisionRequest, about)),
    cancel: async (taskId) => decide(deps, taskId, "cancel"),
    dismiss: async (taskId) => decide(deps, taskId, "dismiss"),
  };
}
