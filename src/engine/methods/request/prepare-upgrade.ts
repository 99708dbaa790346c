import type { UpgradeInput } from "../../../../machines/upgrade/types.ts";
import type { CompiledScript } from "../../../../sandbox/contract.ts";
import type { Problem } from "../../../core/codes/problems.ts";
import type { Json } from "../../../core/json/json.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import type { UpgradeRequest } from "../../api.ts";
import { refuseMissingGroups } from "../../preflight/needed-groups.ts";
import { type StoredPlan, toHookKey } from "../../stored-plan.ts";
import { toValueMarks } from "../../values/value-advice.ts";
import { openValueJudge } from "../../values/value-judge.ts";
import { readKeptChoices } from "../../vault/kept-choices.ts";
import { compileHooks, listDroppedMarks } from "../compile-hooks.ts";
import type { MethodDeps } from "../deps.ts";
import { refuseStaleForm, reviseUpgrade } from "../form/form-revision.ts";
import { planHookChild } from "../hook-child.ts";
import { findOfferedApp } from "../host-side.ts";
import { draftPlan, freezePlan, planUpgrade, toStoredApp } from "../plan-app.ts";
import { type FoundUpgrade, findUpgrade, type UpgradeScript } from "../upgrade/find-upgrade.ts";
import { readGivenInputs, refuseProblems } from "./request.ts";
import { checkUpgrade } from "./request-parts.ts";

/** One upgrade, checked and resolved, not started. */
export interface PreparedUpgrade {
  readonly input: UpgradeInput;
  readonly plan: StoredPlan;
  /** Vault entries of inputs given with the request. */
  readonly secrets: Readonly<Record<string, Json>>;
  readonly scripts: readonly CompiledScript[];
  /** Random strings to keep for later tasks. */
  readonly randoms: Plan["randoms"];
  /** What the version it leads to has against the app's values, secrets masked. */
  readonly values: readonly Problem[];
  /** That version is certain to refuse them. */
  readonly isRefused: boolean;
}

/**
 * Checks and resolves the upgrade of an installed app; a fault rejects and nothing has happened. `find`: where it leads, for
 * who knows already.
 */
export async function prepareUpgrade(
  deps: MethodDeps,
  script: UpgradeScript,
  request: UpgradeRequest,
  find: () => Promise<FoundUpgrade> = () => findUpgrade(deps, script),
): Promise<PreparedUpgrade> {
  const { host, timing } = deps;
  const { dictionary, entry } = script;
  const { appId } = dictionary;
  refuseProblems(appId, checkUpgrade(dictionary, request));
  const found = await find();
  const { app, versions, due } = found;
  const facts = await host.facts();
  const live = await host.appConfig(app.name);
  const offered = await findOfferedApp(deps, dictionary);
  const kept = readKeptChoices(deps, appId);
  const isByValues = takesValues(script, request);
  refuseStaleForm(appId, request, reviseUpgrade(script, found, { kept, live, isByValues }));
  const { plan, randoms, marks } = planMove(deps, { dictionary, facts, kept, live }, isByValues);
  refuseMissingGroups(host, appId, plan.directories);
  const { train = offered.train } = app;
  const version = dictionary.custom ? app.version : versions.to;
  const judge = await openValueJudge(deps, script, { ...offered, train, version });
  const judged = dictionary.custom
    ? { problems: judge?.judgeUpdate(plan, live) ?? [], isRefused: false }
    : (judge?.judgeUpgrade(plan, live) ?? { problems: [], isRefused: false });
  const secrets = readGivenInputs(dictionary, plan.inputDefaults, request);
  const compiled = await compileHooks(
    deps,
    dictionary,
    due.map(({ hook }) => hook),
    plan.inputDefaults,
  );
  const from = versions.from !== undefined && { fromVersion: versions.from };
  const named = { ...offered, train, instance: app.name, ...from, toVersion: versions.to };
  const stored = toStoredApp(plan, facts, named, judge);
  return {
    input: {
      appId,
      title: offered.title,
      children: due
        .filter(({ hook }) => toHookKey(appId, hook.id) in compiled.hooks)
        .map(({ hook, event }) => planHookChild(appId, hook, event, timing)),
      marks: [...listDroppedMarks(dictionary, compiled), ...marks, ...toValueMarks(judged.problems, entry.file)],
      runningDeadlineMs: timing.runningDeadline,
      ...versions,
      ...(isByValues && { byValues: true }),
      ...(isByValues && !dictionary.custom && { isPackage: true }),
    },
    plan: freezePlan(compiled, stored, plan),
    secrets,
    scripts: compiled.scripts,
    randoms,
    values: judged.problems,
    isRefused: judged.isRefused,
  };
}

/** Whether an upgrade sends values: those of a custom app's newer script, of a package's script if a person asks for it. */
export function takesValues(
  { dictionary }: UpgradeScript,
  { withValues }: Pick<UpgradeRequest, "withValues">,
): boolean {
  return dictionary.custom || withValues === true;
}

/** Without values of the script the host has them all, and only directories are resolved. */
function planMove(
  deps: MethodDeps,
  input: Parameters<typeof planUpgrade>[1],
  isByValues: boolean,
): ReturnType<typeof planUpgrade> {
  if (!isByValues) return planUpgrade(deps, input);
  const { plan, problems } = draftPlan(deps, { ...input, request: {}, mode: "options" });
  const { appId } = input.dictionary;
  refuseProblems(appId, problems.map(adviseUpdate));
  if (plan === null) throw new Error(`the plan of "${appId}" is missing without a problem that says why`);
  return { plan, randoms: plan.randoms, marks: [] };
}

/** A problem of the values of a custom app, with what a person can do about it. */
export function adviseUpdate(problem: Problem): Problem {
  return problem.code === "ANSWER_REQUIRED" ? { ...problem, hint: UPDATE_INSTEAD } : problem;
}

const UPDATE_INSTEAD = "an upgrade takes no answers: give this one with an update, which runs no upgrade hooks";
