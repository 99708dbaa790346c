import type { Problem } from "../../core/codes/problems.ts";
import { isEqual } from "../../core/json/is-equal.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Plan, PlanMode } from "../../core/plan/plan.ts";
import { isPlanned, type ResolvedPlan, resolvePlan } from "../../core/plan/resolve-plan.ts";
import { listValueOrigins } from "../../core/plan/values/field-origin.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { InstallRequest } from "../api.ts";
import type { StoredApp, StoredPlan } from "../stored-plan.ts";
import type { ValueJudge } from "../values/value-judge.ts";
import { readAppSecrets } from "../vault/app-secrets.ts";
import { INPUT_RANDOMS, type KeptChoices, readTexts } from "../vault/kept-choices.ts";
import { readOfferedRandoms } from "../vault/offers.ts";
import type { CompiledHooks } from "./compile-hooks.ts";
import type { MethodDeps } from "./deps.ts";
import { refuseProblems } from "./request/request.ts";

export interface PlanInput {
  readonly dictionary: Dictionary;
  readonly request: InstallRequest;
  readonly facts: HostFacts;
  readonly mode: PlanMode | "upgrade";
  readonly kept: KeptChoices | null;
  /** Live configuration of the installed app. */
  readonly live?: JsonObject;
}

type PlanContext = Pick<MethodDeps, "randomness" | "enforceRequirements" | "store" | "clock">;

/** Resolves without judging: for forms and previews. */
export function draftPlan(deps: PlanContext, input: PlanInput): ResolvedPlan {
  const { dictionary, request, facts, mode, kept, live } = input;
  return resolvePlan({
    dictionary,
    request: {
      ...(request.answers && { answers: request.answers }),
      ...(request.consents && { consents: request.consents }),
    },
    facts,
    mode,
    stored: {
      ...(kept && { answers: kept.answers }),
      randoms: {
        ...readOfferedRandoms(deps, dictionary.appId),
        ...kept?.randoms,
        ...readTexts(deps.store.setting(dictionary.appId, INPUT_RANDOMS)),
      },
      ...(live && { live }),
      secrets: readAppSecrets(deps.store, dictionary.appId, dictionary),
    },
    random: (length) => deps.randomness.alphanumeric(length),
    enforceRequirements: deps.enforceRequirements,
  });
}

/** A plan without errors, or a rejection with `{problems}`. */
export function planApp(
  deps: PlanContext,
  input: PlanInput,
): { readonly plan: Plan; readonly problems: readonly Problem[] } {
  const { plan, problems } = draftPlan(deps, input);
  refuseProblems(input.dictionary.appId, problems);
  if (plan === null)
    throw new Error(`the plan of "${input.dictionary.appId}" is missing without a problem that says why`);
  return { plan, problems };
}

/** An upgrade's values are the host's, so only the directories of the script are resolved. */
type UpgradePlan = Pick<
  Plan,
  | "appId"
  | "dictionary"
  | "appValues"
  | "directories"
  | "answers"
  | "randoms"
  | "inputDefaults"
  | "secrets"
  | "secretPlaces"
>;

/**
 * The plan of an upgrade, which asks nobody: a directory that needs an answer nobody gave is not there, and is left out
 * with a mark.
 */
export function planUpgrade(
  deps: PlanContext,
  input: Omit<PlanInput, "request" | "mode">,
): { readonly plan: UpgradePlan; readonly randoms: Plan["randoms"]; readonly marks: readonly string[] } {
  const { dictionary } = input;
  const { draft, secrets, secretPlaces, inputDefaults, randoms } = draftPlan(deps, {
    ...input,
    request: {},
    mode: "upgrade",
  });
  const directories = draft.directories.filter(isPlanned);
  const left = dictionary.directories.filter((_, at) => draft.directories[at]?.path === null);
  return {
    plan: {
      appId: dictionary.appId,
      dictionary,
      appValues: {},
      directories,
      answers: {},
      randoms: {},
      inputDefaults,
      secrets,
      secretPlaces,
    },
    randoms,
    marks: left.map(({ path }) => `advice: the directory "${path}" can't be resolved, the upgrade leaves it alone`),
  };
}

/** The plan's part a task keeps about one app; `judge`: by what the app accepts, if the host said it. */
export function toStoredApp(
  plan: Omit<UpgradePlan, "secretPlaces">,
  facts: HostFacts,
  host: Pick<StoredApp, "title" | "instance" | "catalogApp" | "train" | "version" | "fromVersion" | "toVersion">,
  judge: ValueJudge | null = null,
): StoredApp {
  const { appId, dictionary, appValues, directories, answers, randoms } = plan;
  const kept = judge?.keepSent(appValues) ?? appValues;
  return {
    ...host,
    appId,
    custom: dictionary.custom,
    scriptVersion: dictionary.script.version,
    ...(dictionary.custom && dictionary.metadata && { metadataVersion: dictionary.metadata.version }),
    appValues,
    ...(!isEqual(kept, appValues) && { keptValues: kept }),
    directories,
    locations: facts.locations,
    answers,
    randoms,
    passwords: dictionary.questions.filter(({ type }) => type === "password").map(({ key }) => key),
    asked: dictionary.questions.map(({ key }) => key),
    ports: dictionary.requirements.ports,
    origins: listValueOrigins(dictionary),
  };
}

/** The part of a plan that is frozen with a task about one app. */
export function freezePlan(
  compiled: Pick<CompiledHooks, "hooks">,
  app: StoredApp,
  plan: Pick<Plan, "secrets">,
): StoredPlan {
  const { fromVersion, toVersion } = app;
  const versions = { ...(fromVersion !== undefined && { fromVersion }), ...(toVersion !== undefined && { toVersion }) };
  const hooks = Object.entries(compiled.hooks).map(([key, hook]) => [key, { ...hook, ...versions }] as const);
  return { format: 1, apps: { [app.appId]: app }, hooks: Object.fromEntries(hooks), secrets: plan.secrets };
}
