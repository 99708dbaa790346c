/** An app whose answers are changed one by one, as its options dialog does. */
import { isEqual } from "../../core/json/is-equal.ts";
import type { Json, JsonObject, JsonPath } from "../../core/json/json.ts";
import { isAsked } from "../../core/plan/form.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { resolvePlan } from "../../core/plan/resolve-plan.ts";
import { mergeValues } from "../../core/plan/values/merge-values.ts";
import type { Question } from "../../core/script/dictionary.ts";
import { NO_TABLE } from "../../standin/apps/answers.ts";
import { createSeededRandom, type Random } from "../../standin/random.ts";
import type { Coverage } from "../coverage.ts";
import { describeError, describeFailure, type Findings } from "../findings.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { type AnswerSet, generateRequired } from "../trials/generate-answers.ts";
import { changeAnswer } from "../trials/other-answers.ts";
import type { World } from "../world/worlds.ts";
import { strip } from "./changing-world.ts";
import { judgeInstallonly } from "./judge-kept.ts";
import { judgeOption, listChanges, readAt } from "./judge-option.ts";
import { namePlace } from "./kept-texts.ts";
import { readAnswers } from "./known-answers.ts";
import { readValues } from "./upgrade-play.ts";

/** Changes each option once; what does not complete or shows elsewhere becomes a finding. */
export async function playOptions(app: PlayedApp, setting: LevelSetting, findings: Findings): Promise<Coverage> {
  const asked = app.dictionary.questions.filter((question) => isAsked(question, "options"));
  if (app.dictionary.questions.length === 0) return { of: "options", reached: 0, all: 0, missed: [] };
  const world = await setting.worlds.open(strip(app), NO_TABLE);
  try {
    const missed = await new OptionPlay(app, world, setting, findings).play(asked);
    return { of: "options", reached: asked.length - missed.length, all: asked.length, missed };
  } finally {
    await world.close();
  }
}

/** A change of one answer: the values the plan says before and after it, with two draws of what is generated. */
interface Planned {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly otherwise: JsonObject;
  /** The directories differ. */
  readonly moves: boolean;
}

class OptionPlay {
  readonly #app: PlayedApp;
  readonly #world: World;
  readonly #setting: LevelSetting;
  readonly #findings: Findings;
  readonly #random: Random;
  readonly #unseen = new Set<string>();

  constructor(app: PlayedApp, world: World, setting: LevelSetting, findings: Findings) {
    this.#app = app;
    this.#world = world;
    this.#setting = setting;
    this.#findings = findings;
    // not the draw of the answers it begins with
    this.#random = createSeededRandom(setting.seed + 1);
  }

  /** Resolves with the options that were not changed, and why. */
  async play(asked: readonly Question[]): Promise<readonly string[]> {
    const { appId, dictionary } = this.#app;
    const { engine, host } = this.#world;
    const facts = await host.facts();
    const given = generateRequired(dictionary.questions, createSeededRandom(this.#setting.seed));
    const { id } = await engine.install(appId, { answers: given });
    const installed = await engine.settled(id, this.#setting.signal);
    if (installed.state !== "COMPLETED") {
      this.#findings.add(
        "CHECK_INSTALL_FAILED",
        `the install is ${installed.state}: ${describeFailure(installed)}`,
        [],
      );
      return asked.map(({ key }) => `"${key}": the app is not installed`);
    }
    const held = { ...given, ...(await readAnswers(engine, appId)) };
    const missed: string[] = [];
    let current = held;
    for (const question of asked) {
      const { key } = question;
      const answer = changeAnswer(question, held[key], this.#random);
      if (answer === null) {
        missed.push(`"${key}": no other answer that may work is known`);
        continue;
      }
      // Each is changed with all others as they were: the one before is changed back by the same update.
      const answers = { ...listChangedBack(asked, held, current), [key]: answer };
      const reason = await this.#change(question, current, answers, facts);
      if (reason !== null) missed.push(`"${key}": ${reason}`);
      current = { ...current, ...(await readAnswers(engine, appId)) };
    }
    const after = await readValues(this.#world, appId);
    const change = { before: after, after, script: dictionary.appValues };
    judgeInstallonly({ app: this.#app, change, facts, held, now: current }, this.#findings);
    return missed;
  }

  /** Gives an answer, and takes back the one before; null, or why the change says nothing. */
  async #change(question: Question, current: AnswerSet, answers: AnswerSet, facts: HostFacts): Promise<string | null> {
    const { appId, dictionary } = this.#app;
    const { engine } = this.#world;
    const path = ["installation_questions", dictionary.questions.indexOf(question)];
    const what = `option "${question.key}" changed to ${JSON.stringify(answers[question.key])}`;
    this.#setting.doing(what);
    const before = await readValues(this.#world, appId);
    const plan = this.#plan(current, answers, facts, before);
    try {
      const { id } = await engine.update(appId, { answers });
      const task = await engine.settled(id, this.#setting.signal);
      if (task.state !== "COMPLETED") {
        this.#findings.add(
          "CHECK_OPTION_FAILED",
          `${what}: the update is ${task.state}: ${describeFailure(task)}`,
          path,
        );
        return null;
      }
    } catch (error) {
      this.#setting.signal.throwIfAborted();
      // A generated text may be none the script can take, and was refused as data should be.
      if (question.type === "text" || question.type === "password") return `refused is ${describeError(error)}`;
      this.#findings.add("CHECK_OPTION_FAILED", `${what}: the update is refused: ${describeError(error)}`, path);
      return null;
    }
    const after = await readValues(this.#world, appId);
    const { unseen, strayed } = judgeOption({
      planned: plan,
      found: { before, after },
      isGenerated: (at) => !isEqual(readAt(plan.after, at), readAt(plan.otherwise, at)),
    });
    // a place the host does not keep shows no other change either, this one's being taken back among them
    const news = unseen.filter((place) => !this.#unseen.has(namePlace(place)));
    for (const place of news) this.#unseen.add(namePlace(place));
    this.#tell(`${what} does not show in`, news, path);
    this.#tell(`${what} also changes`, strayed, path);
    const shows = plan.moves || listChanges(plan.before, plan.after).length > 0;
    return shows ? null : "it changes nothing with the others as they are";
  }

  #tell(what: string, places: readonly JsonPath[], path: JsonPath): void {
    if (places.length === 0) return;
    const names = places.map((place) => `"${namePlace(place)}"`).join(", ");
    this.#findings.add("CHECK_OPTION_STRAYED", `${what} ${names}`, path);
  }

  #plan(current: AnswerSet, answers: AnswerSet, facts: HostFacts, live: JsonObject): Planned {
    const resolve = (given: AnswerSet, letter: string) => {
      const { draft } = resolvePlan({
        dictionary: this.#app.dictionary,
        request: { answers: given },
        facts,
        mode: "options",
        stored: { answers: current, live },
        random: (length) => letter.repeat(length),
      });
      return { values: mergeValues(draft.appValues, live), directories: draft.directories };
    };
    const [before, after, otherwise] = [resolve({}, "R"), resolve(answers, "R"), resolve(answers, "S")];
    return {
      before: before.values,
      after: after.values,
      otherwise: otherwise.values,
      moves: JSON.stringify(before.directories) !== JSON.stringify(after.directories),
    };
  }
}

/** The answers that are not what they were, as they were; one nobody gave stays, where its type has no empty answer. */
function listChangedBack(asked: readonly Question[], held: AnswerSet, current: AnswerSet): AnswerSet {
  return Object.fromEntries(
    asked.flatMap(({ key, type }) => {
      if (isEqual(current[key], held[key])) return [];
      const was: Json | undefined = held[key] ?? (type === "text" || type === "password" ? "" : undefined);
      return was === undefined ? [] : [[key, was]];
    }),
  );
}
