/**
 * Dictionary + answers + host facts -> plan. Pure: random strings are asked of the caller, everything else is data.
 * What can't be resolved is null in the draft, with a problem; only a plan without errors is a plan.
 */

import type { Problem } from "../codes/problems.ts";
import { consentOf } from "../hooks/hook-selection.ts";
import type { JsonObject, JsonPath } from "../json/json.ts";
import type { CodedFinding } from "../rules/finding.ts";
import type { Dictionary, Question } from "../script/dictionary.ts";
import { toProblems } from "../script/parse-dictionary-problems.ts";
import { type FormQuestion, type FormStep, groupQuestions } from "./form.ts";
import type { Plan, PlannedDirectory, PlannedHook } from "./plan.ts";
import { openMacros } from "./plan-macros.ts";
import type { TraceEntry } from "./plan-trace.ts";
import { type RequirementsReport, reportRequirements, requirementFindings } from "./requirements.ts";
import { type DraftDirectory, resolveDirectories } from "./resolve-directories.ts";
import type { ResolveRequest } from "./resolve-request.ts";
import { placeAt, resolveMembers } from "./resolve-values.ts";
import type { ResolvedAnswers } from "./settle-answers.ts";

export interface ResolvedPlan {
  /** null when any problem is an error. */
  readonly plan: Plan | null;
  /** What could be resolved, null where something could not. Holds secrets. */
  readonly draft: PlanDraft;
  readonly problems: readonly Problem[];
  readonly form: { readonly steps: readonly FormStep[] };
  readonly requirements: RequirementsReport;
  readonly trace: readonly TraceEntry[];
  /** Also of a draft that is no plan: its values are as secret. */
  readonly secrets: readonly string[];
  readonly secretPlaces: readonly JsonPath[];
  /** Every random string so far, by place, those kept before included. */
  readonly randoms: Plan["randoms"];
  /** Passwords an earlier install left, by question key: the form says only that they are there. */
  readonly storedPasswords: Readonly<Record<string, string>>;
}

interface PlanDraft {
  readonly appValues: JsonObject;
  readonly directories: readonly DraftDirectory[];
  readonly hooks: readonly PlannedHook[];
}

/** Resolves everything one install or update of an app will do. Never throws; faults are problems. */
export function resolvePlan(input: ResolveRequest): ResolvedPlan {
  const { dictionary, request, facts, mode } = input;
  const findings: CodedFinding[] = [];
  const requirements = reportRequirements(dictionary, facts);
  findings.push(...requirementFindings(dictionary, requirements, input.enforceRequirements ?? false));
  findings.push(...consentFindings(dictionary, request.consents ?? {}));

  const macros = openMacros(input, findings);
  macros.answers.check();
  const draft: PlanDraft = {
    appValues: resolveMembers(dictionary.appValues, placeAt(["app_values"]), macros.scope),
    directories: resolveDirectories(dictionary, macros.answers, macros.scope),
    hooks: plannedHooks(dictionary, request.consents ?? {}),
  };
  const form = { steps: groupQuestions(formQuestions(dictionary, macros.answers), mode) };

  const problems = toProblems(input.text ?? "", findings);
  const { secretPlaces } = macros;
  const resolved = {
    draft,
    problems,
    form,
    requirements,
    trace: macros.trace.entries(),
    secrets: macros.secrets(),
    secretPlaces,
    randoms: macros.randoms.kept(),
    storedPasswords: storedPasswords(dictionary, macros.answers),
  };
  const directories = draft.directories.filter(isPlanned);
  const failed = problems.some(({ severity }) => severity === "error");
  if (failed || directories.length < draft.directories.length) return { ...resolved, plan: null };
  const plan: Plan = {
    appId: dictionary.appId,
    dictionary,
    appValues: draft.appValues,
    directories,
    hooks: draft.hooks,
    answers: resolvedAnswers(dictionary, macros.answers),
    randoms: resolved.randoms,
    secrets: resolved.secrets,
    secretPlaces,
  };
  return { ...resolved, plan };
}

function resolvedAnswers({ questions }: Dictionary, answers: ResolvedAnswers): Plan["answers"] {
  const settled = questions.flatMap(({ key }) => {
    const { value, source } = answers.answer(key);
    return value === undefined || source === "none" ? [] : [[key, value] as const];
  });
  return Object.fromEntries(settled);
}

function formQuestions(dictionary: Dictionary, answers: ResolvedAnswers): readonly FormQuestion[] {
  return dictionary.questions.map(({ default: _declared, ...question }): FormQuestion => {
    const { value, source } = answers.offered(question.key);
    if (source === "none") return question;
    if (storedPassword(question, answers) !== null) return { ...question, isSet: true };
    const offered = value === undefined ? question : { ...question, default: value };
    return source === "generated" ? { ...offered, generated: true } : offered;
  });
}

function storedPasswords({ questions }: Dictionary, answers: ResolvedAnswers): Readonly<Record<string, string>> {
  const stored = questions.flatMap((question) => {
    const value = storedPassword(question, answers);
    return value === null ? [] : [[question.key, value] as const];
  });
  return Object.fromEntries(stored);
}

function storedPassword({ key, type }: Pick<Question, "key" | "type">, answers: ResolvedAnswers): string | null {
  const { value, source } = answers.offered(key);
  const stored = type === "password" && (source === "live" || source === "stored");
  return stored && typeof value === "string" && value !== "" ? value : null;
}

/** A row per lifecycle event of each hook; during upgrades hooks with `userOptional` are excluded (specification). */
function plannedHooks({ hooks }: Dictionary, touched: Readonly<Record<string, boolean>>): readonly PlannedHook[] {
  return hooks.flatMap((hook) => {
    const events = new Set(hook.triggers.map(({ event }) => event).filter((event) => event !== "userAction"));
    return [...events].flatMap((event): readonly PlannedHook[] => {
      const row = { id: hook.id, event, optional: hook.optional };
      if (hook.userOptional === undefined) return [row];
      const isInstall = event === "onBeforeInstall" || event === "onAfterInstall";
      return isInstall ? [{ ...row, consent: consentOf(hook, touched) }] : [];
    });
  });
}

function consentFindings({ hooks }: Dictionary, given: Readonly<Record<string, boolean>>): readonly CodedFinding[] {
  const asked = new Set(hooks.filter(({ userOptional }) => userOptional !== undefined).map(({ id }) => id));
  const unasked = Object.keys(given).filter((id) => !asked.has(id));
  return unasked.map((id): CodedFinding => {
    const message = `the hook "${id}" asks for no consent`;
    return { code: "ANSWER_CONSENT", severity: "error", message, path: ["consents", id] };
  });
}

function isPlanned(directory: DraftDirectory): directory is PlannedDirectory {
  return directory.path !== null && directory.location !== null;
}
