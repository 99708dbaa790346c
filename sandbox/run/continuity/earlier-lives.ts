/** Reads what earlier lives of a run have left. A journal no life can go on from is told as a divergence. */
import { runInSlices } from "../../in-slices.ts";
import { type History, readHistoryInSteps } from "../../journal/history.ts";
import type { ContinuityPorts } from "./continuity-ports.ts";
import { isStartOf } from "./run-start.ts";

/** Largest journal that stays in memory between its reading and the replay, in bytes. */
const RECALLED_BYTES = 1024 * 1024;

export class EarlierLives {
  readonly #ports: ContinuityPorts;
  /** What was recalled, for the replay that follows at once; null where it is large, or somebody is asked first. */
  #recalled: History | null = null;

  constructor(ports: ContinuityPorts) {
    this.#ports = ports;
  }

  /** What the journal says; null where the run begins, and where it can't be gone on from. */
  async recall(): Promise<History | null> {
    const history = await this.#read();
    if (history === null) return null;
    if (history.givenUp !== null) {
      this.#ports.journal.giveUp(history.givenUp);
      return null;
    }
    if (!isStartOf(history.start, this.#ports.request)) {
      this.#ports.diverged("the journal is another run's: its script began with other data");
      return null;
    }
    // a run may wait long for its place or for a person: much that was kept of other deliveries is read again then
    if (history.place.bytes <= RECALLED_BYTES) this.#recalled = history;
    return history;
  }

  /** Keeps nothing of it in memory. */
  forget(): void {
    this.#recalled = null;
  }

  /** What the journal says now, with so many rows: read again unless it was just recalled. */
  async readAgain(rows: number): Promise<History | null> {
    const recalled = this.#recalled;
    this.#recalled = null;
    return recalled?.place.rows === rows ? recalled : this.#read();
  }

  async #read(): Promise<History | null> {
    const { reading, ended, journal, diverged } = this.#ports;
    if (!(await reading.enter(ended))) return null;
    try {
      const stored = await journal.read(ended);
      if (stored.rows.length === 0 && stored.head === "") return null;
      const history = await runInSlices(readHistoryInSteps(stored));
      if (!("damage" in history)) return history;
      diverged(`the journal is damaged: ${history.damage}`);
      return null;
    } finally {
      reading.leave();
    }
  }
}
