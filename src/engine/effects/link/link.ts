import type { EffectHandler } from "../../runtime/effect.ts";
import { textParam, texts } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { pause, retryWhileUnreachable } from "../retry.ts";

/**
 * `host.apps.wait {apps, targets}` -> `host.apps.running {present}`, the targets that are installed, once every
 * installed one of `apps` runs; `host.apps.missing {missing}` where no target or another of the apps is installed. The
 * machine's deadline ends it (docs/install-scripts.md, "The plan of links").
 */
export function waitAppsEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "read",
    async perform(params, run) {
      const apps = texts(params["apps"]);
      const targets = texts(params["targets"]);
      for (let delay = deps.timing.appPoll; ; delay = Math.min(delay * 1.5, deps.timing.appPollMost)) {
        const found = await retryWhileUnreachable(deps, run, () => deps.host.apps());
        const states = new Map(found.map(({ appId, state }) => [appId, state]));
        const present = targets.filter((target) => states.has(target));
        const missing = apps.filter((app) => !states.has(app) && (!targets.includes(app) || present.length === 0));
        if (missing.length > 0) return { type: "host.apps.missing", missing };
        if (apps.every((app) => (states.get(app) ?? "RUNNING") === "RUNNING")) {
          return { type: "host.apps.running", present };
        }
        await pause(deps.clock, delay, run.signal);
        run.signal.throwIfAborted();
      }
    },
  };
}

/** `notify.linked {hookId, targets}` -> `notify.done`: one notification per target (docs/decisions.md, section 7). */
export function notifyLinkedEffect({ store, onNotification, logger }: EffectDeps): EffectHandler {
  return {
    class: "local",
    async perform(params, run) {
      const hookId = textParam(params, "hookId");
      const task = store.task(run.taskId);
      if (task === null) throw new Error(`task "${run.taskId}" is not stored`);
      for (const target of texts(params["targets"])) {
        const notification = {
          type: "pairing.linked" as const,
          runsOnAppId: task.appId,
          hookId,
          target,
          taskId: run.taskId,
        };
        try {
          onNotification(notification);
        } catch (error) {
          logger.warn({ error, ...notification }, "the embedder's onNotification threw");
        }
      }
      return { type: "notify.done" };
    },
  };
}
