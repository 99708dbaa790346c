import type { UpgradeInput } from "../../../machines/upgrade/types.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { dueHooks, isOlderVersion } from "../../core/hooks/hook-selection.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { InstallRequest, TaskView } from "../api.ts";
import { hookKey } from "../stored-plan.ts";
import { dropOffers } from "../vault/offers.ts";
import { compileHooks, droppedMarks } from "./compile-hooks.ts";
import type { MethodDeps } from "./deps.ts";
import { hookChild } from "./hook-child.ts";
import { installedApp, offeredApp } from "./host-side.ts";
import { frozenPlan, keepInputRandoms, keptChoices, planUpgrade, storedApp } from "./plan-app.ts";
import { appClaim, freeClaims, refuseConflict, refuseProblems, usableApp } from "./request.ts";
import { checkUpgrade } from "./request-parts.ts";

/** The events of an upgrade, in order. */
const EVENTS = ["onBeforeUpgrade", "onAfterUpgrade"] as const;

/**
 * Starts the upgrade to the host's newest version (docs/decisions.md, section 4). Hooks are chosen by both versions; those with
 * `userOptional` never run here. Throws `HOST_UPGRADE_NONE` where nothing is newer.
 */
export async function upgrade(deps: MethodDeps, appId: string, request: InstallRequest): Promise<TaskView> {
  const { host, runtime, timing } = deps;
  refuseConflict(deps, appId);
  const { dictionary, entry } = usableApp(deps, appId);
  const { entries: secrets, problems } = checkUpgrade(dictionary, request);
  refuseProblems(appId, problems);
  const app = await installedApp(deps, appId);
  const target = await host.upgradeTarget(app.name);
  if (target === null || isOlderVersion(target.version, app.version)) {
    throw new EngineError("HOST_UPGRADE_NONE", `no version newer than ${app.version} is available for "${appId}"`, {
      appId,
      version: app.version,
    });
  }
  const facts = await host.facts();
  const live = await host.appConfig(app.name);
  const offered = await offeredApp(deps, dictionary);
  const kept = keptChoices(deps, appId);
  const { plan, randoms, marks } = planUpgrade(deps, { dictionary, facts, kept, live });
  const versions = { from: app.version, to: target.version };
  const due = EVENTS.flatMap((event) =>
    dueHooks(dictionary.hooks, { event, consents: {}, ...versions }).map(({ hook }) => ({ hook, event })),
  );
  const compiled = await compileHooks(
    deps,
    dictionary,
    due.map(({ hook }) => hook),
    plan.inputDefaults,
  );
  keepInputRandoms(deps, appId, randoms);
  const input: UpgradeInput = {
    appId,
    title: offered.title,
    children: due
      .filter(({ hook }) => hookKey(appId, hook.id) in compiled.hooks)
      .map(({ hook, event }) => hookChild(appId, hook, event, timing)),
    marks: [...droppedMarks(entry, compiled), ...marks],
    runningDeadlineMs: timing.runningDeadline,
  };
  const stored = storedApp(plan, facts, {
    ...offered,
    instance: app.name,
    fromVersion: versions.from,
    toVersion: versions.to,
  });
  freeClaims(deps, [appClaim(appId)]);
  const task = await runtime.start({
    machine: "upgrade",
    input: toJsonObject(input),
    kind: "upgrade",
    appId,
    claim: appClaim(appId),
    plan: toJsonObject(frozenPlan(compiled, stored, plan)),
    secrets,
    scripts: compiled.scripts,
  });
  dropOffers(deps, [appId]);
  return task;
}
