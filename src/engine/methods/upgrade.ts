import type { UpgradeInput } from "../../../machines/upgrade/types.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { InstallRequest, TaskView } from "../api.ts";
import { toHookKey } from "../stored-plan.ts";
import { dropOffers } from "../vault/offers.ts";
import { compileHooks, listDroppedMarks } from "./compile-hooks.ts";
import type { MethodDeps } from "./deps.ts";
import { findUpgrade, upgradeScript } from "./find-upgrade.ts";
import { planHookChild } from "./hook-child.ts";
import { findOfferedApp } from "./host-side.ts";
import { keepInputRandoms, readKeptChoices } from "./kept-choices.ts";
import { draftPlan, freezePlan, planUpgrade, toStoredApp } from "./plan-app.ts";
import { freeClaims, refuseConflict, refuseProblems, toAppClaim } from "./request/request.ts";
import { checkUpgrade } from "./request/request-parts.ts";

/**
 * Starts the upgrade to the host's newest version, of a custom app to its newest script that admits the installed one
 * (docs/decisions.md, section 4). Hooks are chosen by both versions; those with `userOptional` never run here. Throws
 * `HOST_UPGRADE_NONE` where nothing is newer.
 */
export async function upgrade(deps: MethodDeps, appId: string, request: InstallRequest): Promise<TaskView> {
  const { host, runtime, timing } = deps;
  refuseConflict(deps, appId);
  const script = upgradeScript(deps, appId);
  const { dictionary, entry } = script;
  const { entries: secrets, problems } = checkUpgrade(dictionary, request);
  refuseProblems(appId, problems);
  const { app, versions, due } = await findUpgrade(deps, script);
  const facts = await host.facts();
  const live = await host.appConfig(app.name);
  const offered = await findOfferedApp(deps, dictionary);
  const kept = readKeptChoices(deps, appId);
  const { plan, randoms, marks } = planMove(deps, { dictionary, facts, kept, live });
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
      .filter(({ hook }) => toHookKey(appId, hook.id) in compiled.hooks)
      .map(({ hook, event }) => planHookChild(appId, hook, event, timing)),
    marks: [...listDroppedMarks(entry, compiled), ...marks],
    runningDeadlineMs: timing.runningDeadline,
    ...(dictionary.custom && { byValues: true }),
  };
  const stored = toStoredApp(plan, facts, {
    ...offered,
    instance: app.name,
    ...(versions.from !== undefined && { fromVersion: versions.from }),
    toVersion: versions.to,
  });
  freeClaims(deps, [toAppClaim(appId)]);
  const task = await runtime.start({
    machine: "upgrade",
    input: toJsonObject(input),
    kind: "upgrade",
    appId,
    claim: toAppClaim(appId),
    plan: toJsonObject(freezePlan(compiled, stored, plan)),
    secrets,
    scripts: compiled.scripts,
  });
  dropOffers(deps, [appId]);
  return task;
}

/** A custom app gets the values of its newer script; of others the host has them, and only directories are resolved. */
function planMove(deps: MethodDeps, input: Parameters<typeof planUpgrade>[1]): ReturnType<typeof planUpgrade> {
  if (!input.dictionary.custom) return planUpgrade(deps, input);
  const { plan, problems } = draftPlan(deps, { ...input, request: {}, mode: "options" });
  const { appId } = input.dictionary;
  refuseProblems(
    appId,
    problems.map((problem) => (problem.code === "ANSWER_REQUIRED" ? { ...problem, hint: UPDATE_INSTEAD } : problem)),
  );
  if (plan === null) throw new Error(`the plan of "${appId}" is missing without a problem that says why`);
  return { plan, randoms: plan.randoms, marks: [] };
}

const UPDATE_INSTEAD = "an upgrade takes no answers: give this one with an update, which runs no upgrade hooks";
