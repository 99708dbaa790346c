import { EngineError } from "../../core/codes/problems.ts";
import { checkAction, explainRefusal, selectTargetFiles } from "../../core/hooks/actions.ts";
import { toTargetKey } from "../../core/hooks/reruns.ts";
import { dedupePaths } from "../../core/hooks/selected-files.ts";
import { toJsonObject } from "../../core/json/json.ts";
import { hasEnded } from "../../core/task-states.ts";
import type { ActionRequest, TaskView } from "../api.ts";
import { findApp } from "../find-app.ts";
import { listEffectiveRuns } from "../runtime/claims.ts";
import { type StoredPlan, toHookKey } from "../stored-plan.ts";
import { readSelection, type Selection } from "../surfaces/read-selection.ts";
import { compileHooks } from "./compile-hooks.ts";
import type { ChangeDeps } from "./deps.ts";
import { resolveOfferedInputs } from "./form/input-defaults.ts";
import { buildHookTaskInput } from "./hook-child.ts";
import {
  createRequestProblem,
  freeClaims,
  readGivenInputs,
  refuseChange,
  refuseProblems,
  requireUsableApp,
  toHookClaim,
} from "./request/request.ts";

/**
 * Starts a hook a person pressed. Throws `ACTION_UNKNOWN`, `ACTION_FILE_REFUSED {problems}` for a file no hook may have,
 * `ACTION_UNAVAILABLE` with the reason, `TASK_CONFLICT {taskId}` while the same hook runs with the same target or
 * somebody changes the app, or the problem of a script that does not compile.
 */
export async function runAction(
  deps: ChangeDeps,
  appId: string,
  hookId: string,
  request: ActionRequest,
): Promise<TaskView> {
  const { host, store, runtime, timing } = deps;
  const { dictionary } = requireUsableApp(deps, appId);
  const hook = dictionary.hooks.find(
    ({ id, triggers }) => id === hookId && triggers.some(({ event }) => event === "userAction"),
  );
  const surface = request.surface ?? hook?.surfaces[0];
  if (hook === undefined || surface === undefined || !hook.surfaces.includes(surface)) {
    throw new EngineError("ACTION_UNKNOWN", `"${appId}" offers no action "${hookId}" here`, { appId, hookId });
  }
  const files = selectTargetFiles(hook, request.files ?? []);
  const target = toTargetKey(dedupePaths(files));
  const runs = listEffectiveRuns(store, appId, hookId).filter((run) => run.target === target);
  const running = runs.find(({ state }) => !hasEnded(state));
  if (running !== undefined) {
    throw new EngineError("TASK_CONFLICT", `task "${running.taskId}" runs "${hookId}" already`, {
      taskId: running.taskId,
    });
  }
  refuseChange(deps, appId);
  const facts = await host.facts();
  const apps = await host.apps();
  const selection = await readSelection(host, files, apps, facts);
  refuseFiles(appId, files, selection);
  const context = {
    apps: facts.apps,
    mounts: findApp(apps, appId)?.mounts ?? [],
    selection: selection.paths,
    busy: null,
    runs: () => runs,
  };
  const standing = checkAction(appId, hook, context);
  if (standing.state !== "enabled") {
    const reason = explainRefusal(hook, standing, context) ?? "";
    throw new EngineError("ACTION_UNAVAILABLE", `"${hook.title}" can't run: ${reason}`, { appId, hookId, reason });
  }
  const { defaults, secrets: masked } = await resolveOfferedInputs(deps, dictionary, hook, facts);
  const inputs = request.inputs === undefined ? {} : { [hookId]: request.inputs };
  const secrets = readGivenInputs(dictionary, defaults, { inputs, placeOf: () => ["inputs"] });
  const compiled = await compileHooks(deps, dictionary, [hook], defaults);
  refuseProblems(
    appId,
    compiled.dropped.flatMap(({ problems }) => problems),
  );
  const key = toHookKey(appId, hookId);
  const stored = compiled.hooks[key];
  if (stored === undefined) throw new Error(`"${hookId}" compiled to nothing`);
  const withFiles = files.length === 0 ? stored : { ...stored, files: standing.files };
  const plan: StoredPlan = { format: 1, apps: {}, hooks: { [key]: withFiles }, secrets: masked };
  const claim = toHookClaim(appId, hookId, target);
  // It may have begun while the host was asked.
  refuseChange(deps, appId);
  freeClaims(deps, [claim]);
  return runtime.start(
    {
      machine: "hook-task",
      input: toJsonObject(buildHookTaskInput(appId, hook, "userAction", "hook", timing)),
      kind: "hook",
      appId,
      hookId,
      ...(target !== null && { target }),
      claim,
      plan: toJsonObject(plan),
      secrets,
      scripts: compiled.scripts,
    },
    deps.deed,
  );
}

/** Throws with the place of every selected file that no hook may have. */
function refuseFiles(appId: string, files: readonly string[], { faults }: Selection): void {
  const problems = files.flatMap((file, at) => {
    const [path = file] = dedupePaths([file]);
    const fault = Object.hasOwn(faults, path) ? faults[path] : undefined;
    return fault === undefined ? [] : [createRequestProblem("ACTION_FILE_REFUSED", fault, ["files", at])];
  });
  refuseProblems(appId, problems);
}
