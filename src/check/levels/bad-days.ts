import { DAYS } from "../bad-days/bad-day.ts";
import { liveThrough } from "../bad-days/live-through.ts";
import type { PlayedApp } from "../subject.ts";
import { readFake } from "../world/read-fake.ts";
import type { Level, LevelSetting, Played } from "./level.ts";
import { playAll } from "./play-all.ts";

/** Level 5: the app's hooks while what they talk to fails. */
export const BAD_DAYS: Level = {
  number: 5,
  name: "bad days",
  holds:
    "where the app answers 500, answers nothing, closes the connection or comes up late, hooks end with the author's own words, never with a raw error, take no refusal for success, and complete after Retry; Skip leaves a completed install and a running app",
  countsLines: true,
  play: playBadDays,
};

async function playBadDays(app: PlayedApp, setting: LevelSetting): Promise<Played> {
  const fake = readFake(app.root, app.appId);
  if (fake === null || app.dictionary.hooks.length === 0) return { findings: [], coverage: [] };
  const findings = await playAll(app, DAYS, (day, found) => liveThrough(day, app, fake, setting, found));
  return { findings: findings.list(), coverage: [] };
}
