/** Decisions that were refused, by task: the element that sent one may be gone by the time the answer comes. */
import type { ApiError } from "../api/client.ts";

export class Refusals {
  readonly #byTask = new Map<string, ApiError>();
  readonly #listeners = new Set<() => void>();

  get(taskId: string): ApiError | undefined {
    return this.#byTask.get(taskId);
  }

  /** Keeps a refusal until the next decision about the task, or forgets it. */
  set(taskId: string, refusal: ApiError | undefined): void {
    if (refusal === undefined && !this.#byTask.has(taskId)) return;
    if (refusal === undefined) this.#byTask.delete(taskId);
    else this.#byTask.set(taskId, refusal);
    for (const listener of this.#listeners) listener();
  }

  /** Calls when one comes or goes, until the signal aborts. */
  subscribe(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }
}

const byApi = new Map<string, Refusals>();

/** Those of an interface: elements with the same address share them. */
export function refusalsOf(api: string): Refusals {
  const found = byApi.get(api) ?? new Refusals();
  byApi.set(api, found);
  return found;
}
