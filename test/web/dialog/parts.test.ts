/** Parts of dialogs that no other test goes by: long titles, what is taken back, what a closed one keeps, what is read aloud. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { on, rawHook } from "../../support/scripts/scripts.ts";
import { writeCatalog } from "../support/catalog.ts";
import { nameFocused, openAnother, openDialog, waitTold } from "../support/dialog-page.ts";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const STEPS = [
  "Administrator account and permissions",
  "Storage and backups",
  "Network and domains",
  "Mail notifications",
  "Remote access",
  "Advanced settings",
];
const named = (name: string) => ({ name, description: "d", icon: "a.svg", version: "1.0.0" });
const select = {
  question: "Colour",
  type: "select",
  key: "colour",
  options: [
    { text: "Red", value: "red" },
    { text: "Blue", value: "blue" },
  ],
};
const whom = {
  type: "question",
  id: "whom",
  question: { question: "Whom", type: "text", key: "whom", required: true },
};
const targets = ["a", "b", "c", "d", "e", "f", "g"].map((letter) => `target-${letter}`);

const APPS = {
  steps: {
    custom: true,
    metadata: named("Steps"),
    installation_questions: STEPS.map((group, at) => ({ question: `Q${at}`, type: "text", key: `q${at}`, group })),
  },
  colours: {
    custom: true,
    metadata: named("Colours"),
    installation_questions: [select],
    app_values: { colours: { colour: "$QUESTION(colour)" } },
    hooks: [rawHook({ id: "greet", title: "Greet", events: ["userAction"], inputs: [whom] })],
  },
  many: {
    custom: true,
    metadata: named("Many"),
    hooks: [rawHook({ id: "connect", title: "Connect", conditions: targets.map((target) => on(target)) })],
  },
  ...Object.fromEntries(targets.map((target) => [target, { custom: true, metadata: named(target) }])),
};

describe("dialogs", () => {
  const catalog = writeCatalog(APPS);
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ catalog: catalog.path });
  });
  afterAll(async () => {
    await served?.close();
    catalog.remove();
  });

  it.each([1280, 320])(
    "keep their way out in sight in %i px, however many steps of long titles there are",
    async (width) => {
      const screen = await openDialog(served, "slip-install", { app: "steps" });
      const { page } = screen;
      await page.setViewportSize({ width, height: 900 });
      await page.getByText(STEPS[0] ?? "").waitFor();
      const frame = await page.getByRole("dialog").boundingBox();
      const way = await page.getByRole("button", { name: "Close" }).boundingBox();
      expect((way?.x ?? width) + (way?.width ?? width)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
      await expectFine(screen, `long titles at ${width} px`);
    },
  );

  it("take a choice back that nobody has to make", async () => {
    const { page } = await openDialog(served, "slip-install", { app: "colours" });
    const colour = page.getByRole("combobox", { name: "Colour" });
    await colour.selectOption({ label: "Blue" });
    await colour.selectOption({ label: "Choose" });
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const taskId = (await waitTold(page, "slip-started")) ?? "";
    expect(await served.engine.settled(taskId)).toMatchObject({ state: "COMPLETED" });
    const { steps } = await served.engine.form("colours", "options");
    expect(steps[0]?.sections[0]?.questions[0]?.default).toBeUndefined();
  });

  it("have the keyboard go to what refuses an install as a whole, so that it is read", async () => {
    for (const target of targets) await served.engine.settled((await served.engine.install(target)).id);
    const { page } = await openDialog(served, "slip-install", { app: "many" });
    await page.getByText("Customize Install").click();
    await page.getByRole("checkbox", { name: "Connect (target-g)" }).check();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await expect.poll(() => nameFocused(page)).toContain("names 7 targets");
    expect(served.engine.tasks({ appId: "many" })).toEqual([]);
  });

  it("of a hook keep what was typed when they are closed, until it is taken", async () => {
    const { id } = await served.engine.runAction("colours", "greet");
    const { page } = await openDialog(served, "slip-inputs", { task: id });
    await page.getByLabel("Whom").fill("Ada");
    await page.keyboard.press("Escape");
    await waitTold(page, "slip-closed");
    await openAnother(page, "slip-inputs", { task: id });
    await expect.poll(() => page.getByLabel("Whom").inputValue()).toBe("Ada");
    await page.getByRole("button", { name: "Send" }).click();
    await waitTold(page, "slip-answered");
    expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
  });
});
