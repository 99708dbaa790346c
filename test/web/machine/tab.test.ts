/** The Machine tab of a task: where a machine stands is before a person's eyes when it is opened, with all that is said of it. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ServedPage, servePage } from "../support/served-page.ts";

describe("the Machine tab of a task", () => {
  let served: ServedPage;
  let task: string;
  beforeAll(async () => {
    served = await servePage();
    task = (await served.engine.install("demo-notes", { answers: { admin_user: "ada" } })).id;
    await served.engine.settled(task);
  });
  afterAll(() => served?.close());

  it.each([
    { width: 1280, height: 720, isBeside: true },
    { width: 880, height: 860, isBeside: false },
    { width: 400, height: 860, isBeside: false },
  ])("shows the present state and the slider at once, $width px wide", async ({ width, height, isBeside }) => {
    const { page } = await served.open(`/activity/${task}`, { viewport: { width, height } });
    onTestFinished(() => page.context().close());
    await page.getByRole("tab", { name: "Machine" }).click();
    // A small window has the ways through the page at its foot.
    const nav = await page.locator("slip-app nav").boundingBox();
    const foot = nav !== null && nav.y > height / 2 ? nav.y : height;
    for (const seen of [page.locator("slip-chart .present"), page.getByRole("slider")]) {
      await seen.waitFor();
      await expect
        .poll(async () => {
          const box = await seen.boundingBox();
          return box !== null && box.y >= 0 && box.y + box.height <= foot;
        })
        .toBe(true);
    }
    const [chart, said] = await Promise.all([
      page.locator("slip-chart").boundingBox(),
      page.locator("slip-machine-view aside").boundingBox(),
    ]);
    if (chart === null || said === null) throw new Error("nothing is drawn");
    expect(said.x >= chart.x + chart.width).toBe(isBeside);
    expect(said.y >= chart.y + chart.height).toBe(!isBeside);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});
