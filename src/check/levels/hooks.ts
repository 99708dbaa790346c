import { existsSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "../../core/codes/problems.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { describeError, Findings } from "../findings.ts";
import { HookPlay } from "../hooks/hook-play.ts";
import { playScenarios } from "../scenarios/play-scenarios.ts";
import type { PlayedApp } from "../subject.ts";
import { nameFake, readFake } from "../world/read-fake.ts";
import type { Level, LevelSetting, Played } from "./level.ts";

/** Level 4: the app with its hooks, actions and widgets against its fake. */
export const HOOKS: Level = {
  number: 4,
  name: "hooks",
  holds:
    "every hook, action and widget completes against the app's fake, every checkpoint it registers is reached, every field of a widget is there, and the fake has a row for every request; every scenario of the author comes out as expected; links are left to a level of their own",
  play: async (app, setting) => {
    const { findings, coverage } = await playHooks(app, setting);
    return { findings: [...findings, ...(await playScenarios(app, setting))], coverage };
  },
};

async function playHooks(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const { appId, root, dictionary } = app;
  if (dictionary.hooks.length + dictionary.widgets.length === 0) return { findings: [], coverage: [] };
  const findings = new Findings(app);
  const fake = readFakeOf(app, findings);
  if (fake === null) {
    if (!existsSync(join(root, nameFake(appId)))) {
      const message = `the app has hooks or widgets, and no fake to run them against: "${nameFake(appId)}" is missing`;
      findings.add("CHECK_FAKE_MISSING", message, [dictionary.hooks.length > 0 ? "hooks" : "widgets"]);
    }
    return { findings: findings.list(), coverage: [] };
  }
  const world = await setting.worlds.open(app, fake);
  try {
    const play = new HookPlay(app, world, setting, findings);
    await play.install();
    await play.pressActions();
    await play.queryWidgets();
    await play.upgrade();
    play.judgeRequests();
    return { findings: findings.list(), coverage: play.coverage(fake) };
  } finally {
    await world.close();
  }
}

/** null where it can't be used, with a finding where it is there. */
function readFakeOf({ root, appId }: PlayedApp, findings: Findings): AppTable | null {
  try {
    return readFake(root, appId);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    findings.addOf(nameFake(appId), error.code, describeError(error));
    return null;
  }
}
