/** A journal in memory: for runs without an engine, and for whoever wants to see what was kept. */
import type { Choice, JournalEntry, JournalPlace, RunJournal, UncertainRequest } from "../contract.ts";
import type { JournalRow, StoredJournal } from "./row.ts";

/** Decisions where nobody is asked, and listeners for what a run says of its journal. */
export interface MemoryJournalOptions {
  readonly resends?: boolean;
  readonly lastAlive?: number;
  readonly askAboutRequest?: (request: UncertainRequest) => Promise<Choice>;
  readonly decisionOf?: (checkpoint: string) => Promise<Choice>;
  readonly log?: (line: string) => void;
  readonly passed?: (place: JournalPlace) => void;
  /** It is read when the run has ended: its end is kept, and past a limit what was kept until then. */
  readonly isRead?: boolean;
}

export class MemoryJournal implements RunJournal {
  readonly #options: MemoryJournalOptions;
  readonly #rows: JournalRow[];
  /** Running time at each place an earlier life was gone on from, ms. */
  readonly wentOnAt: number[] = [];
  /** Why it was given up; null while it was not. */
  givenUp: string | null = null;

  constructor(options: MemoryJournalOptions = {}, rows: readonly JournalRow[] = []) {
    this.#options = options;
    this.#rows = [...rows];
  }

  get resends(): boolean {
    return this.#options.resends ?? false;
  }

  get keepsEnd(): boolean {
    return this.#options.isRead ?? false;
  }

  get lastAlive(): number | null {
    return this.#options.lastAlive ?? null;
  }

  read(): StoredJournal {
    return { rows: [...this.#rows], head: this.#rows.at(-1)?.digest ?? "" };
  }

  write({ row, lines }: JournalEntry): Promise<void> {
    this.#rows.push(row);
    for (const line of lines) this.#options.log?.(line);
    return Promise.resolve();
  }

  giveUp(reason: string): void {
    this.givenUp = reason;
    if (!this.keepsEnd) this.#rows.length = 0;
  }

  askAboutRequest(request: UncertainRequest): Promise<Choice> {
    return this.#options.askAboutRequest?.(request) ?? Promise.resolve("skip");
  }

  decisionOf(checkpoint: string): Promise<Choice> {
    return this.#options.decisionOf?.(checkpoint) ?? Promise.resolve("skip");
  }

  replayed(): void {}

  wentOn(ranMs: number): void {
    this.wentOnAt.push(ranMs);
  }

  passed(place: JournalPlace): void {
    this.#options.passed?.(place);
  }
}
