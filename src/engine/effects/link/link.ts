import { explainNever, listUnmetConditions } from "../../../core/hooks/conditions.ts";
import { isRerunBlocked } from "../../../core/hooks/reruns.ts";
import type { Condition } from "../../../core/script/dictionary.ts";
import { createConditionFailure, createRerunRefusedFailure, linkMissing } from "../../../core/task/task-failures.ts";
import { listEffectiveRuns } from "../../runtime/claims.ts";
import type { EffectHandler } from "../../runtime/effect.ts";
import { viewNotification } from "../../runtime/notifications.ts";
import { readTextParam, readTexts } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { appStates, plannedHook } from "../hook/judge.ts";
import { pause } from "../retry.ts";

/**
 * `host.apps.wait {hookId, apps}` -> `host.apps.running` once each of `apps` runs and every condition of the hook holds;
 * `host.apps.pending {reasons}` whenever what stands in the way has changed; `host.apps.never {failure}` where waiting
 * can't help: the hook must not run twice, a condition never passes, an app that no condition names is not installed, or
 * one was uninstalled meanwhile. The machine's deadline ends it (docs/install-scripts.md, "The plan of links").
 */
export function waitAppsEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "read",
    async perform(params, run) {
      const apps = readTexts(params["apps"]);
      const hook = plannedHook(deps, run, readTextParam(params, "hookId"));
      const { conditions } = hook;
      const appId = deps.store.task(run.taskId)?.appId ?? "";
      if (isRerunBlocked(hook, null, listEffectiveRuns(deps.store, appId, hook.id))) {
        return { type: "host.apps.never", failure: createRerunRefusedFailure() };
      }
      const never = explainNever(conditions);
      if (never !== null) return { type: "host.apps.never", failure: createConditionFailure([never]) };
      // Not to come any more: apps no condition names, and those that have been there.
      const due = new Set(apps.filter((app) => conditions.every((condition) => condition.app !== app)));
      let told = "";
      for (let delay = deps.timing.appPoll; ; delay = Math.min(delay * 1.5, deps.timing.appPollMost)) {
        const states = await appStates(deps, run);
        for (const app of apps) if (Object.hasOwn(states, app)) due.add(app);
        const missing = listUnmetConditions(
          [...due].map((app) => toCondition("appInstalled", app)),
          states,
        );
        if (missing.length > 0) return { type: "host.apps.never", failure: linkMissing(missing) };
        const started = apps.map((app) => toCondition("appRunning", app));
        const reasons = [...new Set(listUnmetConditions([...conditions, ...started], states))];
        if (reasons.length === 0) return { type: "host.apps.running" };
        if (reasons.join() !== told) run.emit({ type: "host.apps.pending", reasons });
        told = reasons.join();
        await pause(deps.clock, delay, run.signal);
        run.signal.throwIfAborted();
      }
    },
  };
}

function toCondition(type: string, app: string): Condition {
  return { type, app, role: "availability" };
}

/**
 * `notify.linked` -> `notify.done`: tells the embedder of what the turn stored, one by one (docs/decisions.md, section 7). A
 * kill meanwhile tells again, with the same ids.
 */
export function notifyLinkedEffect({ store, onNotification }: EffectDeps): EffectHandler {
  return {
    class: "local",
    async perform(_params, run) {
      for (const row of store.notificationsOf(run.taskId)) onNotification(viewNotification(row));
      return { type: "notify.done" };
    },
  };
}
