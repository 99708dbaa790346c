/** Level 9: what is left of an app, and what has to be. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { excuse } from "../../src/check/leaves/come-and-go.ts";
import { LEAVES } from "../../src/check/levels/leaves.ts";
import type { PlayedWorlds } from "../../src/check/levels/level.ts";
import type { World } from "../../src/check/world/worlds.ts";
import { rawApp, rawInstallHook } from "../support/check/apps.ts";
import { playLevel, worlds } from "../support/check/play.ts";
import { rawHook } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const QUESTION = { question: "?", type: "password", key: "word", default: "$RANDOM_STRING(12)" };

/** An app with a dataset, a folder, a share, a secret and an answer. */
const SOUND = rawApp({
  requirements: { locations: ["ApplicationsPerformance", "Media"], ports: [30111] },
  installation_questions: [QUESTION],
  ensure_directories_exists: [
    { path: "$LOCATION(Media)", network_share: true },
    { path: "$LOCATION(Media)/app", network_share: true },
    { path: "$LOCATION(ApplicationsPerformance)/app/config", owner: { user: "apps" } },
  ],
  app_values: {
    app: { word: "$QUESTION(word)", secret: "$RANDOM_STRING(20)" },
    network: { web_port: { bind_mode: "published", port_number: 30111 } },
    storage: [
      "$MOUNTED_HOST_PATH($LOCATION(Media), /all)",
      "$MOUNTED_HOST_PATH($LOCATION(Media)/app, /media)",
      "$MOUNTED_HOST_PATH($LOCATION(ApplicationsPerformance)/app/config, /config)",
    ],
  },
});

async function play(app: Readonly<Record<string, unknown>>, opened: PlayedWorlds = worlds) {
  folder.write("app.json", app);
  const { findings, coverage } = await playLevel(LEAVES, folder.path, "app", { worlds: opened });
  return {
    found: findings.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`),
    findings,
    coverage,
  };
}

/** Worlds in which something else happens when an app is uninstalled. */
function meddle(meddling: (world: World) => void): PlayedWorlds {
  return {
    scenarios: worlds.scenarios,
    open: async (...of) => {
      const world = await worlds.open(...of);
      const { uninstall } = world.engine;
      world.engine.uninstall = async (...asked) => {
        meddling(world);
        return uninstall.apply(world.engine, asked);
      };
      return world;
    },
  };
}

it("holds for an app that leaves datasets and shares alone, and says what they are", async () => {
  const { found, coverage } = await play(SOUND);
  expect(found).toEqual([]);
  expect(coverage).toEqual([
    {
      of: "traces",
      reached: 4,
      all: 10,
      missed: expect.arrayContaining([
        "dataset /mnt/tank/ApplicationsPerformance/app: a dataset stays, empty, with its snapshots",
        "share /mnt/tank/Media/app: a share stays until somebody removes it",
      ]),
    },
  ]);
});

it("does not hold where a folder is left that only held the app's own", async () => {
  const { findings } = await play(
    rawApp({ ensure_directories_exists: [{ path: "$LOCATION(Media)/group/app" }], app_values: {} }),
  );
  expect(findings).toEqual([
    expect.objectContaining({
      code: "CHECK_LEFT_BEHIND",
      message: 'the folder "/mnt/tank/Media/group" is left of the app after an uninstall with its data',
      path: ["ensure_directories_exists", 0],
      hint: expect.stringContaining("declare every folder"),
    }),
  ]);
  expect(findings[0]?.line).toBeGreaterThan(0);
});

it("does not hold where a hook of the install does not take the data it finds", async () => {
  const hook = rawInstallHook(`import { readdir } from "node:fs/promises";
    export async function run(ctx) {
      if ((await readdir(ctx.mounts[0].localPath)).length > 0) ctx.fail("There is data already");
    }`);
  const { found } = await play(rawApp({ hooks: [hook] }));
  expect(found).toEqual([
    "CHECK_REINSTALL_FAILED hooks.0: a reinstall on the data that was kept does not complete: TASK_HOOK_FAILED: There is data already",
  ]);
});

it.each([
  ["mounts", rawApp({})["app_values"]],
  ["only declares", {}],
])("does not hold where another app %s the same directory", async (_, values) => {
  const requirements = { locations: ["Media"], ports: [30112] };
  folder.write(
    "other.json",
    rawApp({ requirements, app_values: JSON.parse(JSON.stringify(values).replace("30111", "30112")) }),
  );
  expect((await play(SOUND)).found).toEqual([
    'CHECK_DIRECTORY_SHARED ensure_directories_exists.1: "/mnt/tank/Media/app" is a directory of "other" too: the folder "/mnt/tank/Media/app" is left where both are uninstalled with their data',
  ]);
});

it("holds beside apps that are linked with it, use the same location, or can't be installed", async () => {
  const link = rawHook({ conditions: [{ role: "visibility", type: "appInstalled", app: "app" }] });
  const other = rawApp({
    requirements: { locations: ["Media"], ports: [] },
    ensure_directories_exists: [{ path: "$LOCATION(Media)/other" }],
    app_values: { storage: ["$MOUNTED_HOST_PATH($LOCATION(Media)/other, /other)"] },
    hooks: [link],
  });
  folder.write("other.json", other);
  folder.write("refused.json", { ...other, app_values: 1 });
  const nobody = { path: "$LOCATION(Media)/app", owner: { user: "nobody-here" } };
  folder.write("stuck.json", { ...other, ensure_directories_exists: [nobody] });
  expect((await play(SOUND)).found).toEqual([]);
});

it("does not hold where an uninstall takes data it has to keep, or of the owner", async () => {
  const { found } = await play(
    SOUND,
    meddle(({ standin }) => {
      rmSync(join(standin.localPath("/mnt/tank/Media/app"), "slipway-check-app"));
      rmSync(join(standin.localPath("/mnt/tank/Media"), "slipway-check-owner"), { force: true });
    }),
  );
  expect(found).toEqual([
    'CHECK_DATA_LOST : the file "/mnt/tank/Media/slipway-check-owner" was there before the app, and is gone or changed after its uninstall',
    'CHECK_DATA_LOST ensure_directories_exists.1: the file "/mnt/tank/Media/app/slipway-check-app" is gone or changed after an uninstall that keeps the app\'s data',
  ]);
});

it("does not hold where the uninstall fails", async () => {
  const { found } = await play(
    rawApp({}),
    meddle(({ standin }) => standin.control.arm("job-call-error@app.delete")),
  );
  expect(found).toEqual([
    expect.stringMatching(/^CHECK_UNINSTALL_FAILED : the uninstall is FAILED: .*still installed$/),
  ]);
});

it("excuses no file, and no folder that is not a dataset", () => {
  const result = {
    app: "uninstalled",
    removed: [],
    emptied: ["/mnt/a/b"],
    left: [],
    snapshots: [],
    answers: "forgotten",
  };
  const task = { result: { ...result, done: [], notDone: [] } };
  const why = (kind: "folder" | "file" | "dataset", at: string) => excuse({ kind, at, is: "" }, Object(task));
  expect([why("dataset", "/mnt/a"), why("folder", "/mnt/a/b")]).not.toContain(null);
  expect([why("file", "/mnt/a/b/c"), why("folder", "/mnt/a/c"), why("folder", "/mnt/a/b/c")]).toEqual([
    null,
    null,
    null,
  ]);
});
