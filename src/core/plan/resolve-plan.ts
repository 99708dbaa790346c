/**
 * Dictionary + answers + host facts -> plan. Pure: random strings are asked of the caller, everything else is data.
 * A value that can't be resolved is null in the draft, with a problem; only a plan without errors is a plan.
 */

import type { Problem } from "../codes/problems.ts";
import type { JsonObject, JsonPath } from "../json/json.ts";
import { createMask } from "../report/mask.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import type { Dictionary } from "../script/dictionary.ts";
import { toProblems } from "../script/parse/place-problems.ts";
import { type FormQuestion, type FormStep, groupQuestions } from "./form.ts";
import type { Plan, PlannedDirectory, PlannedHook } from "./plan.ts";
import { openMacros } from "./plan-macros.ts";
import type { TakenBranch, TraceEntry } from "./plan-trace.ts";
import { findConsentFaults, selectFiringHooks } from "./planned-hooks.ts";
import { type RequirementsReport, reportRequirements, toRequirementDiagnostics } from "./requirements.ts";
import type { ResolvedAnswers } from "./resolve-answers.ts";
import { type DraftDirectory, resolveDirectories } from "./resolve-directories.ts";
import { resolveInputDefaults } from "./resolve-input-defaults.ts";
import type { ResolveRequest } from "./resolve-request.ts";
import { type AnswerDifference, listAnswerDifferences } from "./values/answer-differences.ts";
import { resolveMembers, toPlace } from "./values/resolve-values.ts";

export interface ResolvedPlan {
  /** null when any problem is an error. */
  readonly plan: Plan | null;
  /** Null stands where something could not be resolved. Holds secrets; no values when its macros are over their budget. */
  readonly draft: PlanDraft;
  readonly problems: readonly Problem[];
  readonly form: { readonly steps: readonly FormStep[] };
  readonly requirements: RequirementsReport;
  readonly trace: readonly TraceEntry[];
  /** The branches its `$IF`s took, in the order they were evaluated. */
  readonly branches: readonly TakenBranch[];
  /** Also of a draft that is no plan: its values are as secret. */
  readonly secrets: readonly string[];
  readonly secretPlaces: readonly JsonPath[];
  /** Every random string so far, by place, those kept before included. */
  readonly randoms: Plan["randoms"];
  readonly inputDefaults: Plan["inputDefaults"];
  /** Answers of an earlier install the form does not show, only that they are there, by question key. */
  readonly withheld: Readonly<Record<string, string>>;
  /** Answers an update with this plan changes; none in other modes than `options`. */
  readonly answerDifferences: readonly AnswerDifference[];
}

interface PlanDraft {
  readonly appValues: JsonObject;
  readonly directories: readonly DraftDirectory[];
  readonly hooks: readonly PlannedHook[];
}

/** Resolves everything one install or update of an app will do. Never throws; faults are problems. */
export function resolvePlan(input: ResolveRequest): ResolvedPlan {
  const { dictionary, request, facts, mode } = input;
  const diagnostics: Diagnostic[] = [];
  const requirements = reportRequirements(dictionary, facts);
  diagnostics.push(...toRequirementDiagnostics(dictionary, requirements, input.enforceRequirements ?? false));
  diagnostics.push(...findConsentFaults(dictionary, request.consents ?? {}));

  const macros = openMacros(input, diagnostics);
  macros.answers.check();
  const draft: PlanDraft = {
    appValues: resolveMembers(dictionary.appValues, toPlace(["app_values"]), macros.scope),
    directories: resolveDirectories(dictionary, macros.answers, macros.scope),
    hooks: selectFiringHooks(input),
  };
  const inputDefaults = resolveInputDefaults(dictionary, macros, (diagnostic) => void diagnostics.push(diagnostic));
  const withheld = listWithheldAnswers(dictionary, macros.answers, input.stored?.secrets?.passwords ?? []);
  const form = { steps: groupQuestions(listFormQuestions(dictionary, macros.answers, withheld), mode) };

  const { secretPlaces } = macros;
  const secrets = macros.secrets();
  const problems = maskMessages(toProblems(input.text ?? "", diagnostics), secrets);
  const resolved = {
    draft,
    problems,
    form,
    requirements,
    trace: macros.trace.entries(),
    branches: macros.branches,
    secrets,
    secretPlaces,
    randoms: macros.randoms.kept(),
    inputDefaults,
    withheld,
    answerDifferences:
      mode === "options"
        ? listAnswerDifferences({
            questions: dictionary.questions,
            answers: macros.answers,
            mode,
            stored: input.stored?.answers ?? {},
            secrets,
          })
        : [],
  };
  if (diagnostics.some(({ code }) => code === "MACRO_BUDGET")) return withoutValues(resolved, dictionary, mode);
  const directories = draft.directories.filter(isPlanned);
  const failed = problems.some(({ severity }) => severity === "error");
  if (failed || directories.length < draft.directories.length) return { ...resolved, plan: null };
  const plan: Plan = {
    appId: dictionary.appId,
    dictionary,
    appValues: draft.appValues,
    directories,
    hooks: draft.hooks,
    answers: toPlanAnswers(dictionary, macros.answers),
    randoms: resolved.randoms,
    inputDefaults,
    secrets: resolved.secrets,
    secretPlaces,
  };
  return { ...resolved, plan };
}

/** Macros over their budget leave megabytes of text in values and defaults: only what the script declares is kept. */
function withoutValues(
  resolved: Omit<ResolvedPlan, "plan">,
  { questions }: Dictionary,
  mode: ResolveRequest["mode"],
): ResolvedPlan {
  const asked = questions.map(({ default: _declared, ...question }): FormQuestion => question);
  return {
    ...resolved,
    plan: null,
    draft: { ...resolved.draft, appValues: {}, directories: [] },
    form: { steps: groupQuestions(asked, mode) },
    trace: [],
    inputDefaults: {},
    answerDifferences: [],
  };
}

/** A default may be made of a password, and be no option or path; refusals are kept and logged. */
function maskMessages(problems: readonly Problem[], secrets: readonly string[]): readonly Problem[] {
  if (problems.length === 0) return problems;
  const mask = createMask(secrets);
  return problems.map((problem) => ({ ...problem, message: mask(problem.message) }));
}

function toPlanAnswers({ questions }: Dictionary, answers: ResolvedAnswers): Plan["answers"] {
  const settled = questions.flatMap(({ key }) => {
    const { value, source } = answers.answer(key);
    return value === undefined || source === "none" || answers.isLost(key) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(settled);
}

function listFormQuestions(
  { questions }: Dictionary,
  answers: ResolvedAnswers,
  withheld: ResolvedPlan["withheld"],
): readonly FormQuestion[] {
  return questions.map((declared): FormQuestion => {
    const { default: _, ...question } = answers.asked(declared);
    const { value, source } = answers.offered(question.key);
    if (source === "none") return question;
    if (Object.hasOwn(withheld, question.key)) return { ...question, isSet: true };
    const offered = value === undefined ? question : { ...question, default: value };
    return source === "generated" ? { ...offered, generated: true } : offered;
  });
}

/** Stored passwords, and texts with one of them or a former one inside: an address whose default is made of a password, say. */
function listWithheldAnswers(
  { questions }: Dictionary,
  answers: ResolvedAnswers,
  former: readonly string[],
): ResolvedPlan["withheld"] {
  const texts = questions.flatMap(({ key, type }) => {
    const { value, source } = answers.offered(key);
    if (typeof value !== "string" || value === "") return [];
    return { key, type, value, isStored: source === "live" || source === "stored" };
  });
  const passwords = texts.filter(({ type, isStored }) => type === "password" && isStored);
  const mask = createMask([...passwords.map(({ value }) => value), ...former]);
  const withPassword = texts.filter(({ type, value }) => type === "text" && mask(value) !== value);
  return Object.fromEntries([...passwords, ...withPassword].map(({ key, value }) => [key, value]));
}

/** A directory that could be resolved. */
export function isPlanned(directory: DraftDirectory): directory is PlannedDirectory {
  return directory.path !== null && directory.location !== null;
}
