import type { Clock, Logger } from "../../ports/environment.ts";
import type { Store } from "../../ports/store.ts";
import { tryWrite } from "./store-fault.ts";

const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 30_000;

/**
 * Has the store make unreadable what was deleted, once for all that a second brings: it costs some waits for the disk.
 * Where the store can't, because somebody reads it or its disk fails, it is asked again, a little later each time.
 */
export class Erasure {
  readonly #store: Pick<Store, "holdsDeleted" | "eraseDeleted">;
  readonly #clock: Pick<Clock, "after">;
  readonly #logger: Logger;
  /** Takes the planned attempt back; null where none is planned. */
  #cancel: (() => void) | null = null;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(store: Pick<Store, "holdsDeleted" | "eraseDeleted">, clock: Pick<Clock, "after">, logger: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Called whenever nothing waits for a turn. */
  plan(): void {
    if (this.#cancel !== null || !this.#store.holdsDeleted()) return;
    this.#cancel = this.#clock.after(this.#pauseMs, () => this.#erase());
  }

  stop(): void {
    this.#cancel?.();
  }

  #erase(): void {
    this.#cancel = null;
    tryWrite(this.#logger, () => this.#store.eraseDeleted());
    this.#pauseMs = this.#store.holdsDeleted() ? Math.min(LAST_PAUSE_MS, this.#pauseMs * 2) : FIRST_PAUSE_MS;
    this.plan();
  }
}
