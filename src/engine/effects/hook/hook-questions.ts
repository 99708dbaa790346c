/**
 * The questions a running hook puts to a person.
 *
 * Invariants:
 * 1. One at a time; the next is asked once the one before is decided.
 * 2. A decision is on disk before anybody acts on it, and is not asked for again after a restart.
 * 3. What is asked twice at once is one question: the second would forget the decision before the first has acted on it.
 * 4. A disk without room fails no question: it is put once the decision before it is forgotten, and a decision is given
 *    again until it is kept (`hook.answer` is taken up again).
 */
import type { Choice } from "../../../../sandbox/contract.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { isJsonObject } from "../../../core/json/json.ts";
import type { Clock } from "../../ports/environment.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import { pause } from "../retry.ts";

/** Pause before a note the store refused is written again, in ms. */
const RETRY_MS = 1_000;

export class HookQuestions {
  readonly #run: Pick<EffectRun, "note" | "writeNote" | "signal">;
  readonly #clock: Clock;
  #waiting: { readonly about: string; readonly resolve: (choice: Choice) => void } | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** Questions that are not decided, by what they are about. */
  readonly #open = new Map<string, Promise<Choice>>();

  constructor(run: Pick<EffectRun, "note" | "writeNote" | "signal">, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
  }

  /** Asks anew: `tell` puts the question, which `about` names in the decision. */
  ask(about: string, tell: () => Promise<void>): Promise<Choice> {
    return this.#inTurn(about, async () => {
      // what was decided when the same was asked before
      if (this.#decided(about) !== null) await this.#forget();
      return this.#wait(about, tell);
    });
  }

  /** Asks what an earlier life may have asked: a decision that was made since is taken. */
  askAgain(about: string, tell: () => Promise<void>): Promise<Choice> {
    return this.#inTurn(about, async () => this.#decided(about) ?? this.#wait(about, tell));
  }

  /** A person's decision; one about what nobody asks is kept for who will ask again. Throws the store's refusal. */
  decide(about: string, choice: Choice): void {
    this.#keep({ about, choice });
    if (this.#waiting?.about !== about) return;
    const { resolve } = this.#waiting;
    this.#waiting = null;
    resolve(choice);
  }

  #inTurn(about: string, ask: () => Promise<Choice>): Promise<Choice> {
    const open = this.#open.get(about);
    if (open !== undefined) return open;
    const asked = this.#turn.then(ask).finally(() => this.#open.delete(about));
    this.#open.set(about, asked);
    this.#turn = asked.catch(() => undefined);
    return asked;
  }

  #wait(about: string, tell: () => Promise<void>): Promise<Choice> {
    return new Promise((resolve, reject) => {
      this.#waiting = { about, resolve };
      tell().catch(reject);
    });
  }

  #decided(about: string): Choice | null {
    const decided = this.#run.note?.["decided"];
    if (!isJsonObject(decided) || decided["about"] !== about) return null;
    const { choice } = decided;
    return choice === "retry" || choice === "skip" ? choice : null;
  }

  async #forget(): Promise<void> {
    for (;;) {
      try {
        this.#keep(null);
        return;
      } catch (error) {
        if (!(error instanceof EngineError && error.code.startsWith("STORE_"))) throw error;
      }
      await pause(this.#clock, RETRY_MS, this.#run.signal);
      this.#run.signal.throwIfAborted();
    }
  }

  #keep(decided: { readonly about: string; readonly choice: Choice } | null): void {
    const { decided: _, ...note } = this.#run.note ?? {};
    this.#run.writeNote(decided === null ? note : { ...note, decided });
  }
}
