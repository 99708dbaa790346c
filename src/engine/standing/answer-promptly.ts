import { HostError } from "../host-error.ts";
import type { Clock } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { HostWatch } from "./watch-host.ts";

/** Ms between two looks at how the host stands while it is waited for. */
const GLANCE_MS = 100;
/** Ms after which a host that is slow to answer is asked for a sign of life. */
const SLOW_MS = 500;

/** An answer that came, boxed: any value may be one. */
interface Answer<T> {
  readonly of: T;
}

/** The answer within `ms`, else null; rejects as the answer does. */
function answerWithin<T>(clock: Clock, answer: Promise<T>, ms: number): Promise<Answer<T> | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const cancel = clock.after(ms, () => resolve(null));
  return Promise.race([answer.then((of) => ({ of })), promise]).finally(cancel);
}

/** The answer if it comes within `ms`, else null; a rejection is none either. Never rejects. */
export function answerIfSoon<T>(clock: Clock, answer: Promise<T>, ms: number): Promise<Answer<T> | null> {
  return answerWithin(clock, answer, ms).catch(() => null);
}

/**
 * Waits for an answer of the host as long as it is there. Rejects with why it is away, as an undelivered `HostError`, once
 * that is known and `graceMs` have passed: for questions only, since what was asked goes on.
 */
export async function answerPromptly<T>(
  { watch, clock }: { readonly watch: HostWatch; readonly clock: Clock },
  answer: Promise<T>,
  graceMs: number,
): Promise<T> {
  const began = clock.monotonic();
  for (;;) {
    const found = await answerWithin(clock, answer, GLANCE_MS);
    if (found !== null) return found.of;
    const waited = clock.monotonic() - began;
    const { fault } = watch.standing();
    if (fault !== null && waited >= graceMs) {
      answer.catch(() => {});
      throw new HostError(fault, "no");
    }
    if (waited >= SLOW_MS) void watch.look();
  }
}

/** The host for requests of people: every question of it ends `graceMs` after the host is known to be away. */
export function createPromptHost(watch: HostWatch, clock: Clock, graceMs: number): Host {
  return new Proxy(watch.host, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...asked: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, target, asked);
        return answer instanceof Promise ? answerPromptly({ watch, clock }, answer, graceMs) : answer;
      };
    },
  });
}
