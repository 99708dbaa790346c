/**
 * Dictionary + answers + host facts -> plan. Pure: random strings are asked of the caller, everything else is data.
 * What can't be resolved is null in the draft, with a problem; only a plan without errors is a plan.
 */
import type { Dictionary } from "./dictionary.ts";
import { type FormQuestion, type FormStep, groupQuestions } from "./form.ts";
import { consentOf } from "./hook-selection.ts";
import type { HostFacts } from "./host-facts.ts";
import type { Json, JsonObject, JsonPath } from "./json.ts";
import { toProblems } from "./parse-dictionary-problems.ts";
import type { Plan, PlanMode, PlannedDirectory, PlannedHook } from "./plan.ts";
import { Trace, type TraceEntry, traced } from "./plan-trace.ts";
import type { Problem } from "./problems.ts";
import { RandomStrings } from "./random-strings.ts";
import { type RequirementsReport, reportRequirements, requirementFindings } from "./requirements.ts";
import { type DraftDirectory, resolveDirectories } from "./resolve-directories.ts";
import { type PlaceScope, placeAt, resolveMembers, resolveValue } from "./resolve-values.ts";
import type { CodedFinding } from "./rules/finding.ts";
import { type SettledAnswers, settleAnswers } from "./settle-answers.ts";

export interface ResolveRequest {
  readonly dictionary: Dictionary;
  readonly request: {
    readonly answers?: Readonly<Record<string, Json>>;
    readonly consents?: Readonly<Record<string, boolean>>;
  };
  readonly facts: HostFacts;
  readonly mode: PlanMode;
  /** What an earlier plan of this app kept, and the live configuration of the installed app. */
  readonly stored?: {
    readonly randoms?: Readonly<Record<string, string>>;
    readonly answers?: Readonly<Record<string, Json>>;
    readonly live?: JsonObject;
  };
  /** A new random string of `A-Za-z0-9` from a cryptographic source. */
  readonly random: (length: number) => string;
  /** Unmet specifications, permissions and ports are errors; off by default (specification, requirements rule 3). */
  readonly enforceRequirements?: boolean;
  /** The script's text: with it problems carry line and column, else they point at the start. */
  readonly text?: string;
}

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
}

export interface PlanDraft {
  readonly appValues: JsonObject;
  readonly directories: readonly DraftDirectory[];
  readonly hooks: readonly PlannedHook[];
}

/** Resolves everything one install or update of an app will do. Never throws; faults are problems. */
export function resolvePlan(input: ResolveRequest): ResolvedPlan {
  const { dictionary, request, facts, mode, stored = {} } = input;
  const findings: CodedFinding[] = [];
  const report = (finding: CodedFinding): void => void findings.push(finding);
  const requirements = reportRequirements(dictionary, facts);
  findings.push(...requirementFindings(dictionary, requirements, input.enforceRequirements ?? false));

  const randoms = new RandomStrings({
    appValues: dictionary.appValues,
    kept: stored.randoms ?? {},
    live: stored.live ?? null,
    random: input.random,
  });
  const trace = new Trace();
  const secretPlaces: JsonPath[] = [];
  const scope: PlaceScope = {
    facts,
    answer: (key) => {
      if (!dictionary.questions.some((question) => question.key === key)) {
        const message = `no question declares the key "${key}"`;
        report({ code: "MACRO_QUESTION_UNDECLARED", severity: "error", message, path: ["installation_questions"] });
      }
      return answers.answer(key).value;
    },
    location: (id) => {
      if (!dictionary.requirements.locations.includes(id)) {
        const message = `the location "${id}" is not listed in "requirements.locations"`;
        report({ code: "MACRO_LOCATION_UNDECLARED", severity: "error", message, path: ["requirements", "locations"] });
      }
      return Object.hasOwn(facts.locations, id) ? facts.locations[id] : undefined;
    },
    randomString: (path, ordinal, characters) => randoms.at(path, ordinal, characters),
    report,
    used: (place, call, written) => {
      trace.add(place, traced(call, written, answers, randoms, place));
      const secret =
        call.name === "RANDOM_STRING" || (call.name === "QUESTION" && isSecret(dictionary, answers, call.key));
      const [area, ...below] = place.resolved;
      if (secret && area === "app_values") secretPlaces.push(below);
    },
  };
  const answers: SettledAnswers = settleAnswers({
    dictionary,
    mode,
    given: request.answers ?? {},
    stored: stored.answers ?? {},
    live: stored.live ?? null,
    report,
    resolveDefault: (value, path) => {
      const before = { uses: trace.uses, randoms: randoms.uses };
      const failed = findings.length;
      const resolved = resolveValue(value, placeAt(path), scope);
      return {
        value: findings.length > failed || resolved === null ? undefined : resolved,
        computed: trace.uses > before.uses,
        random: randoms.uses > before.randoms,
      };
    },
  });

  answers.check();
  for (const key of undeclaredConsents(dictionary, request.consents ?? {})) {
    const message = `the hook "${key}" asks for no consent`;
    report({ code: "ANSWER_CONSENT", severity: "error", message, path: ["consents", key] });
  }
  const appValues = resolveMembers(dictionary.appValues, placeAt(["app_values"]), scope);
  const directories = resolveDirectories(dictionary, answers, scope);
  const hooks = plannedHooks(dictionary, request.consents ?? {});
  const form = { steps: groupQuestions(formQuestions(dictionary, answers), mode) };

  const problems = placed(findings, input.text);
  const secrets = [...new Set([...secretAnswers(dictionary, answers), ...Object.values(randoms.kept())])];
  const draft = { appValues, directories, hooks };
  const done = { draft, problems, form, requirements, trace: trace.entries(), secrets, secretPlaces };
  const complete = directories.filter(isPlanned);
  if (problems.some(({ severity }) => severity === "error") || complete.length < directories.length) {
    return { ...done, plan: null };
  }
  const settled = dictionary.questions.flatMap(({ key }) => {
    const { value, source } = answers.answer(key);
    return value === undefined || source === "none" ? [] : [[key, value] as const];
  });
  const plan: Plan = {
    appId: dictionary.appId,
    dictionary,
    appValues,
    directories: complete,
    hooks,
    answers: Object.fromEntries(settled),
    randoms: randoms.kept(),
    secrets,
    secretPlaces,
  };
  return { ...done, plan };
}

function isSecret(dictionary: Dictionary, answers: SettledAnswers, key: string): boolean {
  const question = dictionary.questions.find((candidate) => candidate.key === key);
  return question?.type === "password" || answers.answer(key).source === "generated";
}

function secretAnswers(dictionary: Dictionary, answers: SettledAnswers): readonly string[] {
  return dictionary.questions.flatMap(({ key }) => {
    if (!isSecret(dictionary, answers, key)) return [];
    // Both: the form shows what is offered even where another answer was given.
    const values = [answers.answer(key).value, answers.offered(key).value];
    return values.filter((value) => typeof value === "string").filter((value) => value !== "");
  });
}

function formQuestions(dictionary: Dictionary, answers: SettledAnswers): readonly FormQuestion[] {
  return dictionary.questions.map(({ default: _declared, ...question }): FormQuestion => {
    const { value, source } = answers.offered(question.key);
    if (source === "none") return question;
    const offered = value === undefined ? question : { ...question, default: value };
    return source === "generated" ? { ...offered, generated: true } : offered;
  });
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

function undeclaredConsents({ hooks }: Dictionary, given: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(given).filter((id) => !hooks.some((hook) => hook.id === id && hook.userOptional !== undefined));
}

function isPlanned(directory: DraftDirectory): directory is PlannedDirectory {
  return directory.path !== null && directory.location !== null;
}

function placed(findings: readonly CodedFinding[], text: string | undefined): readonly Problem[] {
  return toProblems(text ?? "", findings);
}
