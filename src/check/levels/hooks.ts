import { NO_TABLE } from "../../standin/apps/answers.ts";
import { Findings } from "../findings.ts";
import { HookPlay } from "../hooks/hook-play.ts";
import { playScenarios } from "../scenarios/play-scenarios.ts";
import type { PlayedApp } from "../subject.ts";
import { inspectFake, readFake } from "../world/read-fake.ts";
import type { Level, LevelSetting, Played } from "./level.ts";

/** Level 4: the app with its hooks, actions and widgets against its fake. */
export const HOOKS: Level = {
  number: 4,
  name: "hooks",
  holds:
    "every hook, action and widget completes against the app's fake, every checkpoint it registers is reached, every field of a widget is there, and the fake has a row for every request; every scenario of the author comes out as expected; links are left to a level of their own",
  countsLines: true,
  play: async (app, setting) => {
    const fault = inspectFake(app.root, app.appId);
    if (fault !== null) return { findings: [fault], coverage: [] };
    const { findings, coverage } = await playHooks(app, setting);
    return { findings: [...findings, ...(await playScenarios(app, setting))], coverage };
  },
};

async function playHooks(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const { appId, root, dictionary } = app;
  if (dictionary.hooks.length + dictionary.widgets.length === 0) return { findings: [], coverage: [] };
  const findings = new Findings(app);
  // scripts that ask for nothing need no fake
  const fake = readFake(root, appId) ?? NO_TABLE;
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
