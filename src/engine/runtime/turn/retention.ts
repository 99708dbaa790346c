import { isFinal } from "../../../core/task-states.ts";
import type { Logger } from "../../ports/environment.ts";
import type { Store } from "../../ports/store.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";
import { tryWrite } from "./store-fault.ts";

/** Trees that ended last and are kept with their events, plans and logs (`Store.pruneEndedTasks`). */
export const KEPT_TREES = 200;

/** Lets go of trees that ended long ago, once there may be some. */
export interface Retention {
  /** Notes that a committed turn may have ended a tree. */
  note(rows: Pick<TurnRows, "tasks">): void;
  /** Prunes where a tree may have ended since nothing was left to prune; a store that refuses is asked again. */
  prune(): void;
}

/** The first `prune` asks the store: an earlier life may have left something. */
export function createRetention(
  store: Pick<Store, "pruneEndedTasks">,
  logger: Logger,
  keepTrees = KEPT_TREES,
): Retention {
  return new EndedTrees(store, logger, keepTrees);
}

class EndedTrees implements Retention {
  readonly #store: Pick<Store, "pruneEndedTasks">;
  readonly #logger: Logger;
  readonly #keepTrees: number;
  #mayPrune = true;

  constructor(store: Pick<Store, "pruneEndedTasks">, logger: Logger, keepTrees: number) {
    this.#store = store;
    this.#logger = logger;
    this.#keepTrees = keepTrees;
  }

  note({ tasks }: Pick<TurnRows, "tasks">): void {
    this.#mayPrune ||= tasks.some(({ row }) => isFinal(row.facts.state));
  }

  prune(): void {
    if (!this.#mayPrune) return;
    tryWrite(this.#logger, () => {
      this.#mayPrune = this.#store.pruneEndedTasks(this.#keepTrees) > 0;
    });
  }
}
