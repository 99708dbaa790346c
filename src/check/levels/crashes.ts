import { readMessage } from "../../core/json/read-message.ts";
import { NO_TABLE } from "../../standin/apps/answers.ts";
import type { Coverage } from "../coverage.ts";
import { tellApp } from "../crashes/app-story.ts";
import { CrashPlay } from "../crashes/crash-play.ts";
import { explainUnmade, judgeReference } from "../crashes/judge-reference.ts";
import { tellLink } from "../crashes/link-story.ts";
import { describeError, Findings } from "../findings.ts";
import { listOwnLinks, nameLink, type PlayableLink } from "../links/list-links.ts";
import type { PlayedApp } from "../subject.ts";
import { readFake } from "../world/read-fake.ts";
import type { Level, LevelSetting, Played } from "./level.ts";

/** Level 6: the app while the engine dies. */
export const CRASHES: Level = {
  number: 6,
  name: "crashes",
  holds:
    "where the engine dies at every turn of the install, of each hook, action and link, of an upgrade, an update and an uninstall, and where hooks are played back at every step, everything ends as without, and no request of a hook that changes something is sent twice unless `rerun` or a person says so",
  play: playCrashes,
};

/** Links of one app that are crashed. */
const MOST_LINKS = 3;

async function playCrashes(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const findings = new Findings(app);
  const coverage: Coverage[] = [];
  try {
    coverage.push(await crashApp(app, setting, findings));
    if (findings.isEmpty()) coverage.push(...(await crashLinks(app, setting, findings)));
  } catch (error) {
    setting.signal.throwIfAborted();
    findings.add("CHECK_CRASH_SHOWS", `the app can't be played: ${describeError(error)}`, []);
  }
  return { findings: findings.list(), coverage };
}

async function crashApp(app: PlayedApp, setting: LevelSetting, findings: Findings): Promise<Coverage> {
  const fake = readFake(app.root, app.appId) ?? NO_TABLE;
  const play = new CrashPlay(tellApp(app, fake, setting.seed), setting, findings);
  const reference = await play.playReference();
  judgeReference(app, reference, findings);
  return { of: "crashes", ...(await play.crash(reference)) };
}

/** Crashes an app's own links, one after the other; one that is not made without a crash is for level 8 to judge. */
async function crashLinks(app: PlayedApp, setting: LevelSetting, findings: Findings): Promise<readonly Coverage[]> {
  const { playable, untried } = await listOwnLinks(app, setting.neighbours);
  if (playable.length + untried.length === 0) return [];
  const missed = [...untried];
  let [reached, all] = [0, 0];
  for (const [index, link] of playable.entries()) {
    const name = nameLink(app, link.hook);
    if (!findings.isEmpty()) break;
    const died =
      index < MOST_LINKS ? await crashLink(link, name, setting, findings) : `at most ${MOST_LINKS} links are crashed`;
    if (typeof died === "string") missed.push(`${name}: ${died}`);
    else {
      reached += died.reached;
      all += died.all;
      missed.push(...died.missed.map((text) => `${name}: ${text}`));
    }
  }
  return [{ of: "link crashes", reached, all, missed }];
}

/** What came of a link's crashes, or why it was not crashed. */
async function crashLink(link: PlayableLink, name: string, setting: LevelSetting, findings: Findings) {
  const told: LevelSetting = { ...setting, doing: (what) => setting.doing(`${name}, ${what}`) };
  const play = new CrashPlay(tellLink(link, setting.seed, setting.signal), told, findings);
  try {
    const reference = await play.playReference();
    return explainUnmade(link.hook.id, reference) ?? (await play.crash(reference));
  } catch (error) {
    setting.signal.throwIfAborted();
    return readMessage(error);
  }
}
