import { listDeclaredPairings } from "../../core/hooks/pairings.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { NO_TABLE } from "../../standin/apps/answers.ts";
import { createSeededRandom } from "../../standin/random.ts";
import type { Coverage } from "../coverage.ts";
import type { Findings } from "../findings.ts";
import { findShared, resolveDeclared } from "../leaves/directories.ts";
import { leaveAndComeBack, leaveWhole } from "../leaves/leave-alone.ts";
import { leaveBeside } from "../leaves/leave-beside.ts";
import type { PlayedApp } from "../subject.ts";
import { generateRequired } from "../trials/generate-answers.ts";
import { listProfiles } from "../trials/host-profiles.ts";
import { readFake } from "../world/read-fake.ts";
import type { Level, LevelSetting, Played } from "./level.ts";
import { playAll } from "./play-all.ts";

/** Level 9: the app's uninstall, alone and beside the apps it has to do with. */
export const LEAVES: Level = {
  number: 9,
  name: "leaves",
  holds:
    "an uninstall keeps data, answers and secrets, and a reinstall finds them; one with its data leaves the host as it was before the app, other apps' folders and the locations untouched, and nothing behind that another app shares",
  play: playLeaves,
};

/** Apps an app is uninstalled beside. */
const MOST_BESIDE = 6;

async function playLeaves(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const coverage: Coverage[] = [];
  const beside = await listBeside(app, setting);
  const plays = [
    (found: Findings) => leaveAndComeBack(app, readFake(app.root, app.appId) ?? NO_TABLE, setting, found),
    async (found: Findings) => {
      const traces = await leaveWhole(app, setting, found);
      if (traces !== null) coverage.push(traces);
    },
    ...beside.map((other) => (found: Findings) => leaveBeside(app, other, setting, found)),
  ];
  const findings = await playAll(app, plays, (play, found) => play(found));
  return { findings: findings.list(), coverage };
}

/** Apps that declare a directory of this one, then those linked with it, as many as are tried. */
async function listBeside(app: PlayedApp, { neighbours, seed }: LevelSetting): Promise<readonly PlayedApp[]> {
  const facts = listProfiles(app.dictionary)[0]?.facts;
  const resolve = (dictionary: Dictionary) =>
    facts === undefined
      ? []
      : resolveDeclared(dictionary, facts, generateRequired(dictionary.questions, createSeededRandom(seed)));
  const own = resolve(app.dictionary);
  const others = (await neighbours.list()).filter(({ appId }) => appId !== app.appId);
  const sharing = others.filter((other) => findShared(own, resolve(other)) !== null);
  const linked = others.filter((other) => isLinked(app.dictionary, other) || isLinked(other, app.dictionary));
  const ids = new Set([...sharing, ...linked].map(({ appId }) => appId));
  const found = await Promise.all([...ids].slice(0, MOST_BESIDE).map((id) => neighbours.find(id)));
  return found.filter((one) => one !== null);
}

function isLinked(from: Dictionary, to: Dictionary): boolean {
  return listDeclaredPairings(from).some(({ targets }) => targets.includes(to.appId));
}
