/** Where the macros of one plan get their values, and what is noted of each: its trace and the secrets it holds. */
import type { Code } from "../codes/code.ts";
import type { Json, JsonPath } from "../json/json.ts";
import { toText } from "../macros/evaluate.ts";
import type { Call } from "../macros/tree.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import { quote } from "../rules/row.ts";
import { PLAN_CALLS, PLAN_TEXT, PlanBudget } from "./plan-budget.ts";
import { Trace, traceMacro } from "./plan-trace.ts";
import { RandomStrings } from "./random-strings.ts";
import { type ResolvedAnswers, type ResolvedDefault, resolveAnswers } from "./resolve-answers.ts";
import type { ResolveRequest } from "./resolve-request.ts";
import { readLiveValue } from "./values/live-configuration.ts";
import { type Place, type PlaceScope, resolveValue, toPlace, type WrittenCall } from "./values/resolve-values.ts";

/** The macros of one plan, open for resolving. */
export interface PlanMacros {
  readonly scope: PlaceScope;
  readonly answers: ResolvedAnswers;
  readonly randoms: RandomStrings;
  readonly trace: Trace;
  /** Grows while values are resolved. */
  readonly secretPlaces: readonly JsonPath[];
  /** Resolves the macros of a default that stands at a place of the script. */
  resolveDefault(value: Json, path: JsonPath): ResolvedDefault;
  /** Password answers and generated strings known so far. */
  secrets(): readonly string[];
}

/** Opens the macros of a request; what can't be resolved is added to `diagnostics`. */
export function openMacros(input: ResolveRequest, diagnostics: Diagnostic[]): PlanMacros {
  const { dictionary, request, facts, mode, stored = {} } = input;
  const declared = new Map(dictionary.questions.map((question) => [question.key, question]));
  const required = new Set(dictionary.requirements.locations);
  const trace = new Trace();
  const budget = new PlanBudget();
  const secretPlaces: JsonPath[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const randoms = new RandomStrings({
    appValues: dictionary.appValues,
    kept: stored.randoms ?? {},
    live: stored.live ?? null,
    random: input.random,
  });
  const answers: ResolvedAnswers = resolveAnswers({
    dictionary,
    mode,
    given: request.answers ?? {},
    stored: stored.answers ?? {},
    live: stored.live ?? null,
    report,
    resolveDefault,
  });
  const scope: PlaceScope = {
    facts,
    answer(key) {
      if (!declared.has(key)) {
        const message = `no question declares the key "${key}"`;
        report({ code: "MACRO_QUESTION_UNDECLARED", severity: "error", message, path: ["installation_questions"] });
      }
      return answers.answer(key).value;
    },
    location(id) {
      if (!required.has(id)) {
        const message = `the location "${id}" is not listed in "requirements.locations"`;
        report({ code: "MACRO_LOCATION_UNDECLARED", severity: "error", message, path: ["requirements", "locations"] });
      }
      const path = Object.hasOwn(facts.locations, id) ? facts.locations[id] : undefined;
      return path?.replace(/(?<=.)\/+$/, "");
    },
    randomString: (path, ordinal, characters) => randoms.at(path, ordinal, characters),
    report,
    isLost: (key) => answers.isLost(key),
    liveAt([area, ...path]) {
      return area === "app_values" && stored.live ? readLiveValue(dictionary.appValues, stored.live, path) : undefined;
    },
    enter(place, call) {
      if (budget.overdrawn) return false;
      if (!budget.enter()) {
        reportAt("MACRO_NESTING", "the value is needed by too many others, one within the other", place, call);
        return false;
      }
      return true;
    },
    leave: () => budget.leave(),
    used(place, call, value) {
      if (budget.overdrawn) return false;
      budget.addCall(place.script.reduce<number>((units, step) => units + String(step).length, 0));
      if (value !== undefined) budget.addText(toText(value).length);
      if (budget.overdrawn) {
        const message = `with the macro ${quote(call.written)} the plan holds more than ${PLAN_CALLS} macros or ${PLAN_TEXT} characters from macros`;
        reportAt("MACRO_BUDGET", message, place, call);
        return false;
      }
      trace.add(place, traceMacro(call.call, call.written, answers, randoms, place));
      const [area, ...below] = place.resolved;
      if (area === "app_values" && yieldsSecret(call.call)) secretPlaces.push(below);
      return true;
    },
  };

  function reportAt(code: Code, message: string, place: Place, call: WrittenCall | null): void {
    const within = call === null ? {} : { within: { offset: call.call.offset, length: call.call.length } };
    report({ code, severity: "error", message, path: place.script, ...within });
  }

  function resolveDefault(value: Json, path: JsonPath): ResolvedDefault {
    const before = { diagnostics: diagnostics.length, macros: trace.uses, randoms: randoms.uses };
    const resolved = resolveValue(value, toPlace(path), scope);
    return {
      value: diagnostics.length > before.diagnostics || resolved === null ? undefined : resolved,
      computed: trace.uses > before.macros,
      random: randoms.uses > before.randoms,
    };
  }

  function yieldsSecret(call: Call): boolean {
    return call.name === "RANDOM_STRING" || (call.name === "QUESTION" && isSecret(call.key));
  }

  function isSecret(key: string): boolean {
    return declared.get(key)?.type === "password" || answers.answer(key).source === "generated";
  }

  function listSecrets(): readonly string[] {
    // Also what is only offered: the form shows it even where another answer was given.
    const values = [...declared.keys()]
      .filter(isSecret)
      .flatMap((key) => [answers.answer(key).value, answers.offered(key).value]);
    const texts = values.filter((value) => typeof value === "string").filter((value) => value !== "");
    return [...new Set([...texts, ...Object.values(randoms.kept())])];
  }

  return { scope, answers, randoms, trace, secretPlaces, resolveDefault, secrets: listSecrets };
}
