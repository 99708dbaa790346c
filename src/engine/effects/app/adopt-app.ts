import type { Failure } from "../../../core/codes/problems.ts";
import { holdsValues } from "../../../core/plan/values/merge-values.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { keepChoices, keepTrain } from "./create-app.ts";
import { readTextParam } from "./params.ts";

/**
 * `host.app.adopt {appId}` -> `host.done`, what the plan knows of the app kept, or `host.failed` where the app is not as it was
 * when the plan was made. The host is only asked.
 */
export function adoptAppEffect(deps: EffectDeps): EffectHandler {
  const { host, store } = deps;

  /** What is other than the plan says; null where nothing is. */
  async function findChange(app: StoredApp, run: EffectRun): Promise<string | null> {
    const live = await retryWhileUnreachable(deps, run, () => host.app(app.instance));
    if (live?.appId !== app.appId || live.custom) return "it is gone";
    if (live.version !== app.version) return `it has the version ${live.version}`;
    const config = await retryWhileUnreachable(deps, run, () => host.appConfig(app.instance));
    return holdsValues(config, app.appValues) ? null : "its configuration is another";
  }

  return {
    class: "read",
    async perform(params, run) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      const change = await findChange(app, run);
      if (change !== null) return { type: "host.failed", failure: createStaleFailure(app, change) };
      keepChoices(deps, app);
      keepTrain(deps, app);
      return { type: "host.done" };
    },
  };
}

function createStaleFailure({ appId }: StoredApp, change: string): Failure {
  const message = `"${appId}" is not as it was shown: ${change}`;
  return { code: "TASK_ADOPT_STALE", message, context: [], retryable: true };
}
