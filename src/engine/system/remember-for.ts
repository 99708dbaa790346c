import type { Clock } from "../ports/environment.ts";

/**
 * A value asked for at most once per `maxAgeMs`: callers in between share the answer, callers during a question share
 * the question. A rejected question is not kept.
 */
export function rememberFor<Value>(clock: Clock, maxAgeMs: number, ask: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly at: number; readonly value: Promise<Value> } | null = null;
  return () => {
    const now = clock.monotonic();
    if (kept !== null && now - kept.at < maxAgeMs) return kept.value;
    const mine = { at: now, value: ask() };
    kept = mine;
    mine.value.catch(() => {
      if (kept === mine) kept = null;
    });
    return mine.value;
  };
}
