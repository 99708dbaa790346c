/** Level 6: the engine dies at every turn. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Sandbox, ScriptIo } from "../../sandbox/contract.ts";
import { createSandbox, type SandboxOptions } from "../../sandbox/sandbox.ts";
import type { AppReport } from "../../src/check/app-report.ts";
import { CRASHES } from "../../src/check/levels/crashes.ts";
import type { PlayedWorlds } from "../../src/check/levels/level.ts";
import { replaceFetch } from "../../src/check/world/answers-http.ts";
import type { FatalWrite } from "../../src/check/world/mortal-store.ts";
import { Worlds } from "../../src/check/world/worlds.ts";
import { onPort, rawApp, rawInstallHook } from "../support/check/apps.ts";
import { listFindings, playApp, playLevel, worlds } from "../support/check/play.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const FAIL = `.catch(() => ctx.fail("The app does not answer"))`;

/** A hook that posts to these paths, one after the other, and says so where the app refuses. */
function writePosts(paths: readonly string[], between = ""): string {
  const posts = paths.map(
    (path) => `{
      const answer = await fetch(ctx.baseUrl + "${path}", { method: "POST" })${FAIL};
      if (!answer.ok) ctx.fail("The app refused it: " + answer.status);
    }`,
  );
  return `export async function run(ctx) {
    await ctx.waitForApp("/health", { initialDelayMs: 10 });
    ${posts.join(`\n${between}\n`)}
  }`;
}

function writeApp(hooks: readonly object[], rows: readonly object[] = []): void {
  folder.write("app.json", rawApp({ hooks }));
  folder.write("standin/app.json", [
    ...rows,
    { method: "GET", path: "/health", body: {} },
    { method: "POST", path: "/api/*", status: 201 },
    { method: "GET", path: "/api/*", body: {} },
  ]);
}

/** The level an app holds, and what it found at the next one. */
function listBroken(report: AppReport): readonly string[] {
  return [`${report.level}`, ...listFindings(report).filter((finding) => finding.startsWith("6 "))];
}

it("holds where hooks go on where they were, asked about or declared as may be sent twice, and says how many crashes came", async () => {
  const told = `export async function run(ctx) {
    await ctx.registerCheckpoints([{ id: "one", message: "One" }]);
    const id = crypto.randomUUID() + Math.random();
    await fetch(ctx.baseUrl + "/api/" + id, { method: "POST" })${FAIL};
    await ctx.emitCheckpoint("one", "made " + id);
    await ctx.sleep(5);
    await fetch(ctx.baseUrl + "/api/two", { method: "PUT" })${FAIL};
  }`;
  writeApp(
    [
      rawInstallHook(told, { id: "told" }),
      rawHook({ id: "again", rerun: "idempotent", scriptContent: writePosts(["/api/one", "/api/two"]) }),
    ],
    [{ method: "PUT", path: "/api/two", status: 204 }],
  );
  const died = new Set<string>();
  const { findings, coverage } = await playLevel(CRASHES, folder.path, "app", { worlds: tellDeaths(died) });
  expect(findings).toEqual([]);
  expect([...died].sort()).toEqual(["hook", "install", "uninstall", "update"]);
  const [{ of, reached = 0, all = 0 } = {}] = coverage;
  expect(of).toBe("crashes");
  expect(all).toBeGreaterThan(40);
  expect(reached).toBeGreaterThan(all / 2);
});

/** Worlds that note the kinds of tasks over whose turns engines die. */
function tellDeaths(died: Set<string>): PlayedWorlds {
  return {
    scenarios: worlds.scenarios,
    open: (app, fake, options) => {
      const fate = options?.fate;
      if (fate == null) return worlds.open(app, fake, options);
      const diesBefore = (write: FatalWrite) => {
        const dies = fate.diesBefore(write);
        if (dies && write.kind === "turn")
          for (const { row } of write.turn.tasks) if (row.kind !== "checkpoint") died.add(row.kind);
        return dies;
      };
      const { diesAfter, diesAtAnswer } = fate;
      return worlds.open(app, fake, { ...options, fate: { diesBefore, diesAfter, diesAtAnswer } });
    },
  };
}

it("does not hold where a hook says that it converges, and takes 409 for its own request as a failure", async () => {
  const rows = [
    { method: "POST", path: "/api/one", status: 201, times: 1 },
    { method: "POST", path: "/api/one", status: 409 },
  ];
  writeApp([rawHook({ rerun: "converge", scriptContent: writePosts(["/api/one"]) })], rows);
  const { findings } = await playLevel(CRASHES, folder.path, "app");
  expect(findings[0]).toMatchObject({ code: "CHECK_CRASH_SHOWS", path: ["hooks", 0] });
  expect(findings[0]?.message).toMatch(/ stops where the engine dies .*The app refused it: 409/);
});

it("does not hold where a hook gets too much to go on where it was, and sends again what it had sent", async () => {
  const own = new Worlds((options) => createSandbox({ ...options, scriptIo: answerLarge(options.scriptIo) }));
  onTestFinished(() => own.close());
  const large = `await (await fetch(ctx.baseUrl + "/api/large")${FAIL}).text();`;
  writeApp([rawInstallHook(writePosts(["/api/one", "/api/two"], large))]);
  const report = await playApp(folder.path, "app", 6, { worlds: own });
  expect(listBroken(report)).toEqual(["5", "6 CHECK_REQUEST_REPEATED hooks.0"]);
  expect(report.levels.at(-1)?.findings[0]?.message).toMatch(
    /^hook "\w+" sends POST \/api\/\* \d+ times instead of 2 where .*as it can't go on where it was and begins again$/,
  );
});

/** Answers more than a journal keeps, which no fake may hold. */
function answerLarge(real: ScriptIo): ScriptIo {
  return {
    open: (scope) => {
      const session = real.open(scope);
      return replaceFetch(session, async (request, signal) => {
        const answer = await session.fetch(request, signal);
        if (!request.url.endsWith("/api/large") || !("ok" in answer)) return answer;
        return { ok: { ...answer.ok, body: Buffer.alloc(9_000_000, "x") } };
      });
    },
  };
}

it("does not hold where a hook does something else when it is played back", async () => {
  let lives = 0;
  const changing = (options: SandboxOptions): Sandbox => {
    const sandbox = createSandbox(options);
    const { run } = sandbox;
    return {
      ...sandbox,
      run: ({ script, ...request }, scriptHost) => {
        lives += 1;
        return run(
          { ...request, script: { ...script, code: script.code.replace("life=0", `life=${lives}`) } },
          scriptHost,
        );
      },
    };
  };
  const own = new Worlds(changing);
  onTestFinished(() => own.close());
  writeApp([rawHook({ rerun: "refuse", scriptContent: writePosts(["/api/one?life=0", "/api/two"]) })]);
  const report = await playApp(folder.path, "app", 6, { worlds: own });
  expect(listBroken(report)).toEqual(["5", "6 CHECK_REPLAY_DIVERGED hooks.0"]);
});

it("leaves no folder where it is stopped in the middle", async () => {
  writeApp([rawInstallHook(writePosts(["/api/one", "/api/two"]))]);
  // of this test alone: others check apps at the same time
  const temporary = join(folder.path, "temporary");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const list = () => readdirSync(temporary).filter((name) => name.startsWith("slipway-check-"));
  let most = 0;
  const stop = new AbortController();
  const doing = (what: string) => {
    most = Math.max(most, list().length);
    if (/^[1-9]\d* of \d+ crashes/.test(what)) stop.abort(new Error("enough"));
  };
  await expect(playLevel(CRASHES, folder.path, "app", { signal: stop.signal, doing })).rejects.toThrow("enough");
  expect(most).toBeGreaterThan(0);
  expect(list()).toEqual([]);
});

/** An app whose link posts to the other app, which is in the catalog too. */
function writeLinked(
  changes: object,
  rows: readonly object[] = [{ method: "POST", path: "/api/*", status: 201 }],
): void {
  const scriptContent = `export async function run(ctx) {
    const other = await ctx.getInstalledAppUrl("other");
    for (const path of ["/api/one", "/api/two"]) {
      const answer = await fetch(other + path, { method: "POST" })${FAIL};
      if (!answer.ok) ctx.fail("Other refused it: " + answer.status);
    }
  }`;
  folder.write("app.json", rawApp({ hooks: [rawHook({ conditions: [on("other")], scriptContent, ...changes })] }));
  folder.write("standin/app.json", []);
  const placed = {
    requirements: { locations: ["Media"], ports: [30112] },
    ensure_directories_exists: [{ path: "$LOCATION(Media)/other" }],
  };
  folder.write("other.json", rawApp({ ...onPort(30112), ...placed }));
  folder.write("standin/other.json", rows);
}

it("holds where a link goes on where it was, and the other app's install with it", async () => {
  writeLinked({});
  const died = new Set<string>();
  const { findings, coverage } = await playLevel(CRASHES, folder.path, "app", { worlds: tellDeaths(died) });
  expect(findings).toEqual([]);
  expect([...died].sort()).toEqual(["hook", "install", "link", "uninstall", "update"]);
  const [, { of, reached = 0, all = 0 } = {}] = coverage;
  expect(of).toBe("link crashes");
  expect(all).toBeGreaterThan(40);
  expect(reached).toBeGreaterThan(all / 2);
});

it("does not hold where a link says that it converges, and takes 409 for its own request as a failure", async () => {
  const rows = [
    { method: "POST", path: "/api/one", status: 201, times: 1 },
    { method: "POST", path: "/api/one", status: 409 },
    { method: "POST", path: "/api/two", status: 201 },
  ];
  writeLinked({ rerun: "converge", surfaces: ["installPicker"] }, rows);
  const { findings } = await playLevel(CRASHES, folder.path, "app");
  expect(findings[0]).toMatchObject({ code: "CHECK_CRASH_SHOWS", path: ["hooks", 0] });
  expect(findings[0]?.message).toMatch(
    /^hook "connect" is FAILED where the engine dies .*, installed with its link "connect", and COMPLETED without: TASK_HOOK_FAILED: Other refused it: 409/,
  );
});

it("tells of a link that is not made without a crash, and holds", async () => {
  writeLinked({}, [{ method: "POST", path: "/api/*", status: 500 }]);
  const { findings, coverage } = await playLevel(CRASHES, folder.path, "app");
  expect(findings).toEqual([]);
  expect(coverage[1]).toEqual({
    of: "link crashes",
    reached: 0,
    all: 0,
    missed: [
      expect.stringMatching(/^link "connect" of "app": without a crash the link of "app" is .*Other refused it: 500/),
    ],
  });
});
