import { explainNever, listUnmetConditions } from "../../../core/hooks/conditions.ts";
import type { Condition } from "../../../core/script/dictionary.ts";
import { createConditionFailure, linkMissing } from "../../../core/task/task-failures.ts";
import { hasEnded } from "../../../core/task-states.ts";
import type { EffectHandler } from "../../runtime/effect.ts";
import { viewNotification } from "../../runtime/notifications.ts";
import { readTextParam, readTexts } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { appStates, plannedHook } from "../hook/judge.ts";
import { pause } from "../retry.ts";

/**
 * `host.apps.wait {hookId, apps}` -> `host.apps.running` once each of `apps` runs and every condition of the hook holds;
 * `host.apps.pending {reasons}` when what keeps it waiting has changed; `host.apps.never {failure}` if waiting can't help:
 * a condition never passes, or an app is not installed and no install of the plan brings it.
 * The machine's deadline ends it (docs/install-scripts.md, "The plan of links").
 */
export function waitAppsEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "read",
    async perform(params, run) {
      const apps = readTexts(params["apps"]);
      const { conditions } = plannedHook(deps, run, readTextParam(params, "hookId"));
      const never = explainNever(conditions);
      if (never !== null) return { type: "host.apps.never", failure: createConditionFailure([never]) };
      const needed = new Set([...apps, ...conditions.flatMap(({ app }) => app ?? [])]);
      let told = "";
      for (let delay = deps.timing.appPoll; ; delay = Math.min(delay * 1.5, deps.timing.appPollMost)) {
        const states = await appStates(deps, run);
        const coming = listComing(deps.store, run.taskId);
        const missing = listUnmetConditions(
          [...needed].filter((app) => !coming.has(app)).map((app) => toCondition("appInstalled", app)),
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

/** The apps that installs of the same plan still bring. */
function listComing(store: EffectDeps["store"], taskId: string): ReadonlySet<string> {
  const parent = store.task(taskId)?.parent ?? null;
  const siblings = parent === null ? [] : store.children(parent);
  return new Set(
    siblings.flatMap(({ kind, appId, facts }) => (kind === "install" && !hasEnded(facts.state) ? appId : [])),
  );
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
