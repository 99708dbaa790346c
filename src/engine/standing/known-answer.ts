import type { LastKnown } from "../api.ts";
import type { Clock } from "../ports/environment.ts";
import { answerIfSoon, answerPromptly } from "./answer-promptly.ts";
import type { HostWatch } from "./watch-host.ts";

/** Ms a late answer of a host that is there is waited for where an earlier one can be shown. */
const PATIENCE_MS = 500;
/** The same of a host that is away: enough for one that is back. */
const AWAY_PATIENCE_MS = 50;

/** A host's answer, of now or earlier. */
export interface Known<Value> {
  readonly value: Value;
  /** UTC ms at which it was said. */
  readonly at: number;
  /** It is what the host said earlier: asked now, it did not answer. */
  readonly isStale: boolean;
}

/** Asks for a value; one that is younger than `maxAgeMs` (0: none is) is not asked for again. */
export type AskKnown<Value> = (maxAgeMs?: number) => Promise<Known<Value>>;

export interface KnownDeps {
  /** It and the clock end a wait. */
  readonly watch: HostWatch;
  readonly clock: Clock;
  /** Monotonic ms at which the engine last changed something on the host: what was asked before may be of before it. */
  changedAt(): number;
}

/**
 * A question whose last answer stands in for one that does not come. Rejects as the host does, or with why it is away,
 * where it was never answered.
 */
export function keepKnown<Value>(deps: KnownDeps, ask: () => Promise<Value>): AskKnown<Value> {
  const { watch, clock } = deps;
  let last: { readonly value: Value; readonly at: number; readonly asked: number } | null = null;
  let pending: { readonly answer: Promise<Value>; readonly asked: number } | null = null;

  function start(): Promise<Value> {
    const asked = clock.monotonic();
    const mine = ask().then((value) => {
      // A question asked later may have been answered first.
      if (last === null || last.asked <= asked) last = { value, at: clock.now(), asked };
      return value;
    });
    pending = { answer: mine, asked };
    const forget = () => {
      if (pending?.answer === mine) pending = null;
    };
    mine.then(forget, forget);
    return mine;
  }

  return async (maxAgeMs = 0) => {
    const kept = last;
    const isOfNow = (asked: number) => asked > deps.changedAt();
    if (kept !== null && isOfNow(kept.asked) && clock.monotonic() - kept.asked < maxAgeMs)
      return { ...kept, isStale: false };
    const { reachable } = watch.standing();
    // A host that is away is asked once, however many wait for it.
    const isShared = pending !== null && (!reachable || (maxAgeMs > 0 && isOfNow(pending.asked)));
    const answer = pending !== null && isShared ? pending.answer : start();
    if (kept === null) {
      const value = await answerPromptly(deps, answer, PATIENCE_MS);
      return { value, at: clock.now(), isStale: false };
    }
    const found = await answerIfSoon(clock, answer, reachable ? PATIENCE_MS : AWAY_PATIENCE_MS);
    if (found !== null) return { value: found.of, at: clock.now(), isStale: false };
    void watch.look();
    return { value: kept.value, at: kept.at, isStale: true };
  };
}

/** The mark of what rests on earlier answers: the oldest of them; nothing where all are of now. */
export function findLastKnown(
  { now }: Pick<Clock, "now">,
  ...answers: readonly Pick<Known<unknown>, "at" | "isStale">[]
): { readonly lastKnown?: LastKnown } {
  const stale = answers.filter(({ isStale }) => isStale).map(({ at }) => at);
  if (stale.length === 0) return {};
  const at = Math.min(...stale);
  return { lastKnown: { at: new Date(at).toISOString(), ageMs: Math.max(0, now() - at) } };
}
