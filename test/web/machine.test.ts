/** A task's machine and log in a browser: what is drawn as passed is what a replay of the same events passes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { machines } from "../../machines/index.ts";
import { buildWeb } from "../../scripts/build/web.ts";
import { listTurns, replayTask } from "../../src/engine/replay/replay.ts";
import type { RegisteredMachine } from "../../src/engine/runtime/effect.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../support/engine/engine-world.ts";
import { startChromium } from "./support/chromium.ts";
import { enterStates } from "./support/entered-states.ts";
import { expectFine, openScreen, type Screen } from "./support/screen.ts";

const RECORDINGS = fileURLToPath(new URL("../replay/recordings/", import.meta.url));
const registry: Readonly<Record<string, RegisteredMachine>> = machines;
const APP = {
  hooks: [
    {
      id: "setup",
      title: "Set up",
      events: ["onAfterInstall"],
      optional: false,
      scriptContent: `export async function run(ctx) {
        for (let line = 1; line <= 250; line += 1) ctx.log("line " + line);
        await ctx.registerCheckpoints([{ id: "one", message: "First" }]);
        await ctx.awaitCheckpointRetry("one", "try it again");
      }`,
      entrypoint: "run",
    },
  ],
};

/** Of the recordings of a machine's present version the one with most lines. */
function longestRecording({ id, version }: RegisteredMachine): { readonly name: string; readonly text: string } {
  const [longest] = readdirSync(RECORDINGS)
    .filter((name) => name.startsWith(`${id}-v${version}-`))
    .map((name) => ({ name, text: readFileSync(`${RECORDINGS}${name}`, "utf8").trim() }))
    .toSorted((one, other) => other.text.split("\n").length - one.text.split("\n").length);
  if (longest === undefined) throw new Error(`there is no recording of ${id}, version ${version}`);
  return longest;
}

const pageFiles = mkdtempSync(join(tmpdir(), "slipway-machine-page-"));
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([startChromium(), buildWeb(pageFiles)]);
});
afterAll(async () => {
  await browser?.close();
  rmSync(pageFiles, { recursive: true, force: true });
});

/** A world with an installed app whose hook waits at a checkpoint, and a page in front of it. */
async function openPage() {
  const world = await openWorld({ catalog: { demo: APP } });
  const { id } = await world.engine.install("demo");
  const hook = hookTask(await settledTask(world.engine, id), "setup");
  const server = closeAfterTest(
    await startHttpServer(world.engine, { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER, pageFiles }),
  );
  const screen = closeAfterTest({
    ...(await openScreen(await browser.newContext({ locale: "en-GB" }), `${server.url}/`)),
    async close() {
      await this.page.context().close();
    },
  });
  return { ...world, id, hook, screen };
}

/** Puts one element alone on the page. */
async function mount({ page }: Screen, name: "slip-machine" | "slip-log", task: string): Promise<void> {
  // As a text: vitest would make an import of its own of it.
  await page.evaluate('import("/assets/elements.js")');
  await page.evaluate(
    ([tag = "", id = ""]) => {
      const main = document.createElement("main");
      main.append(Object.assign(document.createElement("h1"), { textContent: tag }));
      main.append(Object.assign(document.createElement(tag), { task: id, live: true }));
      document.body.replaceChildren(main);
    },
    [name, task],
  );
}

/** Paths of the states drawn as passed, and of the present one. */
async function readDrawing(
  page: Page,
): Promise<{ readonly passed: readonly string[]; readonly present: string | null }> {
  await page.locator("slip-chart .present").waitFor();
  const passed = page.locator("slip-chart .state.passed");
  return {
    passed: (
      await passed.evaluateAll((states) => states.map((state) => state.getAttribute("data-state") ?? ""))
    ).sort(),
    present: await page.locator("slip-chart .state.present").getAttribute("data-state"),
  };
}

describe("the machine of a task", () => {
  it("is drawn as it went, of every machine that runs tasks", async () => {
    const { engine, store, host, id, hook, screen } = await openPage();
    await engine.skip(hook.id);
    await settledTask(engine, id);
    const update = await engine.update("demo");
    await settledTask(engine, update.id);
    host.script.setApp("demo", { version: "1.0.0", upgradeAvailable: true });
    const upgrade = await engine.upgrade("demo");
    await settledTask(engine, upgrade.id);
    const seen = new Set<string>();
    for (const task of [id, hook.id, update.id, upgrade.id]) {
      const row = store.task(task);
      const registered = row === null ? undefined : registry[row.machine];
      if (row === null || registered === undefined) throw new Error(`no task ${task}`);
      expect(replayTask(store, registry, row).difference).toBeNull();
      const replayed = enterStates(
        registered,
        listTurns(store.taskLog(task)).map(({ event }) => event),
      ).flat();
      await mount(screen, "slip-machine", task);
      const { passed, present } = await readDrawing(screen.page);
      expect(passed).toEqual([...new Set(replayed)].sort());
      expect(present).toBe(replayed.at(-1));
      seen.add(row.machine);
    }
    expect(seen).toEqual(new Set(["install", "hook-task", "update", "upgrade"]));
    await expectFine(screen, "an upgrade's machine");
  });

  it("is followed while it runs, and walked through", async () => {
    const { engine, hook, screen } = await openPage();
    const { page } = screen;
    await mount(screen, "slip-machine", hook.id);
    expect((await readDrawing(page)).present).toBe("ACTIVE.EXECUTING.AT_CHECKPOINT");
    expect(await page.locator("aside").textContent()).toContain("It goes on without it");
    await expectFine(screen, "a machine that waits for a person");
    await engine.skip(hook.id);
    await page.locator('slip-chart .present[data-state="COMPLETED"]').waitFor();

    const slider = page.getByRole("slider");
    await slider.press("Home");
    // It was planned before its turn came, which was no step of its machine.
    await page.getByText("It has not begun.").waitFor();
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/^Step 1 of \d+, \d\d:\d\d:\d\d: task\.start/);
    await slider.press("ArrowRight");
    expect(await readDrawing(page)).toEqual({ passed: ["PENDING"], present: "PENDING" });
    await slider.press("ArrowRight");
    expect(await readDrawing(page)).toEqual({ passed: ["ACTIVE.COLLECTING", "PENDING"], present: "ACTIVE.COLLECTING" });
    await page.getByRole("button", { name: "Newest" }).click();
    expect((await readDrawing(page)).present).toBe("COMPLETED");

    const sheet = page.getByRole("region", { name: "Drawing of the machine" });
    const width = () => page.locator("slip-chart .sheet > svg").evaluate((svg) => svg.getBoundingClientRect().width);
    const before = await width();
    await sheet.press("+");
    expect(await width()).toBeGreaterThan(before);
    await sheet.press("0");
    expect(await width()).toBeLessThan(before);

    await page.locator("summary").last().click();
    await page.getByRole("button", { name: /xstate\.init/ }).press("Enter");
    expect((await readDrawing(page)).present).toBe("PENDING");
    await expectFine(screen, "the whole way");
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});

describe("a recording from a file", () => {
  it("of every machine is drawn as it went, and what is none is refused in words", async () => {
    const { hook, screen } = await openPage();
    const { page } = screen;
    await mount(screen, "slip-machine", hook.id);
    const input = page.locator("input[type=file]");
    await input.waitFor({ state: "attached" });
    for (const registered of Object.values(registry)) {
      const { name, text } = longestRecording(registered);
      await input.setInputFiles(`${RECORDINGS}${name}`);
      await page.getByText(`Recording ${name}`).waitFor();
      const events = text.split("\n").map((line) => JSON.parse(line).event);
      const replayed = enterStates(registered, events).flat();
      expect(await readDrawing(page)).toEqual({ passed: [...new Set(replayed)].sort(), present: replayed.at(-1) });
    }
    await expectFine(screen, "a recording");

    const hostile =
      '{"event":{"type":"<img src=x onerror=alert(1)>"},"snapshot":{"value":"<script>alert(1)</script>"}}';
    await input.setInputFiles({ name: "<b>.jsonl", mimeType: "text/plain", buffer: Buffer.from(hostile) });
    await page.getByRole("alert").getByText("No machine of this version has all the states").waitFor();
    await input.setInputFiles({ name: "x.jsonl", mimeType: "", buffer: Buffer.alloc(4 * 1024 * 1024 + 1, "x") });
    await page.getByRole("alert").getByText("larger than 4 MB").waitFor();
    await expectFine(screen, "a refused file");

    const event = '{"event":{"type":"<img src=x onerror=alert(1)>"},"snapshot":{"value":"REGISTERED"}}';
    await page.locator("slip-machine-view .head").evaluate((head, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "dropped.jsonl"));
      head.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, composed: true, cancelable: true }));
    }, event);
    await page.getByText("Recording dropped.jsonl").waitFor();
    expect(await readDrawing(page)).toEqual({ passed: ["REGISTERED"], present: "REGISTERED" });
    expect(await page.locator("p.entry").textContent()).toContain("<img src=x onerror=alert(1)>");
    await page.getByRole("button", { name: "Back to the task" }).click();
    expect((await readDrawing(page)).present).toBe("ACTIVE.EXECUTING.AT_CHECKPOINT");
    await expectFine(screen, "the task again");
  });
});

describe("the log of a hook", () => {
  it("ends with the newest line, has older ones on demand, and goes to a file", async () => {
    const { engine, hook, screen } = await openPage();
    const { page } = screen;
    await mount(screen, "slip-log", hook.id);
    await page.getByText("line 250", { exact: true }).waitFor();
    const lines = page.locator("slip-log-view li span");
    expect(await lines.count()).toBe(100);
    expect(
      await page.locator(".lines").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight),
    ).toBeLessThan(24);
    await expectFine(screen, "a log");
    for (const count of [200, 250]) {
      await page.getByRole("button", { name: "Show older lines" }).click();
      await page.getByText(`${count} lines`).waitFor();
    }
    expect(await page.getByRole("button", { name: "Show older lines" }).count()).toBe(0);
    expect(await lines.allTextContents()).toEqual(engine.log(hook.id).map(({ line }) => line));

    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${hook.id}.log`);
    const text = readFileSync(await download.path(), "utf8");
    expect(text).toBe(
      engine
        .log(hook.id)
        .map(({ at, line }) => `${at} ${line}\n`)
        .join(""),
    );
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("main").getByText("Copied").waitFor();

    await expectFine(screen, "a whole log");
  });
});
