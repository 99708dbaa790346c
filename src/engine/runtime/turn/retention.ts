import { isFinal } from "../../../core/task-states.ts";
import type { Logger } from "../../ports/environment.ts";
import type { KeptPart, Store } from "../../ports/store.ts";
import type { TurnRows } from "../../ports/turn-rows.ts";
import { tryWrite } from "./store-fault.ts";

/** How much of tasks that have ended is kept: of each part of a tree, in so many of the trees that ended last. */
export interface Kept {
  /** Trees that are kept whole, with plan and effects; older ones keep their tasks alone (200). */
  readonly trees: number;
  /** Trees that keep their events, of those kept whole (200). */
  readonly events: number;
  /** Trees that keep the lines of their hooks' logs, of those kept whole (200). */
  readonly logs: number;
  /** Trees whose tasks keep the state of their machine, those that are not kept whole among them (1,000). */
  readonly snapshots: number;
  /** Bytes of what the database holds beyond which the oldest trees go earlier than that, but for the last five (256 MB). */
  readonly bytes: number;
}

/** What is kept where nothing else is asked for. */
export const DEFAULT_KEPT: Kept = { trees: 200, events: 200, logs: 200, snapshots: 1_000, bytes: 256 * 1024 * 1024 };

const PARTS: readonly KeptPart[] = ["trees", "events", "logs", "snapshots"];
/** What goes first beyond the bound: the state of machines alone is least to lose, and least to win. */
const EARLY: readonly KeptPart[] = ["trees", "snapshots"];

/** Nothing is left to prune where `pruned` is false. */
const AT_BOUND = "the database is at its bound: ended tasks are pruned earlier than they were to be";
/** Trees that go early at once: the next turn has the others. */
const MOST_EARLY = 10;
/**
 * Trees none of which goes early: the bound may be reached by what is never pruned, and then their going wins nothing, while
 * somebody still reads how they ended and drift has yet to look at what they have left.
 */
const LEAST_TREES = 5;

/** Lets go of trees that ended long ago, once there may be some. */
export interface Retention {
  /** Notes that a committed turn may have ended a tree. */
  note(rows: Pick<TurnRows, "tasks">): void;
  /** Prunes where a tree may have ended since nothing was left to prune; a store that refuses is asked again. */
  prune(): void;
}

type PrunedStore = Pick<Store, "pruneEndedTasks" | "usedBytes">;

/** The first `prune` asks the store: an earlier life may have left something. */
export function createRetention(store: PrunedStore, logger: Logger, kept: Partial<Kept> = {}): Retention {
  return new EndedTrees(store, logger, { ...DEFAULT_KEPT, ...kept });
}

class EndedTrees implements Retention {
  readonly #store: PrunedStore;
  readonly #logger: Logger;
  readonly #kept: Kept;
  #mayPrune = true;
  /** The log has it that the bound was reached. */
  #isTold = false;

  constructor(store: PrunedStore, logger: Logger, kept: Kept) {
    this.#store = store;
    this.#logger = logger;
    this.#kept = kept;
  }

  note({ tasks }: Pick<TurnRows, "tasks">): void {
    this.#mayPrune ||= tasks.some(({ row }) => isFinal(row.facts.state));
  }

  prune(): void {
    if (!this.#mayPrune) return;
    tryWrite(this.#logger, () => {
      const pruned = PARTS.map((part) => this.#store.pruneEndedTasks(this.#kept[part], part));
      let early = 0;
      while (early < MOST_EARLY && this.#pruneEarly()) early += 1;
      this.#mayPrune = early === MOST_EARLY || pruned.some((count) => count > 0);
    });
  }

  /** Beyond the bound the oldest ended tree goes; whether one did. */
  #pruneEarly(): boolean {
    const used = this.#store.usedBytes();
    const most = this.#kept.bytes;
    if (used <= most) {
      // what a few more tasks bring is not told as another time
      if (used < most * 0.9) this.#isTold = false;
      return false;
    }
    const pruned = EARLY.some(
      (part) => this.#store.pruneEndedTasks(Math.min(LEAST_TREES, this.#kept[part]), part, 1) > 0,
    );
    if (!this.#isTold) this.#logger.warn({ used, most, pruned }, AT_BOUND);
    this.#isTold = true;
    return pruned;
  }
}
