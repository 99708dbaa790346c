/** The letter, row 5: `ctx.log` is shown to no owner. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedPage, servePage } from "../support/served-page.ts";

let served: ServedPage;
let task = "";
beforeAll(async () => {
  served = await servePage({ server: { pageLogs: false } });
  task = (await served.engine.install("demo-notes")).id;
  await served.engine.settled(task);
});
afterAll(() => served?.close());

it("a page for owners shows no lines of scripts", async () => {
  const { page } = await served.open(`/activity/${task}`);
  await page.getByRole("tab", { name: "Machine" }).waitFor();
  expect(
    await page
      .getByRole("tab")
      .allTextContents()
      .then((names) => names.map((name) => name.trim())),
  ).toEqual(["Steps", "Machine"]);
  await page.getByRole("tab", { name: "Steps" }).press("ArrowLeft");
  await page.getByRole("tab", { name: "Machine", selected: true }).waitFor();
  expect(await page.locator("slip-log").count()).toBe(0);
});
