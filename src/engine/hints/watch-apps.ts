/** Looks at the host's apps while somebody watches, and says which have changed. */
import { LIFECYCLES } from "../../core/task/task-facts.ts";
import type { EngineEvent } from "../api.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { AskKnown } from "../standing/known-answer.ts";

/** Ms between two looks: apps are started and stopped by others, too. */
const LOOK_MS = 5_000;
/** Ms after a change of a lifecycle until the next look. */
const SOON_MS = 250;

/** Tasks that change an app. */
const CHANGING: ReadonlySet<string> = new Set(LIFECYCLES);

export interface AppWatchDeps {
  readonly clock: Pick<Clock, "after">;
  readonly logger: Logger;
  readonly askApps: AskKnown<readonly HostApp[]>;
  /** Changes of tasks from now on. */
  readonly changes: (signal: AbortSignal) => AsyncIterable<EngineEvent>;
  /** Those that have changed since the look before. */
  readonly onChange: (appIds: readonly string[]) => void | Promise<void>;
}

/** Nothing is asked before `start`; what was seen last is kept over a `stop`. */
export class AppWatch {
  readonly #deps: AppWatchDeps;
  #seen: ReadonlyMap<string, string> | null = null;
  #running: AbortController | null = null;
  #next: { readonly isSoon: boolean; readonly cancel: () => void } | null = null;
  #looking = false;

  constructor(deps: AppWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    this.#lookIn(0, true);
    void this.#followTasks(running.signal);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#next?.cancel();
    this.#next = null;
  }

  async #followTasks(signal: AbortSignal): Promise<void> {
    try {
      for await (const { task } of this.#deps.changes(signal)) {
        if (CHANGING.has(task.kind)) this.#lookIn(SOON_MS, true);
      }
    } catch (error) {
      this.#deps.logger.debug({ error }, "the changes of tasks could not be followed");
    }
  }

  #lookIn(ms: number, isSoon: boolean): void {
    if (this.#running === null || this.#next?.isSoon === true) return;
    this.#next?.cancel();
    this.#next = { isSoon, cancel: this.#deps.clock.after(ms, () => void this.#look()) };
  }

  async #look(): Promise<void> {
    this.#next = null;
    // A host that answers late is asked once; the look that waits for it tells.
    if (!this.#looking) {
      this.#looking = true;
      try {
        const { value, isStale } = await this.#deps.askApps();
        if (!isStale) this.#compare(value);
      } catch (error) {
        this.#deps.logger.debug({ error }, "the host was not asked for the state of its apps");
      } finally {
        this.#looking = false;
      }
    }
    this.#lookIn(LOOK_MS, false);
  }

  #compare(apps: readonly HostApp[]): void {
    const before = this.#seen;
    const seen = describeApps(apps);
    this.#seen = seen;
    if (before === null || this.#running === null) return;
    const known = [...new Set([...before.keys(), ...seen.keys()])];
    const changed = known.filter((appId) => before.get(appId) !== seen.get(appId));
    if (changed.length > 0) void this.#deps.onChange(changed);
  }
}

/** Everything the host says of each app, in a text to compare; an app may have several instances. */
function describeApps(apps: readonly HostApp[]): ReadonlyMap<string, string> {
  const described = new Map<string, string>();
  for (const app of apps) described.set(app.appId, `${described.get(app.appId) ?? ""}${JSON.stringify(app)}\n`);
  return described;
}
