/**
 * The questions a running hook puts to a person.
 *
 * Invariants:
 * 1. One at a time; the next is asked once the one before is decided.
 * 2. A decision is on disk before anybody acts on it, and is not asked for again after a restart; it answers one question,
 *    also where it is brought again.
 * 3. What is asked twice at once is one question: the second would forget the decision before the first has acted on it.
 * 4. A disk without room fails no question: it is put once the decision before it is over, and a decision is brought until
 *    it is kept.
 */
import { z } from "zod";
import type { Choice } from "../../../../sandbox/contract.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileStoreFails } from "../retry.ts";

/**
 * Decisions that are kept. One is used once the journal has what came of it, which every further question takes to the disk:
 * two would do.
 */
const KEPT = 8;

const decisions = z.array(
  z.object({
    about: z.string(),
    choice: z.enum(["retry", "skip"]),
    /** The effect that brought it. */
    by: z.string(),
    /** The same was asked anew since. */
    isOver: z.boolean(),
  }),
);
type Decisions = Readonly<z.infer<typeof decisions>>;

export class HookQuestions {
  readonly #run: Pick<EffectRun, "note" | "writeNote" | "signal">;
  readonly #deps: Pick<EffectDeps, "clock" | "logger">;
  #waiting: { readonly about: string; readonly resolve: (choice: Choice) => void } | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  /** Questions that are not decided, by what they are about. */
  readonly #open = new Map<string, Promise<Choice>>();
  #decisions: Decisions;

  constructor(run: Pick<EffectRun, "note" | "writeNote" | "signal">, deps: Pick<EffectDeps, "clock" | "logger">) {
    this.#run = run;
    this.#deps = deps;
    this.#decisions = decisions.parse(run.note?.["decisions"] ?? []);
  }

  /** Asks anew: `tell` puts the question, which `about` names in the decision. */
  ask(about: string, tell: () => Promise<void>): Promise<Choice> {
    return this.#inTurn(about, async () => {
      // what was decided when the same was asked before
      if (this.#decided(about) !== null) {
        const over = this.#decisions.map((decision) =>
          decision.about === about ? { ...decision, isOver: true } : decision,
        );
        await retryWhileStoreFails(this.#deps, this.#run.signal, () => this.#keep(over));
      }
      return this.#wait(about, tell);
    });
  }

  /** Asks what an earlier life may have asked: a decision that was made since is taken. */
  askAgain(about: string, tell: () => Promise<void>): Promise<Choice> {
    return this.#inTurn(about, async () => this.#decided(about) ?? this.#wait(about, tell));
  }

  /**
   * A person's decision, brought by this effect; one about what nobody asks is kept for who will ask again. Throws the
   * store's refusal.
   */
  decide(about: string, choice: Choice, by: string): void {
    if (this.#decisions.some((decision) => decision.by === by)) return;
    this.#keep([...this.#decisions, { about, choice, by, isOver: false }].slice(-KEPT));
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
    return this.#decisions.findLast((decision) => decision.about === about && !decision.isOver)?.choice ?? null;
  }

  #keep(kept: Decisions): void {
    this.#run.writeNote({ ...this.#run.note, decisions: [...kept] });
    this.#decisions = kept;
  }
}
