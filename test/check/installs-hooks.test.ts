/** Levels 3 and 4: apps on the embedded host. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOKS } from "../../src/check/levels/hooks.ts";
import type { PlayedWorlds } from "../../src/check/levels/level.ts";
import { CatalogNeighbours } from "../../src/check/neighbours.ts";
import { rawApp, rawInstallHook } from "../support/check/apps.ts";
import { listFindings, playApp, readOne, worlds } from "../support/check/play.ts";
import { PIN_FLOW, rawHook } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const widget = (scriptContent: string) => ({
  widgetsSchema: 2,
  widgets: [
    {
      id: "tile",
      title: "Tile",
      refresh: 60,
      entrypoint: "run",
      scriptContent,
      sizes: { small: { slots: [{ type: "stat", field: "count" }] } },
    },
  ],
});

async function check(changes: Record<string, unknown>, fake?: unknown, level = 4) {
  folder.write("app.json", rawApp(changes));
  if (fake !== undefined) folder.write("standin/app.json", fake);
  return await playApp(folder.path, "app", level);
}

describe("level 3", () => {
  it("holds where the install completes, with an answer nobody gave and without its hooks", async () => {
    const questions = [{ question: "?", type: "text", key: "name", required: true }];
    const hooks = [rawInstallHook("export async function run(ctx) { ctx.fail('never run here'); }")];
    const report = await check({ installation_questions: questions, hooks }, undefined, 3);
    expect(report).toMatchObject({ level: 3, levels: [{}, {}, { holds: true, findings: [] }] });
  });

  it("holds for an app whose name every object has", async () => {
    folder.write("constructor.json", rawApp({}));
    expect(await playApp(folder.path, "constructor", 3)).toMatchObject({ level: 3 });
  });

  it("does not hold where the host does not take the app", async () => {
    const report = await check({
      ensure_directories_exists: [{ path: "$LOCATION(Media)/app", owner: { user: "nobody-here" } }],
    });
    expect(report).toMatchObject({
      level: 2,
      levels: [
        {},
        {},
        { findings: [{ code: "CHECK_INSTALL_FAILED", message: expect.stringContaining("nobody-here") }] },
      ],
    });
  });
});

describe("level 4", () => {
  it("holds where every hook, action and widget completes against the fake, and counts what it saw", async () => {
    const ready = `export async function run(ctx) {
      await ctx.registerCheckpoints([{ id: "up", message: "Up" }, { id: "old", message: "Old data" }]);
      await ctx.waitForApp("/health");
      await ctx.emitCheckpoint("up");
      await ctx.skipCheckpoint("old");
      const pin = await fetch("https://provider.test/me", { headers: { token: ctx.getInput("account").authToken } });
      if (ctx.getInput("name") === "" || !(await pin.json()).ok) ctx.fail("not ready");
    }`;
    const importFile = `export async function run(ctx) {
      const [file] = ctx.target.files;
      const answer = await fetch(ctx.baseUrl + "/api/items?from=check", { method: "POST", body: file.containerPath });
      if (answer.status !== 201) ctx.fail("refused");
    }`;
    const inputs = [
      { type: "question", id: "name", question: { question: "?", type: "text", key: "name", required: true } },
      { type: "oauth", id: "account", name: "Account", provider: "test", flow: PIN_FLOW },
    ];
    const report = await check(
      {
        hooks: [
          rawInstallHook(ready, { id: "ready", inputs, userOptional: { default: false } }),
          rawHook({ id: "import", scriptContent: importFile, target: { type: "files", accepts: [".mkv"] } }),
          rawHook({ id: "upgraded", rerun: undefined, events: ["onAfterUpgrade"] }),
          rawHook({ id: "link", conditions: [{ role: "visibility", type: "appInstalled", app: "other" }] }),
        ],
        ...widget(`export async function run(ctx) {
          const answer = await fetch("http://" + ctx.host + ":" + ctx.port + "/api/count");
          return { fields: { count: { type: "stat", label: "Items", value: (await answer.json()).count } } };
        }`),
      },
      [
        { method: "GET", path: "/health", body: {} },
        { method: "POST", path: "/api/items", status: 201 },
        { method: "GET", path: "/api/count", body: { count: 3 } },
        { method: "GET", path: "https://provider.test/me", body: { ok: true } },
        { method: "PUT", path: "/api/never" },
      ],
    );
    expect(listFindings(report)).toEqual([]);
    expect(report.level).toBe(4);
    expect(report.coverage.filter(({ of }) => of !== "branches")).toEqual([
      { of: "hooks", reached: 4, all: 5, missed: ['hook "link": it links to another app'] },
      { of: "checkpoints", reached: 2, all: 2, missed: [] },
      { of: "requests", reached: 4, all: 5, missed: ["PUT /api/never"] },
      { of: "lines", reached: 11, all: 11, missed: [] },
    ]);
  });

  it("holds without a fake where nothing is asked for", async () => {
    expect(await check({ hooks: [rawInstallHook("export async function run() {}")] })).toMatchObject({ level: 4 });
  });

  it.each<[string, Record<string, unknown>, unknown, string, string]>([
    [
      "there is no fake for a request",
      { hooks: [rawInstallHook('export async function run(ctx) { await fetch(ctx.baseUrl + "/api/x"); }')] },
      undefined,
      "4 CHECK_REQUEST_UNANSWERED ",
      "GET /api/x has no row in the fake",
    ],
    [
      "a hook fails",
      {
        hooks: [
          rawInstallHook(
            'export async function run(ctx) { ctx.fail("No licence", [{ label: "status", value: 402 }]); }',
          ),
        ],
      },
      [],
      "4 CHECK_HOOK_FAILED hooks.0",
      'hook "connect" is AWAITING_RETRY: TASK_HOOK_FAILED: No licence (status: 402)',
    ],
    [
      "a hook that may fail does",
      { hooks: [rawInstallHook('export async function run() { throw new Error("never mind"); }', { optional: true })] },
      [],
      "4 CHECK_HOOK_FAILED hooks.0",
      "never mind",
    ],
    [
      "a hook does not end",
      { hooks: [rawInstallHook("export async function run(ctx) { await ctx.sleep(600_000); }", { timeout: 1 })] },
      [],
      "4 CHECK_HOOK_FAILED hooks.0",
      "TASK_HOOK_TIMEOUT",
    ],
    [
      "a hook takes all memory",
      {
        hooks: [
          rawInstallHook(
            "export async function run() { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }",
          ),
        ],
      },
      [],
      "4 CHECK_HOOK_FAILED hooks.0",
      'hook "connect" is AWAITING_RETRY',
    ],
    [
      "an action fails",
      { hooks: [rawHook({ scriptContent: 'export async function run(ctx) { ctx.fail("Not today"); }' })] },
      [],
      "4 CHECK_HOOK_FAILED hooks.0",
      "Not today",
    ],
    [
      "a checkpoint is not reached",
      {
        hooks: [
          rawInstallHook(
            'export async function run(ctx) { await ctx.registerCheckpoints([{ id: "late", message: "Late" }]); }',
          ),
        ],
      },
      [],
      "4 CHECK_CHECKPOINT_OPEN hooks.0",
      'did not come to its checkpoint "late" (Late)',
    ],
    [
      "the fake has no row for a request",
      { hooks: [rawInstallHook('export async function run(ctx) { await fetch(ctx.baseUrl + "/api/x?y=1"); }')] },
      [],
      "4 CHECK_REQUEST_UNANSWERED ",
      "GET /api/x has no row in the fake",
    ],
    [
      "the fake has no row for an address outside",
      {
        hooks: [rawInstallHook('export async function run() { await fetch("https://example.org/").catch(() => {}); }')],
      },
      [],
      "4 CHECK_REQUEST_UNANSWERED ",
      "GET https://example.org/ has no row in the fake",
    ],
    [
      "a widget lacks a field",
      widget("export async function run() { return { fields: {} }; }"),
      [],
      "4 WIDGET_FIELD_MISSING widgets.0",
      '"count"',
    ],
    [
      "a widget fails",
      widget('export async function run() { throw new Error("no tile"); }'),
      [],
      "4 CHECK_WIDGET_FAILED widgets.0",
      "no tile",
    ],
  ])("does not hold where %s", async (_name, changes, fake, line, message) => {
    const report = await check(changes, fake);
    expect([report.level, listFindings(report)]).toEqual([3, [line]]);
    expect(report.levels.at(-1)?.findings[0]?.message).toContain(message);
  });

  it.each([{ hooks: [rawInstallHook("export async function run() {}")] }, {}])(
    "does not hold where the fake is none, which is said once and at its place, scenarios or not",
    async (changes) => {
      folder.write("app.check.json", { scenarios: [{ name: "plain" }] });
      const { level, levels } = await check(changes, '[\n  {"path": 5}\n]');
      expect([level, levels.at(-1)?.findings]).toEqual([
        3,
        [
          expect.objectContaining({
            code: "CLI_FILE_INVALID",
            file: "standin/app.json",
            line: 2,
            column: 12,
            message: expect.stringMatching(/^"0\.path": /),
          }),
        ],
      ]);
    },
  );

  it("does not hold where the fake leads out of the catalog", async () => {
    mkdirSync(join(folder.path, "standin"));
    symlinkSync("/etc/hostname", join(folder.path, "standin/app.json"));
    const { levels } = await check({});
    expect(levels.at(-1)?.findings).toMatchObject([{ code: "CLI_FILE_UNREADABLE", file: "standin/app.json" }]);
  });

  it("offers the row a request needs", async () => {
    const { levels } = await check(
      {
        hooks: [
          rawInstallHook('export async function run(ctx) { await fetch(ctx.baseUrl + "/a", { method: "POST" }); }'),
        ],
      },
      [],
    );
    expect(levels.at(-1)?.findings[0]).toMatchObject({
      file: "standin/app.json",
      hint: 'add {"method":"POST","path":"/a","status":200,"body":{}} to its answers',
    });
  });

  it("goes on to the other hooks where one fails", async () => {
    const fails = (id: string) => rawInstallHook(`export async function run(ctx) { ctx.fail("${id}"); }`, { id });
    const report = await check({ hooks: [fails("one"), fails("two")] }, []);
    expect(listFindings(report)).toEqual(["4 CHECK_HOOK_FAILED hooks.0", "4 CHECK_HOOK_FAILED hooks.1"]);
  });

  it("that is stopped says what was running", async () => {
    const waits = `export async function run(ctx) {
      await ctx.registerCheckpoints([{ id: "in", message: "In" }]);
      await ctx.sleep(600_000);
    }`;
    folder.write("app.json", rawApp({ hooks: [rawInstallHook(waits)] }));
    folder.write("standin/app.json", []);
    const { dictionary, ...subject } = await readOne(folder.path, "app");
    if (dictionary === null) throw new Error("the script is refused");
    const stop = new AbortController();
    const told: string[] = [];
    const stopping: PlayedWorlds = {
      scenarios: worlds.scenarios,
      open: async (...of) => {
        const world = await worlds.open(...of);
        void (async () => {
          for await (const { task } of world.engine.watch(0, stop.signal))
            if (task.checkpoints.length > 0) stop.abort();
        })();
        return world;
      },
    };
    const neighbours = new CatalogNeighbours(folder.path);
    const doing = (what: string) => void told.push(what);
    const setting = { worlds: stopping, neighbours, seed: 1, signal: stop.signal, doing };
    await expect(HOOKS.play({ ...subject, dictionary }, setting)).rejects.toThrow();
    expect(told).toEqual(['"connect" was still running']);
  });
});
