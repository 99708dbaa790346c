/** An app installed by an earlier script, and taken to the newest by an upgrade and an update. */

import { isOlderVersion } from "../../core/hooks/hook-selection.ts";
import type { JsonObject } from "../../core/json/json.ts";
import type { TaskView } from "../../engine/api.ts";
import { findApp } from "../../engine/find-app.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import { describeError, describeFailure, type Findings } from "../findings.ts";
import { buildUpgradeRequest } from "../hooks/requests.ts";
import type { LevelSetting } from "../levels/level.ts";
import type { PlayedApp } from "../subject.ts";
import { type AnswerSet, generateRequired } from "../trials/generate-answers.ts";
import { answerOtherwise } from "../trials/other-answers.ts";
import { listTasks, seeThrough } from "../world/see-through.ts";
import { type ChangingWorld, openChanging, strip } from "./changing-world.ts";
import { nameVersion, type UsableEarlier } from "./earlier-scripts.ts";
import { judgeFired } from "./judge-fired.ts";
import { judgeKept } from "./judge-kept.ts";
import { readAnswers } from "./known-answers.ts";
import type { Move } from "./moves.ts";

/** One way from an earlier script to the newest. */
export interface Way {
  readonly earlier: UsableEarlier;
  /** Versions of the host's package; null for a custom app, whose scripts say them. */
  readonly move: Move | null;
}

/** Goes one way; what is lost or does not complete becomes a finding. Resolves with why it could not be gone, or null. */
export async function playUpgrade(
  app: PlayedApp,
  way: Way,
  fake: AppTable,
  setting: LevelSetting,
  findings: Findings,
): Promise<string | null> {
  const { questions } = way.earlier.dictionary;
  const required = generateRequired(questions, createSeededRandom(setting.seed));
  const otherwise = { ...required, ...answerOtherwise(questions, createSeededRandom(setting.seed + 1)) };
  let reason = "";
  // answers nobody has by default show best what is kept; not every app takes all of them together
  for (const answers of [otherwise, required]) {
    const world = await openChanging(strip(app, way.earlier), fake, setting.worlds);
    try {
      const refused = await install(app.appId, way, answers, world, setting);
      if (refused === null) {
        await new UpgradePlay(app, way, world, setting, findings).play(answers);
        return null;
      }
      reason = refused;
    } finally {
      await world.close();
    }
  }
  return `it does not install: ${reason}`;
}

async function install(
  appId: string,
  { move }: Way,
  answers: AnswerSet,
  { engine, standin }: ChangingWorld,
  { signal }: LevelSetting,
): Promise<string | null> {
  if (move !== null) standin.control.release(appId, move.from);
  try {
    const { id } = await engine.install(appId, { answers });
    const task = await engine.settled(id, signal);
    return task.state === "COMPLETED" ? null : describeFailure(task);
  } catch (error) {
    signal.throwIfAborted();
    return describeError(error);
  }
}

class UpgradePlay {
  readonly #app: PlayedApp;
  readonly #way: Way;
  readonly #world: ChangingWorld;
  readonly #setting: LevelSetting;
  readonly #findings: Findings;

  constructor(app: PlayedApp, way: Way, world: ChangingWorld, setting: LevelSetting, findings: Findings) {
    this.#app = app;
    this.#way = way;
    this.#world = world;
    this.#setting = setting;
    this.#findings = findings;
  }

  /** Judges what became of an app that was installed with these answers. */
  async play(given: AnswerSet): Promise<void> {
    const { appId, dictionary } = this.#app;
    const { engine } = this.#world;
    const held = { ...given, ...(await readAnswers(engine, appId)) };
    const before = await this.#readValues();
    const generated = this.#world.generated().length;
    await this.#world.offer(this.#app);
    if (!(await this.#upgrade()) || !(await this.#update())) return;
    const strings = this.#world.generated();
    judgeKept(
      {
        app: this.#app,
        earlier: this.#way.earlier,
        change: { before, after: await this.#readValues(), script: dictionary.appValues },
        facts: await this.#world.host.facts(),
        held,
        now: await readAnswers(engine, appId),
        kept: strings.slice(0, generated),
        fresh: strings.slice(generated),
      },
      this.#findings,
    );
  }

  /** The upgrade with its hooks; true where there is none, or it completes. */
  async #upgrade(): Promise<boolean> {
    const { appId, dictionary } = this.#app;
    const move = this.#way.move ?? this.#findOwnMove();
    if (move === null) return true;
    if (this.#way.move !== null) this.#world.standin.control.release(appId, move.to);
    const request = buildUpgradeRequest(dictionary, createSeededRandom(this.#setting.seed));
    const task = await this.#see("upgrade", () => this.#world.engine.upgrade(appId, request));
    if (task === null) return false;
    judgeFired(dictionary, move, listTasks(task), this.#findings);
    return task.state === "COMPLETED";
  }

  /** Of a custom app, whose upgrade is the move to a script with a newer version. */
  #findOwnMove(): Move | null {
    const [from, to] = [this.#way.earlier.dictionary.metadata?.version, this.#app.dictionary.metadata?.version];
    return from === undefined || to === undefined || !isOlderVersion(from, to) ? null : { from, to };
  }

  /** The update to the newest script, with answers to what it asks for the first time. */
  async #update(): Promise<boolean> {
    const { appId, dictionary } = this.#app;
    const asked = new Set(this.#way.earlier.dictionary.questions.map(({ key }) => key));
    const news = dictionary.questions.filter(({ key, installonly }) => !asked.has(key) && !installonly);
    const answers = generateRequired(news, createSeededRandom(this.#setting.seed));
    const task = await this.#see("update", () => this.#world.engine.update(appId, { answers }));
    return task?.state === "COMPLETED";
  }

  /** A task at its end; null where it is refused. */
  async #see(what: string, start: () => Promise<TaskView>): Promise<TaskView | null> {
    const from = `the ${what} from ${nameVersion(this.#way.earlier)}`;
    this.#setting.doing(from);
    try {
      const task = await seeThrough(this.#world.engine, (await start()).id, () => "skip", this.#setting.signal);
      if (task.state !== "COMPLETED")
        this.#find("CHECK_UPGRADE_FAILED", `${from} is ${task.state}: ${describeFailure(task)}`);
      return task;
    } catch (error) {
      this.#setting.signal.throwIfAborted();
      this.#find("CHECK_UPGRADE_FAILED", `${from} is refused: ${describeError(error)}`);
      return null;
    }
  }

  #find(code: "CHECK_UPGRADE_FAILED", message: string): void {
    this.#findings.add(code, message, ["script", "version"]);
  }

  async #readValues(): Promise<JsonObject> {
    return await readValues(this.#world, this.#app.appId);
  }
}

/** What the host holds of an app; nothing where it is not installed. */
export async function readValues({ host }: Pick<ChangingWorld, "host">, appId: string): Promise<JsonObject> {
  const app = findApp(await host.apps(), appId);
  return app === null ? {} : await host.appConfig(app.name);
}
