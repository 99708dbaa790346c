import { readApp } from "../../read-plan.ts";
import type { EffectHandler } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { pause, retryWhileUnreachable } from "../retry.ts";
import { readTextParam } from "./params.ts";

/**
 * `host.app.wait {appId}` -> `app.running` or, at once, `app.crashed`; every change is told by
 * `host.app.seen {state}`. It never gives up by itself: the machine's deadline does (docs/decisions.md, section 4).
 */
export function waitAppEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "read",
    async perform(params, run) {
      const { instance } = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      let seen: string | null = null;
      for (let delay = deps.timing.appPoll; ; delay = Math.min(delay * 1.5, deps.timing.appPollMost)) {
        const app = await retryWhileUnreachable(deps, run, () => deps.host.app(instance));
        const state = app?.state ?? "MISSING";
        if (state === "RUNNING") return { type: "app.running" };
        if (state !== seen) run.emit({ type: "host.app.seen", state });
        if (state === "CRASHED" || state === "MISSING") return { type: "app.crashed" };
        seen = state;
        await pause(deps.clock, delay, run.signal);
        run.signal.throwIfAborted();
      }
    },
  };
}
