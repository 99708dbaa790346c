import { once } from "node:events";
import { expect, it } from "vitest";
import { checkApp } from "../../src/check/check-app.ts";
import type { Level } from "../../src/check/levels/level.ts";
import { CatalogNeighbours } from "../../src/check/neighbours.ts";
import { Worlds } from "../../src/check/world/worlds.ts";
import { dictionaryOf } from "../support/scripts/scripts.ts";

const APP = {
  appId: "app",
  root: "/",
  file: "app.json",
  text: "{}",
  dictionary: dictionaryOf("app"),
  problems: [],
  earlier: [],
};

const ENDLESS: Level = {
  number: 1,
  name: "endless",
  holds: "never",
  play: async (_app, { signal }) => {
    await once(signal, "abort");
    throw signal.reason;
  },
};

const play = (limitMs: number, signal: AbortSignal, levels: readonly Level[] = [ENDLESS]) =>
  checkApp(APP, {
    levels,
    strict: false,
    limitMs,
    seed: 1,
    worlds: new Worlds(),
    neighbours: new CatalogNeighbours("/"),
    signal,
    now: () => 0,
    playing: () => {},
  });

it("a level whose time is up does not hold, and says so", async () => {
  const report = await play(1, new AbortController().signal);
  expect(report).toMatchObject({
    level: 0,
    levels: [
      { holds: false, findings: [{ code: "CHECK_TIME_UP", message: "level 1 (endless) did not end within 0.001 s" }] },
    ],
  });
});

it("a level that throws is its app's finding", async () => {
  const broken: Level = { ...ENDLESS, play: () => Promise.reject(new Error("no space left on device")) };
  const report = await play(100_000, new AbortController().signal, [broken]);
  const message = "level 1 (endless) could not be played: no space left on device";
  expect(report).toMatchObject({ level: 0, levels: [{ findings: [{ code: "CHECK_NOT_PLAYED", message }] }] });
});

it("a check that is stopped rejects with the reason, and plays nothing more", async () => {
  const stop = new AbortController();
  const ended = play(100_000, stop.signal);
  stop.abort(new Error("enough"));
  await expect(ended).rejects.toThrow("enough");
});
