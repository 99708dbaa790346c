import { createEngineClosedError, createTaskUnknownError } from "../../core/codes/common-errors.ts";
import type { TaskView } from "../api.ts";

interface Waiter {
  readonly taskId: string;
  readonly resolve: (view: TaskView) => void;
  readonly reject: (reason: unknown) => void;
}

export interface SettledOptions {
  /** Whether a task goes on by itself. */
  readonly busy: (taskId: string) => boolean;
  readonly view: (taskId: string) => TaskView | null;
}

/** Callers that wait for a task to rest. */
export class SettledWaiters {
  readonly #options: SettledOptions;
  readonly #waiters = new Set<Waiter>();

  constructor(options: SettledOptions) {
    this.#options = options;
  }

  wait(taskId: string, signal?: AbortSignal): Promise<TaskView> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        this.#waiters.delete(waiter);
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
      this.#waiters.add(waiter);
      this.check();
    });
  }

  /** Resolves every waiter whose task rests now; called when the turns have run dry. */
  check(): void {
    const { busy, view } = this.#options;
    for (const waiter of this.#waiters) {
      const { taskId, resolve, reject } = waiter;
      if (busy(taskId)) continue;
      const found = view(taskId);
      this.#waiters.delete(waiter);
      if (found !== null) resolve(found);
      else reject(createTaskUnknownError(taskId));
    }
  }

  /** Rejects every waiter with `TASK_ENGINE_CLOSED`. */
  close(): void {
    for (const { reject } of this.#waiters) reject(createEngineClosedError());
    this.#waiters.clear();
  }
}
