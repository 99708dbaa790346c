import type { Clock, Logger } from "../../ports/environment.ts";
import type { Store } from "../../ports/store.ts";
import { tryWrite } from "./store-fault.ts";

/** Ms without a turn after which nobody is taken to be at work. */
const IDLE_MS = 2_000;
/** Ms between two steps: whoever comes meanwhile goes first. */
const PAUSE_MS = 50;

/** What shrinking asks of a store. */
type ShrinkingStore = Pick<Store, "shrink" | "tally">;

/** Has the store give unused room back while no task is at work: the next turn stops it, and it begins again after that. */
export class Shrinking {
  readonly #store: ShrinkingStore;
  readonly #clock: Pick<Clock, "after">;
  readonly #logger: Logger;
  readonly #ended: () => void;
  #cancel = () => {};

  /** `ended` is called when a run of steps is over: what was moved stands in the write-ahead log until then. */
  constructor(store: ShrinkingStore, clock: Pick<Clock, "after">, logger: Logger, ended: () => void) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
    this.#ended = ended;
  }

  /** Called whenever nothing waits for a turn. */
  plan(): void {
    this.#cancel();
    this.#cancel = this.#clock.after(IDLE_MS, () => this.#step());
  }

  stop(): void {
    this.#cancel();
  }

  #step(): void {
    tryWrite(this.#logger, () => {
      // an effect under way ends with a turn, after which it is looked at again
      if (this.#store.tally().effects.length > 0) return;
      if (this.#store.shrink()) this.#cancel = this.#clock.after(PAUSE_MS, () => this.#step());
      else this.#ended();
    });
  }
}
