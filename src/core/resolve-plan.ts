/**
 * Dictionary + answers + host facts -> plan. Pure: random strings are asked of the caller, everything else is data.
 * What can't be resolved is null in the draft, with a problem; only a plan without errors is a plan.
 */
import type { Dictionary } from "./dictionary.ts";
import { type FormQuestion, type FormStep, groupQuestions } from "./form.ts";
import { consentOf } from "./hook-selection.ts";
import type { HostFacts } from "./host-facts.ts";
import type { Json, JsonObject, JsonPath } from "./json.ts";
import { liveValueAt } from "./live-configuration.ts";
import type { Call } from "./macros/tree.ts";
import { MIN_MASKED_LENGTH } from "./mask.ts";
import { toProblems } from "./parse-dictionary-problems.ts";
import type { Plan, PlanMode, PlannedDirectory, PlannedHook } from "./plan.ts";
import type { Problem } from "./problems.ts";
import { type RequirementsReport, reportRequirements, requirementFindings } from "./requirements.ts";
import { type DraftDirectory, resolveDirectories } from "./resolve-directories.ts";
import { type Place, type PlaceScope, placeAt, resolveMembers, resolveValue } from "./resolve-values.ts";
import type { CodedFinding } from "./rules/finding.ts";
import { type AnswerSource, type SettledAnswers, settleAnswers } from "./settle-answers.ts";

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

/** Which macros made a value, and where each got it from. */
export interface TraceEntry {
  /** Area and place of the resolved value, e.g. `["app_values", "network", "port"]`. */
  readonly path: JsonPath;
  readonly macros: readonly TracedMacro[];
}

export interface TracedMacro {
  /** As written. */
  readonly macro: string;
  readonly from: "host" | "script" | "generated" | "kept" | "live" | `answer:${AnswerSource}`;
  /** Question key. */
  readonly key?: string;
}

/** Resolves everything one install or update of an app will do. Never throws; faults are problems. */
export function resolvePlan(input: ResolveRequest): ResolvedPlan {
  const { dictionary, request, facts, mode, stored = {} } = input;
  const findings: CodedFinding[] = [];
  const report = (finding: CodedFinding): void => void findings.push(finding);
  const requirements = reportRequirements(dictionary, facts);
  findings.push(...requirementFindings(dictionary, requirements, input.enforceRequirements ?? false));

  const randoms = new RandomStrings(input);
  const trace = new Trace();
  const short = new ShortSecrets();
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
      if (call.name === "QUESTION" && isSecret(dictionary, answers, call.key)) {
        short.note(place.resolved, answers.answer(call.key).value);
      }
      if (call.name === "RANDOM_STRING" && call.characters < MIN_MASKED_LENGTH) short.note(place.resolved, "");
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
  const done = { draft, problems, form, requirements, trace: trace.entries(), secrets, secretPlaces: short.places };
  const complete = directories.filter(isPlanned);
  if (problems.some(({ severity }) => severity === "error") || complete.length < directories.length) {
    return { ...done, plan: null };
  }
  const settled = dictionary.questions.map(({ key }) => [key, answers.answer(key).value ?? ""] as const);
  const plan: Plan = {
    appId: dictionary.appId,
    dictionary,
    appValues,
    directories: complete,
    hooks,
    answers: Object.fromEntries(settled),
    randoms: randoms.kept(),
    secrets,
    secretPlaces: short.places,
  };
  return { ...done, plan };
}

/** One random string per place of the script, as it was the first time (decisions.md 2.7). */
class RandomStrings {
  /** How many were asked for. */
  uses = 0;
  readonly #input: ResolveRequest;
  readonly #strings: Map<string, string>;
  readonly #origins = new Map<string, "generated" | "live">();

  constructor(input: ResolveRequest) {
    this.#input = input;
    this.#strings = new Map(Object.entries(input.stored?.randoms ?? {}));
  }

  at(path: JsonPath, ordinal: number, characters: number): string {
    this.uses += 1;
    const key = placeKey(path, ordinal);
    const kept = this.#strings.get(key);
    if (kept !== undefined) return kept;
    const live = this.#live(path);
    const value = live ?? this.#input.random(characters);
    this.#origins.set(key, live === null ? "generated" : "live");
    this.#strings.set(key, value);
    return value;
  }

  origin(path: JsonPath): "generated" | "live" | "kept" {
    return this.#origins.get(placeKey(path, 0)) ?? "kept";
  }

  kept(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#strings);
  }

  /** The live string where the script's is one `$RANDOM_STRING` from end to end. */
  #live(path: JsonPath): string | null {
    const [area, ...below] = path;
    const { dictionary, stored } = this.#input;
    if (area !== "app_values" || stored?.live === undefined) return null;
    const written = liveValueAt(dictionary.appValues, dictionary.appValues, below);
    if (typeof written !== "string" || !/^\$RANDOM_STRING\([^()]*\)$/.test(written)) return null;
    const live = liveValueAt(dictionary.appValues, stored.live, below);
    return typeof live === "string" && live !== "" ? live : null;
  }
}

/** JSON text of the place's path; the later ones of one string carry their number, which no path below a string has. */
function placeKey(path: JsonPath, ordinal: number): string {
  return JSON.stringify(ordinal === 0 ? path : [...path, ordinal]);
}

class Trace {
  /** Macros evaluated so far. */
  uses = 0;
  readonly #byPlace = new Map<string, { readonly path: JsonPath; readonly macros: TracedMacro[] }>();

  add({ resolved }: Place, macro: TracedMacro): void {
    this.uses += 1;
    const key = JSON.stringify(resolved);
    const entry = this.#byPlace.get(key);
    if (entry === undefined) this.#byPlace.set(key, { path: resolved, macros: [macro] });
    else entry.macros.push(macro);
  }

  entries(): readonly TraceEntry[] {
    return [...this.#byPlace.values()];
  }
}

/** Places in `app_values` whose value came from a secret too short to be masked by value. */
class ShortSecrets {
  readonly places: JsonPath[] = [];

  note([area, ...below]: JsonPath, secret: Json | undefined): void {
    if (area !== "app_values" || typeof secret !== "string" || secret.length >= MIN_MASKED_LENGTH) return;
    this.places.push(below);
  }
}

function traced(
  call: Call,
  macro: string,
  answers: SettledAnswers,
  randoms: RandomStrings,
  { script }: Place,
): TracedMacro {
  switch (call.name) {
    case "QUESTION":
      return { macro, from: `answer:${answers.answer(call.key).source}`, key: call.key };
    case "RANDOM_STRING":
      return { macro, from: randoms.origin(script) };
    case "IF":
    case "HOST_PATH":
    case "MOUNTED_HOST_PATH":
    case "INVALID":
      return { macro, from: "script" };
    default:
      return { macro, from: "host" };
  }
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
