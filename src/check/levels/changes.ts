import { NO_TABLE } from "../../standin/apps/answers.ts";
import { chooseEarlier } from "../changes/earlier-scripts.ts";
import { chooseMoves, findNeverFired } from "../changes/moves.ts";
import { playOptions } from "../changes/option-play.ts";
import { playUpgrade, type Way } from "../changes/upgrade-play.ts";
import type { Coverage } from "../coverage.ts";
import { Findings } from "../findings.ts";
import type { PlayedApp } from "../subject.ts";
import { readFake } from "../world/read-fake.ts";
import type { Level, LevelSetting, Played } from "./level.ts";
import { playAll } from "./play-all.ts";

/** Level 7: the app while its script and its answers change. */
export const CHANGES: Level = {
  number: 7,
  name: "changes",
  holds:
    "from each earlier version of the script an upgrade and an update complete and keep answers and generated strings, hooks fire by their ranges, `installonly` answers can be found again, and each option changed once shows in its own values alone",
  play: playChanges,
};

async function playChanges(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const neverFired = new Findings(app);
  for (const hook of findNeverFired(app.dictionary)) {
    const message = `hook "${hook.id}" is for upgrades, and no upgrade fires it`;
    neverFired.add("CHECK_HOOK_NEVER_FIRES", message, ["hooks", app.dictionary.hooks.indexOf(hook)]);
  }
  const fake = readFake(app.root, app.appId) ?? NO_TABLE;
  const { played, left } = chooseEarlier(app);
  const ways = listWays(app, played);
  const missed = [...left];
  const coverage: Coverage[] = [];
  const found = await playAll(app, ["options" as const, ...ways], async (way, findings) => {
    if (way === "options") {
      coverage.push(await playOptions(app, setting, findings));
      return;
    }
    const reason = await playUpgrade(app, way, fake, setting, findings);
    if (reason !== null) missed.push(`${way.earlier.dictionary.script.version} (${way.earlier.name}): ${reason}`);
  });
  neverFired.addAll(found);
  return {
    findings: neverFired.list(),
    coverage: [...coverage, describeVersions(played.length + left.length, missed)],
  };
}

/** Every version that is played goes one way at least, and every move is gone by one. */
function listWays(app: PlayedApp, played: ReturnType<typeof chooseEarlier>["played"]): readonly Way[] {
  const { custom, hooks } = app.dictionary;
  if (custom) return played.map((earlier) => ({ earlier, move: null }));
  const moves = chooseMoves(app.dictionary);
  // Without an earlier version the host's package is what there is to upgrade.
  const bases = played.length > 0 ? played : hooks.length > 0 ? [{ ...app, name: app.file }] : [];
  const [base] = bases;
  if (base === undefined) return [];
  const [move = { from: "1.2.0", to: "1.3.0" }] = moves;
  return Array.from({ length: Math.max(bases.length, moves.length) }, (_, at) => ({
    earlier: bases[at % bases.length] ?? base,
    move: moves[at % Math.max(1, moves.length)] ?? move,
  }));
}

function describeVersions(all: number, missed: readonly string[]): Coverage {
  if (all > 0) return { of: "versions", reached: all - missed.length, all, missed };
  const none =
    "there is no earlier one: put it beside the script as <app id>@<version>.json, or name a commit by --from";
  return { of: "versions", reached: 0, all: 0, missed: [none] };
}
