import { NO_TABLE } from "../../standin/apps/answers.ts";
import { CrashPlay } from "../crashes/crash-play.ts";
import { describeError, Findings } from "../findings.ts";
import type { PlayedApp } from "../subject.ts";
import { readFake } from "../world/read-fake.ts";
import type { Level, LevelSetting, Played } from "./level.ts";

/** Level 6: the app while the engine dies. */
export const CRASHES: Level = {
  number: 6,
  name: "crashes",
  holds:
    "where the engine dies at every turn of the install, of each hook and action, of an upgrade, an update and an uninstall, and where hooks are played back at every step, everything ends as without, and no request of a hook that changes something is sent twice unless `rerun` or a person says so",
  play: playCrashes,
};

async function playCrashes(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const fake = readFake(app.root, app.appId) ?? NO_TABLE;
  const findings = new Findings(app);
  try {
    const coverage = await new CrashPlay(app, fake, setting, findings).play();
    return { findings: findings.list(), coverage: [coverage] };
  } catch (error) {
    setting.signal.throwIfAborted();
    findings.add("CHECK_CRASH_SHOWS", `the app can't be played: ${describeError(error)}`, []);
    return { findings: findings.list(), coverage: [] };
  }
}
