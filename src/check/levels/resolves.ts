import { setImmediate as nextTurn } from "node:timers/promises";
import type { Problem } from "../../core/codes/problems.ts";
import type { Json, JsonPath } from "../../core/json/json.ts";
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import { type ResolvedPlan, resolvePlan } from "../../core/plan/resolve-plan.ts";
import { listHostPaths } from "../../engine/preflight/named-in-values.ts";
import { createSeededRandom } from "../../standin/random.ts";
import { Findings } from "../findings.ts";
import { Branches } from "../resolve/branches.ts";
import { findLeftMacros } from "../resolve/left-macros.ts";
import { findMacroCalls } from "../resolve/macro-calls.ts";
import { findChangedTypes, readTypes, type ValueTypes } from "../resolve/value-types.ts";
import type { PlayedApp } from "../subject.ts";
import { type AnswerSet, generateRequired } from "../trials/generate-answers.ts";
import { type HostProfile, listProfiles } from "../trials/host-profiles.ts";
import { findMisread, HOSTILE_TEXTS, makeHostile } from "../trials/hostile-answers.ts";
import { varyEach, varyTogether } from "../trials/vary-answers.ts";
import type { Level, LevelSetting, Played } from "./level.ts";

/** Level 2: plans alone, on hosts that differ and with answers that do. */
export const RESOLVES: Level = {
  number: 2,
  name: "resolves",
  holds:
    "on every kind of host, and with answers that take both branches of every `$IF`, no macro is left, values have the types they have by default, nothing lies outside its locations, and hostile answers stay data",
  play: (app, setting) => new Resolving(app, setting).play(),
};

/** Plans made of one app. */
const MOST_PLANS = 400;

/** One way to ask for the app. */
interface Trial {
  readonly profile: HostProfile;
  readonly answers: AnswerSet;
  /** With what, in words. */
  readonly name: string;
}

class Resolving {
  readonly #app: PlayedApp;
  readonly #setting: LevelSetting;
  readonly #findings: Findings;
  /** Paths of the host without a macro in them. */
  readonly #writtenPaths: ReadonlySet<string>;
  #plans = 0;

  constructor(app: PlayedApp, setting: LevelSetting) {
    this.#app = app;
    this.#setting = setting;
    this.#findings = new Findings(app);
    this.#writtenPaths = new Set(listHostPaths(app.dictionary.appValues, []).map(({ path }) => path));
  }

  async play(): Promise<Played> {
    const { dictionary } = this.#app;
    const calls = findMacroCalls(dictionary);
    const branches = new Branches(calls);
    const base = generateRequired(dictionary.questions, createSeededRandom(this.#setting.seed));
    const profiles = listProfiles(dictionary);
    const [plain] = profiles;
    const usual = plain === undefined ? new Map() : readTypes(this.#resolve(plain, base).draft.appValues);
    const look = async (trial: Trial): Promise<void> => {
      if (this.#plans >= MOST_PLANS) return;
      await this.#rest();
      const resolved = this.#resolve(trial.profile, trial.answers);
      branches.add(resolved.branches);
      this.#judge(resolved, trial, usual);
    };
    for (const profile of profiles) {
      const answers = generateRequired(dictionary.questions, createSeededRandom(this.#setting.seed), profile.facts);
      await look({ profile, answers, name: `the host "${profile.name}"` });
    }
    for (const profile of plain === undefined ? [] : [plain]) {
      const vary = async (sets: readonly AnswerSet[]) => {
        for (const answers of sets) await look({ profile, answers, name: describeAnswers(answers, base) });
      };
      await vary(varyEach(dictionary, calls, base));
      for (const own of branches.open(calls)) await vary(varyTogether(dictionary, own, base));
      await this.#tryHostile(profile, base);
    }
    return { findings: this.#findings.list(), coverage: [branches.coverage()] };
  }

  #resolve({ facts }: HostProfile, answers: AnswerSet): ResolvedPlan {
    this.#plans += 1;
    const { dictionary } = this.#app;
    return resolvePlan({ dictionary, request: { answers }, facts, mode: "install", random: drawSame });
  }

  #judge({ draft, problems }: ResolvedPlan, { profile, name }: Trial, usual: ValueTypes): void {
    for (const { severity, code, message, path } of problems) {
      if (severity === "error") this.#findings.add(code, `${message} (with ${name})`, path);
    }
    for (const [at, value] of [
      ["app_values", draft.appValues],
      ["ensure_directories_exists", draft.directories.map(({ path }) => ({ path }))],
    ] as const) {
      for (const { path, written } of findLeftMacros(value, [at])) {
        this.#findings.add(
          "CHECK_MACRO_LEFT",
          `"${written}" is left where everything is resolved (with ${name})`,
          path,
        );
      }
    }
    for (const { path, type, usual: other } of findChangedTypes(draft.appValues, usual)) {
      this.#findings.add("CHECK_TYPE_CHANGED", `a ${type} stands where a ${other} does by default (with ${name})`, [
        "app_values",
        ...path,
      ]);
    }
    this.#findOutside(draft.appValues, profile, name);
  }

  /** What the script's own text says of the host is its author's to answer for; what comes of an answer is not. */
  #findOutside(values: Json, { facts }: HostProfile, name: string): void {
    const roots = Object.values(facts.locations);
    for (const { path, place } of listHostPaths(values, [])) {
      const at: JsonPath = ["app_values", ...place.split(".")];
      if (this.#writtenPaths.has(path) || roots.some((root) => isAtOrBelow(path, root))) continue;
      this.#findings.add("CHECK_PATH_OUTSIDE", `"${path}" lies in no location (with ${name})`, at);
    }
  }

  async #tryHostile(profile: HostProfile, base: AnswerSet): Promise<void> {
    const hostile = makeHostile(this.#app.dictionary.questions, base);
    if (hostile === null) return;
    const harmless = this.#resolve(profile, hostile.harmless);
    if (hasErrors(harmless)) return;
    for (const { name, text } of HOSTILE_TEXTS) {
      await this.#rest();
      const resolved = this.#resolve(profile, hostile.make(text));
      // One that is refused is never sent anywhere.
      if (hasErrors(resolved)) continue;
      const put = (into: string) => hostile.put(into, text);
      const misread = findMisread(harmless.draft.appValues, resolved.draft.appValues, put, ["app_values"]);
      if (misread !== null)
        this.#findings.add("CHECK_ANSWER_READ", `an answer with ${name} is not kept as it is`, misread);
      this.#findOutside(resolved.draft.appValues, profile, `an answer with ${name}`);
    }
  }

  /** Other apps have their turn between two plans, and a check that was stopped ends. */
  async #rest(): Promise<void> {
    await nextTurn();
    this.#setting.signal.throwIfAborted();
  }
}

/** The same wherever it is drawn: plans are compared. */
function drawSame(length: number): string {
  return "R".repeat(length);
}

function hasErrors({ problems }: { readonly problems: readonly Problem[] }): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function describeAnswers(answers: AnswerSet, base: AnswerSet): string {
  const changed = Object.entries(answers).filter(([key, value]) => base[key] !== value);
  return changed.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`).join(", ") || "the defaults";
}
