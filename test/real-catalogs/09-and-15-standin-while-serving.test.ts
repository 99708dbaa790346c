/** Rows 9 and 15: the embedded stand-in offers what the engine reads, and answers as it is told in one format. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EngineChoice, type OpenedEngine, openEngine } from "../../src/compose.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { runCommand } from "../support/command-line.ts";
import { openStandinEngine, type StandinEngine } from "../support/engine/standin-engine.ts";
import { rawScript } from "../support/scripts/scripts.ts";

let opened: StandinEngine | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

const network = (port: number) => ({
  network: { web_port: { bind_mode: "published", port_number: port, host_ips: [] } },
});

/** Asks the address it is told to and fails with what it got, so that the task shows it. */
const ASKS = `export async function run(ctx) {
  const path = ctx.event === "onAfterInstall" ? "/api/state?full=1" : "/";
  const answer = await ctx.waitForApp(path, { retries: 20, initialDelayMs: 100, maxDelayMs: 100 });
  ctx.fail("got " + (await answer.text()));
}`;
const asking = {
  id: "ask",
  title: "Ask",
  events: ["onAfterInstall"],
  optional: true,
  entrypoint: "run",
  scriptContent: ASKS,
};

/** One table for the stand-in and the workbench. */
const TABLE = [
  { path: "/api/state?full=0", status: 500 },
  { method: "get", path: "/api/*", body: { from: "table" } },
];

async function whatTheHookGot({ engine }: Pick<StandinEngine, "engine">, appId: string): Promise<string> {
  const task = await engine.settled((await engine.install(appId)).id);
  expect(task.state).toBe("COMPLETED");
  return JSON.stringify(task.children);
}

describe("an app added while the engine serves", () => {
  it("can be installed after the sync that reads it", async () => {
    opened = await openStandinEngine(["first"]);
    await opened.publish({ second: { app_values: network(39_511) } });
    const { engine } = opened;
    expect(await engine.settled((await engine.install("second")).id)).toMatchObject({ state: "COMPLETED" });
  });
});

describe("the answers of apps, in one format,", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-row15-"));
    mkdirSync(join(folder, "answers"));
    writeFileSync(join(folder, "answers/demo.json"), JSON.stringify(TABLE));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const open = async (answers: NonNullable<Extract<EngineChoice["host"], { kind: "standin" }>["answers"]>) => {
    opened = await openStandinEngine(["demo"], { host: { kind: "standin", speed: 50, idleExitS: 1, answers } });
    await opened.publish({ demo: { app_values: network(39_512), hooks: [asking] } });
    return opened;
  };

  it("are given to openEngine by app", async () => {
    expect(await whatTheHookGot(await open({ demo: { startMs: 10, answers: TABLE } }), "demo")).toContain("table");
  });

  it("are given to openEngine as a folder", async () => {
    expect(await whatTheHookGot(await open(join(folder, "answers")), "demo")).toContain("table");
  });

  it("count for a stand-in that runs already", async () => {
    const catalog = join(folder, "catalog");
    mkdirSync(catalog);
    const script = rawScript({ app_values: network(39_513), hooks: [asking] });
    writeFileSync(join(catalog, "demo.json"), JSON.stringify(script));
    const openOn = (answers: string): Promise<OpenedEngine> =>
      openEngine({
        host: { kind: "standin", speed: 50, idleExitS: 5, answers },
        db: join(folder, "slipway.db"),
        catalog,
        production: true,
        logger: SILENT_LOGGER,
      });
    mkdirSync(join(folder, "none"));
    await (await openOn(join(folder, "none"))).close();
    const second = await openOn(join(folder, "answers"));
    expect(await whatTheHookGot(second, "demo")).toContain("table");
    await second.close();
  });

  it("answer a script at the workbench", async () => {
    writeFileSync(join(folder, "ask.ts"), ASKS.replace("/api/state?full=1", "/api/state?full=1"));
    writeFileSync(join(folder, "context.json"), '{"baseUrl": "http://app.invalid", "event": "onAfterInstall"}');
    const { stdout } = await runCommand(
      ...["run-hook", join(folder, "ask.ts"), "--entrypoint", "run", "--format", "json"],
      ...["--context", join(folder, "context.json"), "--answers-http", join(folder, "answers/demo.json")],
    );
    expect(stdout).toContain('got {\\"from\\":\\"table\\"}');
  });

  it("of another shape are refused at their place", async () => {
    const wrong = join(folder, "wrong");
    mkdirSync(wrong);
    writeFileSync(join(wrong, "demo.json"), '[\n  { "url": "/" }\n]');
    await expect(open(wrong)).rejects.toMatchObject({
      code: "CLI_FILE_INVALID",
      message: expect.stringContaining("demo.json:2:"),
    });
  });

  it("are refused by serve where the host is a real one", async () => {
    const { stderr, exitCode } = await runCommand("serve", "--host", "wss://nas.invalid", "--answers", folder);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("--answers is for the stand-in");
  });
});
