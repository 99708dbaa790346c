import type { Life } from "./opening/begin-life.ts";
import type { RollbackWitness } from "./rollback-witness.ts";

/** Counts a life's log numbers and its writes of journals, and tells the rollback witness both after each commit. */
export class LifeCounters {
  readonly #life: Life;
  readonly #witness: RollbackWitness;
  #seq: number;
  #journalWrites: number;

  constructor(life: Life, witness: RollbackWitness) {
    this.#life = life;
    this.#witness = witness;
    this.#seq = life.seq;
    this.#journalWrites = life.journalWrites;
  }

  /** The last log number ever given out. */
  get seq(): number {
    return this.#seq;
  }

  /** Gives out the next log number, within `commit`. */
  takeSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Runs the commit of a turn; where it throws, the log numbers it took are free again. */
  commit<T>(write: () => T): T {
    const before = this.#seq;
    try {
      const committed = write();
      this.#bearWitness();
      return committed;
    } catch (error) {
      this.#seq = before;
      throw error;
    }
  }

  /** Runs a commit to journals, which keeps the number of writes it makes up. */
  commitJournals(write: (journalWrites: number) => void): void {
    const next = this.#journalWrites + 1;
    write(next);
    this.#journalWrites = next;
    this.#bearWitness();
  }

  #bearWitness(): void {
    const { incarnation, opened } = this.#life;
    const counted = { seq: this.#seq, journalWrites: this.#journalWrites };
    this.#witness.write({ incarnation, epoch: opened.epoch, ...counted });
  }
}
