import type { InstallInput } from "../../../../machines/install/types.ts";
import type { CompiledScript } from "../../../../sandbox/contract.ts";
import type { Failure, Problem } from "../../../core/codes/problems.ts";
import { fires, INSTALL_EVENTS, selectDueHooks } from "../../../core/hooks/hook-selection.ts";
import type { Json } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { PlanMode } from "../../../core/plan/plan.ts";
import type { InstallRequest } from "../../api.ts";
import { adviseOnOthers } from "../../effects/files/find-other-owner.ts";
import { type StoredPlan, toHookKey } from "../../stored-plan.ts";
import { toValueMarks } from "../../values/value-advice.ts";
import { openValueJudge } from "../../values/value-judge.ts";
import { installMode, type KeptChoices, keepInputRandoms, readKeptChoices } from "../../vault/kept-choices.ts";
import { compileHooks, listCompileFaults, listDroppedMarks, refuseUnrunnable } from "../compile-hooks.ts";
import type { MethodDeps } from "../deps.ts";
import { planHookChild } from "../hook-child.ts";
import { checkHost, findOfferedApp } from "../host-side.ts";
import { freezePlan, planApp, toStoredApp } from "../plan-app.ts";
import { readGivenInputs, requireInstallableApp } from "./request.ts";

/** One install, checked and resolved, not started. */
export interface PreparedInstall {
  readonly input: InstallInput;
  readonly plan: StoredPlan;
  /** Vault entries of inputs given with the request. */
  readonly secrets: Readonly<Record<string, Json>>;
  readonly scripts: readonly CompiledScript[];
  /** What may not work on this host. */
  readonly advice: readonly Failure[];
  /** What the app's schema has against the values, secrets masked. */
  readonly values: readonly Problem[];
  /** Faults of hooks that do not compile: it goes on without them. */
  readonly faults: readonly Problem[];
}

/** Checks and resolves the install of one app; a fault of the request rejects and nothing has happened. */
export async function prepareInstall(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  facts: HostFacts,
  options: {
    readonly mode?: PlanMode;
    readonly waitsForTurn: boolean;
    readonly isPreview?: boolean;
    /** In place of what an earlier install has left here. */
    readonly kept?: KeptChoices;
  },
): Promise<PreparedInstall> {
  const { timing } = deps;
  const { dictionary, entry } = requireInstallableApp(deps, appId);
  const kept = options.kept ?? readKeptChoices(deps, appId);
  const mode = options.mode ?? installMode(deps, appId);
  const { plan } = planApp(deps, { dictionary, request, facts, mode, kept });
  const secrets = readGivenInputs(dictionary, plan.inputDefaults, request);
  const offered = await findOfferedApp(deps, dictionary);
  const checked = await checkHost(deps, plan, facts.locations, offered.catalogApp);
  const { version } = checked;
  const { directories } = plan;
  const place = { appId, instance: appId, locations: facts.locations, directories };
  const advice = [...checked.advice, ...(await adviseOnOthers(deps, place))];
  const versioned = version === undefined ? null : { ...offered, version };
  const judge = versioned === null ? null : await openValueJudge(deps, { dictionary, entry }, versioned);
  const values = judge?.judgeInstall(plan) ?? [];
  const due = INSTALL_EVENTS.flatMap((event) =>
    selectDueHooks(dictionary.hooks, { event, consents: request.consents ?? {} })
      .filter(fires)
      .map(({ hook }) => ({ hook, event })),
  );
  const compiled = await compileHooks(
    deps,
    dictionary,
    due.map(({ hook }) => hook),
    plan.inputDefaults,
  );
  refuseUnrunnable(dictionary, compiled);
  if (options.isPreview !== true) keepInputRandoms(deps, appId, plan.randoms);
  const app = toStoredApp(plan, facts, { ...(versioned ?? offered), instance: appId }, judge);
  return {
    input: {
      appId,
      title: offered.title,
      waitsForTurn: options.waitsForTurn,
      children: due
        .filter(({ hook }) => toHookKey(appId, hook.id) in compiled.hooks)
        .map(({ hook, event }) => planHookChild(appId, hook, event, timing)),
      marks: [
        ...listDroppedMarks(dictionary, compiled),
        ...advice.map(({ message }) => `advice: ${message}`),
        ...toValueMarks(values, entry.file),
      ],
      runningDeadlineMs: timing.runningDeadline,
    },
    plan: freezePlan(compiled, app, plan),
    secrets,
    scripts: compiled.scripts,
    advice,
    values,
    faults: listCompileFaults(compiled),
  };
}
