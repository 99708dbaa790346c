/** An engine that is killed in the middle of an install, with its page open: nobody has to reload anything. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { buildWeb } from "../../scripts/build/web.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { startChromium } from "./support/chromium.ts";
import { openScreen } from "./support/screen.ts";

const PROGRAM = fileURLToPath(new URL("support/engine-process.ts", import.meta.url));

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

  async function start(port: number, db = "slipway.db"): Promise<string> {
    child = fork(PROGRAM, [join(folder, db), DEMO_CATALOG, page, String(port)], { stdio: "ignore" });
    const [said] = await once(child, "message");
    return z.object({ url: z.string() }).parse(said).url;
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
    const headers = { "content-type": "application/json" };
    const started = await fetch(`${url}/api/apps/demo-media/install`, { method: "POST", headers, body: "{}" });
    expect(started.status).toBe(202);
    await tab.getByRole("heading", { name: "Running" }).waitFor();
    await kill();
    await tab.getByRole("status").getByText("Connection lost").waitFor({ state: "attached" });
    expect(await tab.getByText("Install Demo Media").count()).toBeGreaterThan(0);
    await start(Number(new URL(url).port));
    await tab.getByRole("contentinfo").getByText("Live").waitFor();
    await tab.getByText("Done in").waitFor();
    await tab.getByRole("status").getByText("Install Demo Media: Done").waitFor({ state: "attached" });
    expect(await tab.evaluate(() => document.body.hasAttribute("data-first"))).toBe(true);
    expect(faults.filter((fault) => !fault.includes("ERR_CONNECTION_REFUSED"))).toEqual([]);
  });

  it("says of a task that the database in its place does not have that it is not there", async () => {
    const url = await start(0, "first.db");
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/apps/demo-notes/install`, { method: "POST", headers, body: "{}" });
    const { id } = z.object({ id: z.string() }).parse(await answer.json());
    const { page: tab } = await openScreen(await browser.newContext({ locale: "en-GB" }), `${url}/activity/${id}`);
    await tab.locator("slip-task header").waitFor();
    await kill();
    await start(Number(new URL(url).port), "second.db");
    await tab.locator("slip-task").getByText("TASK_UNKNOWN").waitFor();
  });
});
