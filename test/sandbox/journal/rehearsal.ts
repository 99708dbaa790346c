/**
 * A script of steps played without a sandbox: it says which requests are under way whenever nothing moves, so that an app
 * can answer them in an order that is the same in every run.
 */
import { drawRandom, seedRandom } from "../../../sandbox/guest/web/random.ts";

/** Sleeps from here on never end before the script does. */
const LONG_MS = 1_000;

export interface Rehearsal {
  /** Names of the requests that wait for their answer; null where the script has ended. */
  pending(): readonly string[] | null;
  /** Answers a request; resolves when nothing moves any more. */
  answer(name: string, text: string): Promise<void>;
}

/** The name of a request without what the clock has added. */
export function plainName(text: string): string {
  return text.replaceAll(/\b(n\d+)[ab]\b/g, "$1");
}

/** Plays `body` (`writeSteps`) until it waits for requests. */
export async function rehearse(body: string, seed: string, choose: (id: string) => string): Promise<Rehearsal> {
  const open = new Map<string, (text: string) => void>();
  let hasEnded = false;
  seedRandom(seed);
  const ctx = {
    baseUrl: "http://app",
    log: () => {},
    updateCheckpointMessage: async () => null,
    awaitCheckpointRetry: async (id: string) => choose(id),
    sleep: (ms: number) => (ms < LONG_MS ? Promise.resolve() : new Promise(() => {})),
  };
  const fetch = (url: string, { signal }: { signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      const name = plainName(new URL(url).pathname.slice(1));
      const abort = () => {
        open.delete(name);
        reject(signal?.reason);
      };
      if (signal?.aborted === true) {
        abort();
        return;
      }
      signal?.addEventListener("abort", abort);
      open.set(name, (text) => {
        open.delete(name);
        resolve({ status: 200, text: async () => text });
      });
    });
  // the code is the test's own
  const play = new Function("ctx", "fetch", "Math", `return (async () => {${body}})();`);
  const end = () => {
    hasEnded = true;
  };
  play(ctx, fetch, { random: drawRandom }).then(end, end);
  await rest();
  return {
    pending: () => (hasEnded ? null : [...open.keys()]),
    async answer(name, text) {
      open.get(name)?.(text);
      await rest();
    },
  };
}

/** Everything here is microtasks. */
function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
