/** A machine's drawing in a browser: seen whole, each state and line asked about, and what is not drawn said in words. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { machines } from "../../../machines/index.ts";
import { viewMachine } from "../../../src/engine/replay/list-machine.ts";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";
import { showElement } from "../support/show-element.ts";

const RECORDINGS = fileURLToPath(new URL("../../replay/recordings/", import.meta.url));

let served: ServedPage;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served?.close());

/** A page with nothing but a recording, by the name of its file or under another. */
async function openRecording(file: string, name = file) {
  const screen = await showElement(served, "slip-machine");
  onTestFinished(() => screen.page.context().close());
  await screen.page.evaluate(() => {
    document
      .querySelector("main")
      ?.prepend(Object.assign(document.createElement("h1"), { textContent: "A recording" }));
  });
  const input = screen.page.locator("input[type=file]");
  const open = (text: string, as: string) =>
    input.setInputFiles({ name: as, mimeType: "text/plain", buffer: Buffer.from(text) });
  await input.waitFor({ state: "attached" });
  await open(readFileSync(`${RECORDINGS}${file}`, "utf8"), name);
  await screen.page.locator("slip-chart .present").waitFor();
  return { ...screen, screen, open, aside: screen.page.locator("aside"), sheet: screen.page.locator(".sheet") };
}

describe("the drawing of a machine", () => {
  it.each([1280, 400])("is seen in its whole width by Fit, in a window of %i px", async (width) => {
    const { page, sheet } = await openRecording("hook-task-v1-retry.jsonl");
    await page.setViewportSize({ width, height: 860 });
    const hidden = () => sheet.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(await hidden()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Fit" }).click();
    await expect.poll(hidden).toBe(0);
    const shown = () => page.locator(".sheet > svg").evaluate((svg) => svg.getBoundingClientRect().width);
    const fitting = await shown();
    await sheet.press("=");
    await expect.poll(shown).toBeCloseTo(fitting * 1.25, 0);
    await sheet.press("-");
    await expect.poll(shown).toBeCloseTo(fitting, 0);
  });

  it("says of every state what it is and takes, whether it is pressed or chosen", async () => {
    const { page, screen, aside } = await openRecording("hook-task-v1-checkpoint-retry.jsonl");
    const states = page.getByRole("combobox", { name: "State" });
    await page.locator('[data-state="ACTIVE.EXECUTING.AT_CHECKPOINT"]').click();
    const { states: known } = viewMachine(machines["hook-task"]);
    const text = known.find(({ path }) => path === "ACTIVE.EXECUTING.AT_CHECKPOINT")?.text ?? "";
    await aside.getByText(text, { exact: true }).waitFor();
    expect(await aside.locator("summary").textContent()).toBe("9 events it takes without leaving");
    expect(await states.inputValue()).toBe("ACTIVE.EXECUTING.AT_CHECKPOINT");
    expect(await page.locator(".looked").getAttribute("data-state")).toBe("ACTIVE.EXECUTING.AT_CHECKPOINT");
    const exits = await page
      .locator(".exit")
      .evaluateAll((lines) => lines.map((line) => line.getAttribute("data-line") ?? ""));
    expect(exits).toContain("ACTIVE.EXECUTING.AT_CHECKPOINT to ACTIVE.EXECUTING.SCRIPT");
    expect(await page.locator(".present").getAttribute("data-state")).toBe("COMPLETED");
    await expectFine(screen, "a state that is looked at");

    await states.focus();
    await page.keyboard.type("Pending");
    await aside.locator(".subject", { hasText: "Pending" }).waitFor();
    expect(await page.locator(".looked").getAttribute("data-state")).toBe("PENDING");
    await page.locator('[data-state="ACTIVE.AWAITING_INPUT"]').click();
    expect(await states.inputValue()).toBe("ACTIVE.AWAITING_INPUT");
    await page.locator('[data-state="ACTIVE.AWAITING_INPUT"]').click();
    expect(await states.inputValue()).toBe("");
    await aside.getByText("Nothing: this is its end.").waitFor();
  });

  it("marks the states that take events without leaving, and lists those of the whole machine once", async () => {
    const { page, aside } = await openRecording("rollback-v1-both.jsonl");
    expect(await aside.locator("summary").count()).toBe(0);
    await page.getByRole("slider").press("Home");
    await aside.locator("summary").waitFor();
    const { states, transitions } = viewMachine(machines.rollback);
    const staying = (path: string) => transitions.filter(({ from, to }) => from === path && to === null).length;
    const marks = await page
      .locator("[data-state]")
      .evaluateAll((drawn) =>
        drawn.map((state) => [state.getAttribute("data-state"), state.querySelector("tspan")?.textContent ?? ""]),
      );
    expect(new Map(marks.map(([path, mark]) => [path, mark]))).toEqual(
      new Map(
        states
          .filter(({ kind }) => kind !== "history")
          .map(({ path }) => [path, staying(path) === 0 ? "" : `+${staying(path)}`]),
      ),
    );
    expect(await aside.locator("summary").allTextContents()).toEqual([
      `In rollback: ${staying("")} events it takes without leaving`,
    ]);
  });

  it("is moved by a pointer, which presses nothing meanwhile", async () => {
    const { page, sheet } = await openRecording("hook-task-v1-retry.jsonl");
    const state = await page.locator('[data-state="SKIPPED"]').boundingBox();
    if (state === null) throw new Error("the state is not drawn");
    const at = () => sheet.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
    const [left = 0, top = 0] = await at();
    const [x, y] = [state.x + 20, state.y + 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 96, y, { steps: 3 });
    await page.mouse.up();
    expect(await at()).toEqual([left + 96, top]);
    expect(await page.locator(".looked").count()).toBe(0);
    await page.mouse.down();
    await page.mouse.move(x - 94, y + 1);
    await page.mouse.up();
    await page.locator('.looked[data-state="SKIPPED"]').waitFor();
    expect(await at()).toEqual([left + 96, top]);
  });

  it("marks a line with its label, and is made of letters every font has", async () => {
    const { page } = await openRecording("rollback-v1-both.jsonl");
    const line = page.locator('[data-line="FAILED to RUNNING.STARTING"]');
    const thickness = () => line.locator(".line").evaluate((path) => getComputedStyle(path).strokeWidth);
    const before = await thickness();
    await line.locator("text").hover();
    expect(await thickness()).not.toBe(before);
    await page.mouse.move(0, 0);
    expect(await thickness()).toBe(before);
    expect(await page.locator(".sheet svg").textContent()).not.toMatch(/[^\u0020-\u024f…·]/);
    const first = viewMachine(machines.rollback).states.filter(({ isInitial }) => isInitial);
    expect(await page.locator("path.start").count()).toBe(first.length);
  });
});

describe("a recording", () => {
  it("of another version than the drawing says so", async () => {
    const { page, open } = await openRecording("uninstall-v1-keep-data.jsonl");
    await page.getByText("It ran as version 1; the drawing is of version 2.").waitFor();
    await open(readFileSync(`${RECORDINGS}install-v1-retry.jsonl`, "utf8"), "install-v9-retry.jsonl");
    await page.getByText("It ran as version 9; the drawing is of version 1.").waitFor();
    await open(readFileSync(`${RECORDINGS}install-v1-retry.jsonl`, "utf8"), "install-v1-retry.jsonl");
    await page.getByText("install, version 1").waitFor();
    expect(await page.getByText("It ran as version").count()).toBe(0);
  });

  it("that is refused is named, and the one before it is gone", async () => {
    const { page, open } = await openRecording("install-v1-retry.jsonl");
    await open("{", "broken.jsonl");
    await page.getByRole("alert").getByText("broken.jsonl: Line 1 is not JSON.").waitFor();
    expect(await page.locator("slip-chart").count()).toBe(0);
    expect(await page.getByText("install-v1-retry").count()).toBe(0);
  });
});
