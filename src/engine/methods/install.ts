import type { InstallInput } from "../../../machines/install.ts";
import { dueHooks } from "../../core/hook-selection.ts";
import { toJsonObject } from "../../core/json.ts";
import type { PlanMode } from "../../core/plan.ts";
import type { InstallRequest, TaskView } from "../api.ts";
import { hookKey } from "../stored-plan.ts";
import { compileHooks, droppedMarks } from "./compile-hooks.ts";
import { hookChild } from "./hook-child.ts";
import { checkHost, offeredApp } from "./host-side.ts";
import { frozenPlan, keptChoices, planApp, storedApp } from "./plan-app.ts";
import { appClaim, givenInputs, refuseConflict, usableApp } from "./request.ts";
import type { MethodScene } from "./scene.ts";

/** The events of an install, in order. */
const EVENTS = ["onBeforeInstall", "onAfterInstall"] as const;

/** Checks and freezes an install, then starts its task (specification, "Execution flow"). */
export async function install(
  scene: MethodScene,
  appId: string,
  request: InstallRequest = {},
  options: { readonly mode?: PlanMode } = {},
): Promise<TaskView> {
  const { host, runtime, timing } = scene;
  refuseConflict(scene, appId);
  const { dictionary, entry } = usableApp(scene, appId);
  const secrets = givenInputs(dictionary, request.inputs);
  const kept = keptChoices(scene, appId);
  const facts = await host.facts();
  const mode = options.mode ?? (kept === null ? "install" : "reinstall");
  const { plan } = planApp(scene, { dictionary, request, facts, mode, kept });
  const offered = await offeredApp(scene, dictionary);
  const { marks, version } = await checkHost(scene, plan, facts.locations, offered.catalogApp);
  const due = EVENTS.flatMap((event) =>
    dueHooks(dictionary.hooks, { event, consents: request.consents ?? {} })
      .filter(({ consent }) => consent !== false)
      .map(({ hook }) => ({ hook, event })),
  );
  const compiled = await compileHooks(
    scene,
    dictionary,
    due.map(({ hook }) => hook),
  );
  const children = due
    .filter(({ hook }) => hookKey(appId, hook.id) in compiled.hooks)
    .map(({ hook, event }) => hookChild(appId, hook, event, timing));
  const input: InstallInput = {
    appId,
    title: offered.title,
    waitsForTurn: false,
    children,
    marks: [...droppedMarks(entry, compiled), ...marks],
    runningDeadlineMs: timing.runningDeadline,
  };
  return runtime.start({
    machine: "install",
    input: toJsonObject(input),
    kind: "install",
    appId,
    claim: appClaim(appId),
    plan: toJsonObject(
      frozenPlan(
        compiled,
        storedApp(plan, facts, {
          ...offered,
          instance: appId,
          ...(version !== undefined && { version }),
        }),
        plan,
      ),
    ),
    secrets,
    scripts: compiled.scripts,
  });
}
