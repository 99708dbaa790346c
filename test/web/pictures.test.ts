/** The pictures of the README: `npm run pictures` takes them anew where these tests pass. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFine, type Screen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const isTaking = process.env["SLIPWAY_PICTURES"] !== undefined;

describe("a picture of the README", () => {
  let served: ServedPage;
  /** A task that waits for a person. */
  let asking: string;
  beforeAll(async () => {
    served = await servePage();
    asking = (await served.engine.install("demo-notes", { answers: { admin_user: "ada" } })).id;
    await served.engine.settled(asking);
  });
  afterAll(() => served?.close());

  it("shows what an install will do, before it begins", async () => {
    const screen = await served.open("/apps/demo-media/install");
    await screen.page.getByText("What will happen").waitFor();
    await take(screen, "install");
  });

  it("shows the way a task's machine took", async () => {
    const screen = await served.open(`/activity/${asking}`);
    const { page } = screen;
    await page.getByRole("tab", { name: "Machine" }).click();
    await page.getByRole("img", { name: "The machine hook-task" }).waitFor();
    await take(screen, "machine", { width: 1600, height: 1100 }, async () => {
      // From where it began to where it stands.
      await page.locator("slip-chart .sheet").evaluate((sheet) => sheet.scrollTo({ top: 0, left: 270 }));
      await page.locator("slip-machine-view .stage").evaluate((stage) => stage.scrollIntoView({ block: "end" }));
    });
  });

  it("shows the home page with its widgets", async () => {
    const { id } = await served.engine.install("demo-media");
    await served.engine.settled(id);
    const screen = await served.open("/");
    await screen.page.locator("slip-widget").first().waitFor();
    await take(screen, "home");
  });
});

/** Takes a picture of a screen that is fit for everybody, as it stands or as it is put in order for it. */
async function take(
  screen: Screen,
  name: string,
  size = { width: 1280, height: 800 },
  order = async () => {},
): Promise<void> {
  expect(README).toContain(`(docs/pictures/${name}.png)`);
  await expectFine(screen, name);
  await screen.page.setViewportSize(size);
  await order();
  const path = fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url));
  const picture = await screen.page.screenshot(isTaking ? { path } : {});
  // Where it is not taken anew, the one that is there is still one of such a screen.
  expect(readFileSync(path).subarray(0, 24)).toEqual(picture.subarray(0, 24));
}
