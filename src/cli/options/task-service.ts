import type { Json } from "../../core/json/json.ts";
import { findAskedCheckpoint } from "../../core/task/waiting.ts";
import type {
  AuditEntry,
  AuditRange,
  By,
  Decision,
  DecisionRequest,
  Drift,
  Engine,
  EngineEvent,
  NotificationView,
  TaskFilter,
  TaskView,
} from "../../engine/api.ts";

/** The part of an engine the task commands use, whether it runs in this process or behind `--api`. */
export interface TaskService {
  /** Root tasks, newest first; `changes(seq)` goes on from them without a gap. */
  tasks(filter: TaskFilter): Promise<{ readonly tasks: readonly TaskView[]; readonly seq: number }>;
  task(id: string): Promise<TaskView | null>;
  /** `about` is the question the inputs, a retry or a skip answer. */
  input(id: string, values: Readonly<Record<string, Json>>, about?: DecisionRequest): Promise<TaskView>;
  decide(id: string, decision: Decision, about?: DecisionRequest): Promise<TaskView>;
  /** Every change after a number, then live; ends when the signal aborts. */
  changes(fromSeq: number, signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** Notifications, newest first; with `unread` those nobody has marked as read. */
  notifications(unread: boolean): Promise<readonly NotificationView[]>;
  /** Who changed what, newest first. */
  audit(range: AuditRange): Promise<readonly AuditEntry[]>;
  /** Marks every notification as read. */
  readNotifications(): Promise<void>;
  /** Looks for drift now. */
  lookForDrift(): Promise<Drift>;
  /** Shows a root task at every change until it rests; rejects with the signal's reason when that aborts first. */
  follow(rootId: string, show: (task: TaskView) => void, signal: AbortSignal): Promise<TaskView>;
}

/** The engine of this process as a task service; what it decides it decides for `by`. */
export function createEngineTasks(engine: Engine, by: By): TaskService {
  return {
    tasks: async (filter) => ({ tasks: engine.tasks(filter), seq: engine.lastSeq() }),
    changes: (fromSeq, signal) => engine.watch(fromSeq, signal),
    task: async (id) => engine.task(id),
    notifications: async (unread) => engine.notifications({ unread }),
    readNotifications: async () => {
      engine.readNotifications(by);
    },
    lookForDrift: () => engine.lookForDrift(),
    audit: async (range) => engine.audit(range),
    input: (id, values, about) => engine.input(id, values, about, by),
    decide: (id, decision, about) =>
      decision === "retry" || decision === "skip" ? engine[decision](id, about, by) : engine[decision](id, by),
    follow: (rootId, show, signal) => followEngine(engine, rootId, show, signal),
  };
}

/** The question a task asks, as it is shown. */
export function readQuestion({ revision, waitingFor }: TaskView): DecisionRequest {
  const checkpoint = findAskedCheckpoint(waitingFor);
  return { revision, ...(checkpoint !== undefined && { checkpoint }) };
}

async function followEngine(
  engine: Engine,
  rootId: string,
  show: (task: TaskView) => void,
  signal: AbortSignal,
): Promise<TaskView> {
  const rested = new AbortController();
  const showing = (async () => {
    for await (const event of engine.watch(engine.lastSeq(), rested.signal)) {
      const task = event.taskId === rootId ? engine.task(rootId) : null;
      if (task !== null) show(task);
    }
  })();
  try {
    return await engine.settled(rootId, signal);
  } finally {
    rested.abort();
    await showing;
  }
}
