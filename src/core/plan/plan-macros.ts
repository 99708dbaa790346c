/** Where the macros of one plan get their values, and what is noted of each: its trace and the secrets it holds. */
import type { Code } from "../codes/code.ts";
import type { Json, JsonPath } from "../json/json.ts";
import { toText } from "../macros/macro-values.ts";
import type { Call } from "../macros/tree.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import { quote } from "../rules/row.ts";
import type { Question } from "../script/dictionary.ts";
import { PLAN_CALLS, PLAN_TEXT, PlanBudget } from "./plan-budget.ts";
import { type TakenBranch, Trace, traceMacro } from "./plan-trace.ts";
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
  readonly branches: readonly TakenBranch[];
  /** Grows while values are resolved. */
  readonly secretPlaces: readonly JsonPath[];
  /** Resolves the macros of a default that stands at a place of the script. */
  resolveDefault(value: Json, path: JsonPath): ResolvedDefault;
  /** Password answers and generated strings known so far. */
  secrets(): readonly string[];
}

/** Opens the macros of a request; what can't be resolved is added to `diagnostics`. */
export function openMacros(input: ResolveRequest, diagnostics: Diagnostic[]): PlanMacros {
  return new OpenMacros(input, diagnostics);
}

class OpenMacros implements PlanMacros {
  readonly answers: ResolvedAnswers;
  readonly randoms: RandomStrings;
  readonly trace = new Trace();
  readonly branches: TakenBranch[] = [];
  readonly secretPlaces: JsonPath[] = [];
  readonly scope: PlaceScope;
  readonly #input: ResolveRequest;
  readonly #diagnostics: Diagnostic[];
  readonly #declared: ReadonlyMap<string, Question>;
  readonly #required: ReadonlySet<string>;
  readonly #budget = new PlanBudget();

  constructor(input: ResolveRequest, diagnostics: Diagnostic[]) {
    const { dictionary, request, facts, mode, stored = {} } = input;
    this.#input = input;
    this.#diagnostics = diagnostics;
    this.#declared = new Map(dictionary.questions.map((question) => [question.key, question]));
    this.#required = new Set(dictionary.requirements.locations);
    const report = (diagnostic: Diagnostic) => this.#report(diagnostic);
    this.randoms = new RandomStrings({
      appValues: dictionary.appValues,
      kept: stored.randoms ?? {},
      live: stored.live ?? null,
      random: input.random,
    });
    this.answers = resolveAnswers({
      dictionary,
      mode,
      given: request.answers ?? {},
      stored: stored.answers ?? {},
      live: stored.live ?? null,
      report,
      resolveDefault: (value, path) => this.resolveDefault(value, path),
    });
    this.scope = {
      facts,
      answer: (key) => this.#answer(key),
      location: (id) => this.#findLocation(id),
      randomString: (path, ordinal, characters) => this.randoms.at(path, ordinal, characters),
      report,
      isLost: (key) => this.answers.isLost(key),
      liveAt: (path) => this.#readLive(path),
      enter: (place, call) => this.#enter(place, call),
      leave: () => this.#budget.leave(),
      used: (place, call, value) => this.#use(place, call, value),
      branched: ({ script }, { offset }, holds) => void this.branches.push({ path: script, offset, holds }),
    };
  }

  resolveDefault(value: Json, path: JsonPath): ResolvedDefault {
    const before = { diagnostics: this.#diagnostics.length, macros: this.trace.uses, randoms: this.randoms.uses };
    const resolved = resolveValue(value, toPlace(path), this.scope);
    return {
      value: this.#diagnostics.length > before.diagnostics || resolved === null ? undefined : resolved,
      computed: this.trace.uses > before.macros,
      random: this.randoms.uses > before.randoms,
    };
  }

  secrets(): readonly string[] {
    // Also what is only offered: the form shows it even where another answer was given.
    const values = [...this.#declared.keys()]
      .filter((key) => this.#isSecret(key))
      .flatMap((key) => [this.answers.answer(key).value, this.answers.offered(key).value]);
    const texts = values.filter((value) => typeof value === "string").filter((value) => value !== "");
    const { passwords = [], generated = [] } = this.#input.stored?.secrets ?? {};
    return [...new Set([...texts, ...Object.values(this.randoms.kept()), ...passwords, ...generated])];
  }

  #answer(key: string): Json | undefined {
    if (!this.#declared.has(key)) {
      const message = `no question declares the key "${key}"`;
      const path = ["installation_questions"];
      this.#report({ code: "MACRO_QUESTION_UNDECLARED", severity: "error", message, path });
    }
    return this.answers.answer(key).value;
  }

  #findLocation(id: string): string | undefined {
    const { locations } = this.#input.facts;
    if (!this.#required.has(id)) {
      const message = `the location "${id}" is not listed in "requirements.locations"`;
      const path = ["requirements", "locations"];
      this.#report({ code: "MACRO_LOCATION_UNDECLARED", severity: "error", message, path });
    }
    const path = Object.hasOwn(locations, id) ? locations[id] : undefined;
    return path?.replace(/(?<=.)\/+$/, "");
  }

  #readLive([area, ...path]: JsonPath): Json | undefined {
    const { dictionary, stored } = this.#input;
    return area === "app_values" && stored?.live ? readLiveValue(dictionary.appValues, stored.live, path) : undefined;
  }

  #enter(place: Place, call: WrittenCall | null): boolean {
    if (this.#budget.overdrawn) return false;
    if (this.#budget.enter()) return true;
    this.#reportAt("MACRO_NESTING", "the value is needed by too many others, one within the other", place, call);
    return false;
  }

  /** Notes a macro that was evaluated; false where the plan may hold no more. */
  #use(place: Place, call: WrittenCall, value: Json | undefined): boolean {
    if (this.#budget.overdrawn) return false;
    this.#budget.addCall(place.script.reduce<number>((units, step) => units + String(step).length, 0));
    if (value !== undefined) this.#budget.addText(toText(value).length);
    if (this.#budget.overdrawn) {
      const message = `with the macro ${quote(call.written)} the plan holds more than ${PLAN_CALLS} macros or ${PLAN_TEXT} characters from macros`;
      this.#reportAt("MACRO_BUDGET", message, place, call);
      return false;
    }
    this.trace.add(place, traceMacro(call.call, call.written, this.answers, this.randoms, place));
    const [area, ...below] = place.resolved;
    if (area === "app_values" && this.#yieldsSecret(call.call)) this.secretPlaces.push(below);
    return true;
  }

  #yieldsSecret(call: Call): boolean {
    return call.name === "RANDOM_STRING" || (call.name === "QUESTION" && this.#isSecret(call.key));
  }

  #isSecret(key: string): boolean {
    return this.#declared.get(key)?.type === "password" || this.answers.answer(key).source === "generated";
  }

  #report(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic);
  }

  #reportAt(code: Code, message: string, place: Place, call: WrittenCall | null): void {
    const within = call === null ? {} : { within: { offset: call.call.offset, length: call.call.length } };
    this.#report({ code, severity: "error", message, path: place.script, ...within });
  }
}
