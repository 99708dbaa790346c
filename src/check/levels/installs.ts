import { NO_TABLE } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import { describeError, describeFailure, Findings } from "../findings.ts";
import type { PlayedApp } from "../subject.ts";
import { generateRequired } from "../trials/generate-answers.ts";
import type { Level, LevelSetting, Played } from "./level.ts";

/** Level 3: the app alone, without its hooks and widgets, which are level 4's. */
export const INSTALLS: Level = {
  number: 3,
  name: "installs",
  holds:
    "with its defaults, and generated answers for what is required, an install without its hooks completes on the embedded host",
  play: installPlain,
};

async function installPlain(app: PlayedApp, { worlds, seed, signal }: LevelSetting): Promise<Played> {
  const findings = new Findings(app);
  const dictionary = { ...app.dictionary, hooks: [], widgets: [] };
  const world = await worlds.open({ ...app, dictionary }, NO_TABLE);
  try {
    const answers = generateRequired(dictionary.questions, createSeededRandom(seed));
    const { id } = await world.engine.install(app.appId, { answers });
    const task = await world.engine.settled(id, signal);
    if (task.state !== "COMPLETED") {
      findings.add("CHECK_INSTALL_FAILED", `the install is ${task.state}: ${describeFailure(task)}`, []);
    }
  } catch (error) {
    signal.throwIfAborted();
    findings.add("CHECK_INSTALL_FAILED", `the install is refused: ${describeError(error)}`, []);
  } finally {
    await world.close();
  }
  return { findings: findings.list(), coverage: [] };
}
