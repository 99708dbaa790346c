import { engineClosed, taskUnknown } from "../../core/codes/common-errors.ts";
import type { TaskView } from "../api.ts";

/** Callers that wait for a task to rest. */
export interface SettledWaiters {
  wait(taskId: string, signal?: AbortSignal): Promise<TaskView>;
  /** Resolves every waiter whose task rests now; called when the turns have run dry. */
  check(): void;
  /** Rejects every waiter with `TASK_ENGINE_CLOSED`. */
  close(): void;
}

interface Waiter {
  readonly taskId: string;
  readonly resolve: (view: TaskView) => void;
  readonly reject: (reason: unknown) => void;
}

export function createSettledWaiters(look: {
  readonly busy: (taskId: string) => boolean;
  readonly view: (taskId: string) => TaskView | null;
}): SettledWaiters {
  const waiters = new Set<Waiter>();

  function check(): void {
    for (const waiter of waiters) {
      if (look.busy(waiter.taskId)) continue;
      const view = look.view(waiter.taskId);
      waiters.delete(waiter);
      if (view !== null) waiter.resolve(view);
      else waiter.reject(taskUnknown(waiter.taskId));
    }
  }

  return {
    check,
    wait(taskId, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          waiters.delete(waiter);
          reject(signal?.reason);
        };
        const waiter: Waiter = {
          taskId,
          resolve(view) {
            signal?.removeEventListener("abort", stop);
            resolve(view);
          },
          reject,
        };
        signal?.addEventListener("abort", stop, { once: true });
        waiters.add(waiter);
        check();
      });
    },
    close() {
      for (const { reject } of waiters) reject(engineClosed());
      waiters.clear();
    },
  };
}
