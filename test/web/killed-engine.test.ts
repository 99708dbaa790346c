/** An engine that is killed in the middle of an install, with its page open: nobody has to reload anything. */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { buildWeb } from "../../scripts/build/web.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { startChromium } from "./support/chromium.ts";
import { openScreen } from "./support/screen.ts";

const PROGRAM = fileURLToPath(new URL("support/engine-process.ts", import.meta.url));
const BIN = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));
const run = promisify(execFile);
/** What a browser says of an engine that is gone, before a request or in the middle of one. */
const GONE = /ERR_(?:CONNECTION_(?:REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/;

describe("the page of an engine that is killed", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-killed-"));
  const page = join(folder, "page");
  let browser: Browser;
  let child: ChildProcess | undefined;
  beforeAll(async () => {
    [browser] = await Promise.all([startChromium(), buildWeb(page)]);
  });
  afterAll(async () => {
    await browser?.close();
    child?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(port: number, db = "slipway.db", ...kept: readonly number[]): Promise<string> {
    child = fork(PROGRAM, [join(folder, db), DEMO_CATALOG, page, `${port}`, ...kept.map(String)], { stdio: "ignore" });
    const [said] = await once(child, "message");
    return z.object({ url: z.string() }).parse(said).url;
  }

  /** Begins a lifecycle of an app; gives the id of its task. */
  async function begin(url: string, path: string): Promise<string> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/apps/${path}`, { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(202);
    return z.object({ id: z.string() }).parse(await answer.json()).id;
  }

  async function expectState(url: string, id: string, state: string): Promise<void> {
    const read = async () => (await fetch(`${url}/api/tasks/${id}`)).json();
    await expect.poll(read).toMatchObject({ state });
  }

  async function kill(): Promise<void> {
    const ended = child === undefined ? undefined : once(child, "exit");
    child?.kill("SIGKILL");
    await ended;
  }

  it("says so, and goes on by itself to the end of the install", async () => {
    const url = await start(0);
    const { page: tab, faults } = await openScreen(await browser.newContext({ locale: "en-GB" }), `${url}/activity`);
    await tab.getByRole("contentinfo").getByText("Live").waitFor();
    await tab.evaluate(() => document.body.setAttribute("data-first", ""));
    await begin(url, "demo-media/install");
    await tab.getByRole("heading", { name: "Running" }).waitFor();
    await kill();
    await tab.getByRole("status").getByText("Connection lost").waitFor({ state: "attached" });
    expect(await tab.getByText("Install Demo Media").count()).toBeGreaterThan(0);
    await start(Number(new URL(url).port));
    await tab.getByRole("contentinfo").getByText("Live").waitFor();
    await tab.getByText("Done in").waitFor();
    await tab.getByRole("status").getByText("Install Demo Media: Done").waitFor({ state: "attached" });
    expect(await tab.evaluate(() => document.body.hasAttribute("data-first"))).toBe(true);
    expect(faults.filter((fault) => !GONE.test(fault))).toEqual([]);
  });

  it("shows the tasks of another database in its place, and says of one it does not have that it is not there", async () => {
    const url = await start(0, "first.db");
    const id = await begin(url, "demo-notes/install");
    const context = await browser.newContext({ locale: "en-GB" });
    const { page: list } = await openScreen(context, `${url}/activity`);
    const { page: tab } = await openScreen(context, `${url}/activity/${id}`);
    await list.getByText("Install Demo Notes").waitFor();
    await tab.locator("slip-task header").waitFor();
    await kill();
    await start(Number(new URL(url).port), "second.db");
    await begin(url, "demo-media/install");
    await tab.locator("slip-task").getByText("TASK_UNKNOWN").waitFor();
    await list.getByText("Install Demo Media").waitFor();
    expect(await list.getByText("Install Demo Notes").count()).toBe(0);
    await context.close();
    await kill();
  });

  it("knows the end of a task whose changes were let go of meanwhile, and what came after it", async () => {
    const url = await start(0, "cut.db");
    const context = await browser.newContext({ locale: "en-GB" });
    const { page: tab, faults } = await openScreen(context, `${url}/activity`);
    await tab.getByRole("contentinfo").getByText("Live").waitFor();
    const id = await begin(url, "demo-media/install");
    await tab.getByRole("heading", { name: "Running" }).waitFor();
    const { page: detail } = await openScreen(context, `${url}/activity/${id}`);
    await detail.locator("slip-task header").waitFor();
    await kill();
    // At another address, where the page does not look.
    const elsewhere = await start(0, "cut.db", 1);
    await expectState(elsewhere, id, "COMPLETED");
    for (const lifecycle of ["stop", "start"]) {
      await expectState(elsewhere, await begin(elsewhere, `demo-media/${lifecycle}`), "COMPLETED");
    }
    const readChanges = async () => (await fetch(`${elsewhere}/api/tasks/${id}/events`)).json();
    await expect.poll(readChanges).toEqual({ events: [] });
    await kill();
    await start(Number(new URL(url).port), "cut.db");
    await tab.locator("slip-activity-row").getByText("Stop Demo Media").waitFor();
    await tab.locator("slip-activity-row").getByText("Install Demo Media").waitFor();
    expect(await tab.getByRole("heading", { name: "Running" }).count()).toBe(0);
    await detail.locator("slip-task header").getByText("Done", { exact: true }).waitFor();
    expect(faults.filter((fault) => !GONE.test(fault))).toEqual([]);
    await context.close();
  });

  it("shows the tasks of a backup that was restored, and of one that it does not have that it is not there", async () => {
    const slipway = (...args: readonly string[]) =>
      run(process.execPath, [BIN, ...args, "--db", join(folder, "restored.db")]);
    const backup = join(folder, "backup.db");
    const url = await start(0, "restored.db");
    await expectState(url, await begin(url, "demo-media/install"), "COMPLETED");
    await slipway("backup", backup);
    const id = await begin(url, "demo-media/stop");
    await expectState(url, id, "COMPLETED");
    const context = await browser.newContext({ locale: "en-GB" });
    const { page: list } = await openScreen(context, `${url}/activity`);
    const { page: detail } = await openScreen(context, `${url}/activity/${id}`);
    await list.locator("slip-activity-row").getByText("Stop Demo Media").waitFor();
    await detail.locator("slip-task header").waitFor();
    await kill();
    await slipway("restore", backup);
    await start(Number(new URL(url).port), "restored.db");
    // More changes than there were: their numbers alone would say nothing.
    for (let time = 0; time < 3; time += 1) {
      await expectState(url, await begin(url, "demo-media/restart"), "COMPLETED");
    }
    await list.locator("slip-activity-row").getByText("Restart Demo Media").nth(2).waitFor();
    expect(await list.locator("slip-activity-row").getByText("Stop Demo Media").count()).toBe(0);
    await detail.locator("slip-task").getByText("TASK_UNKNOWN").waitFor();
    await context.close();
  });
});
