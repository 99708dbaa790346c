/** Log lines of a run without a journal, on their way to the store: those of one turn of the event loop together. */
import type { EffectRun } from "../../runtime/effect.ts";
import { isStoreFault } from "../../runtime/turn/store-fault.ts";
import type { EffectDeps } from "../deps.ts";

/** Pause before lines a store refused are written again, in ms. */
const RETRY_MS = 1_000;

export class HookLines {
  readonly #deps: Pick<EffectDeps, "store" | "clock" | "logger">;
  readonly #run: Pick<EffectRun, "taskId" | "signal">;
  #lines: string[] = [];
  #isRetrying = false;

  constructor(deps: Pick<EffectDeps, "store" | "clock" | "logger">, run: Pick<EffectRun, "taskId" | "signal">) {
    this.#deps = deps;
    this.#run = run;
  }

  add(line: string): void {
    if (this.#lines.length === 0) setImmediate(() => this.flush());
    this.#lines.push(line);
  }

  /** One transaction for all that wait; a store that refuses them gets them again. */
  flush(): void {
    if (this.#lines.length === 0) return;
    const { store, clock, logger } = this.#deps;
    const { taskId, signal } = this.#run;
    try {
      store.appendHookLog(taskId, clock.now(), this.#lines);
      this.#lines = [];
    } catch (error) {
      logger.warn({ task: taskId, error }, "lines of a hook are not stored");
      if (signal.aborted) return;
      if (!isStoreFault(error) || this.#isRetrying) return;
      this.#isRetrying = true;
      clock.after(RETRY_MS, () => {
        this.#isRetrying = false;
        this.flush();
      });
    }
  }
}
