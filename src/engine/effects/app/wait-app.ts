import { readApp } from "../../read-plan.ts";
import type { EffectHandler, MachineEvent } from "../../runtime/effect.ts";
import type { EffectDeps } from "../deps.ts";
import { pause, retryWhileUnreachable } from "../retry.ts";
import { readTextParam } from "./params.ts";

/** `host.app.wait {appId}` -> `app.running` or, at once, `app.crashed`. */
export function waitAppEffect(deps: EffectDeps): EffectHandler {
  return createWait(deps, (state) => {
    if (state === "RUNNING") return { type: "app.running" };
    return state === "CRASHED" || state === "MISSING" ? { type: "app.crashed" } : null;
  });
}

/** `host.app.waitStopped {appId}` -> `app.stopped`; one that was removed meanwhile runs no more than a stopped one. */
export function waitStoppedEffect(deps: EffectDeps): EffectHandler {
  return createWait(deps, (state) => (state === "STOPPED" || state === "MISSING" ? { type: "app.stopped" } : null));
}

/**
 * Looks at the app until `end` names the event of its state; every other change is told by `host.app.seen {state}`. It
 * never gives up by itself: the machine's deadline does (docs/decisions.md, section 4).
 */
function createWait(deps: EffectDeps, end: (state: string) => MachineEvent | null): EffectHandler {
  return {
    class: "read",
    async perform(params, run) {
      const { instance } = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      let seen: string | null = null;
      for (let delay = deps.timing.appPoll; ; delay = Math.min(delay * 1.5, deps.timing.appPollMost)) {
        const app = await retryWhileUnreachable(deps, run, () => deps.host.app(instance));
        const state = app?.state ?? "MISSING";
        const event = end(state);
        if (state !== seen && event?.type !== "app.running") run.emit({ type: "host.app.seen", state });
        if (event !== null) return event;
        seen = state;
        await pause(deps.clock, delay, run.signal);
        run.signal.throwIfAborted();
      }
    },
  };
}
