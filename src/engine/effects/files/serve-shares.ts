import { HostError } from "../../host-error.ts";
import type { EffectRun } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";

/**
 * Has the host serve its shares, now and after a restart. Resolves with marks that say what was changed, and what could
 * not be: it ends no task.
 */
export async function serveShares(deps: EffectDeps, run: EffectRun): Promise<readonly string[]> {
  const { host } = deps;
  const ask = <T>(question: () => Promise<T>) => retryWhileUnreachable(deps, run, question);
  const attempt = async (failed: string, work: () => Promise<string[]>): Promise<string[]> => {
    try {
      return await work();
    } catch (error) {
      if (run.signal.aborted || !(error instanceof HostError)) throw error;
      return [`${failed}: ${error.message}`];
    }
  };
  return attempt(NOT_SERVED, async () => {
    const { running, enabled } = await ask(() => host.sharesService());
    const started = await attempt(NOT_SERVED, async () => {
      if (running) return [];
      // The answer may be true of a service that ended again.
      const isUp = (await ask(() => host.startShares(run.signal))) && (await ask(() => host.sharesService())).running;
      return [isUp ? "sharesStarted" : `${NOT_SERVED}: the host's SMB service does not come up`];
    });
    // Starting enables nothing: the shares would be gone after the next restart.
    const kept = await attempt("sharesNotEnabled", async () => {
      if (enabled) return [];
      await ask(() => host.enableShares());
      return ["sharesEnabled"];
    });
    return [...started, ...kept];
  });
}

const NOT_SERVED = "sharesNotServed";
