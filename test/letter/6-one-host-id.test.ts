/** The letter, row 6: all hosts of one check have one id. */
import { expect, it } from "vitest";
import { listFindings, playApp, readOne, worlds } from "../support/check/play.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const run =
  "export async function run(ctx) { await ctx.registerCheckpoints([{ id: 'x', message: 'X' }]); await ctx.emitCheckpoint('x'); }";

/** An app that is set up with the id of its host. */
const SCRIPT = {
  version: 5,
  script: { version: "1.0.0" },
  requirements: { locations: [], specifications: [], permissions: [], ports: [] },
  app_values: { id: "$SERVER_HOST_ID" },
  hooks: [{ id: "a", event: "onAfterInstall", scriptContent: run, entrypoint: "run" }],
};

it("`check` holds an app with `$SERVER_HOST_ID` at level 6: a run on another host has the same values", async () => {
  folder.write("app.json", SCRIPT);
  const report = await playApp(folder.path, "app", 6);
  expect(listFindings(report)).toEqual([]);
  expect(report.level).toBe(6);
});

it("two hosts of one check have one id", async () => {
  folder.write("app.json", SCRIPT);
  const { dictionary, ...subject } = await readOne(folder.path, "app");
  if (dictionary === null) throw new Error("the script is refused");
  const opened = await Promise.all([1, 2].map(() => worlds.open({ ...subject, dictionary }, { answers: [] })));
  const ids = await Promise.all(opened.map(async ({ host }) => (await host.facts()).hostId));
  await Promise.all(opened.map((world) => world.close()));
  expect(new Set(ids).size).toBe(1);
});
