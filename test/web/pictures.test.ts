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
  beforeAll(async () => {
    served = await servePage();
    const { id } = await served.engine.install("demo-notes", { answers: { admin_user: "ada" } });
    await served.engine.settled(id);
  });
  afterAll(() => served?.close());

  it("shows what an install will do, before it begins", async () => {
    const screen = await served.open("/apps/demo-media/install");
    await screen.page.getByText("What will happen").waitFor();
    await take(screen, "install");
  });

  it("shows the way a task's machine took", async () => {
    const { id } = await served.engine.install("demo-media");
    await served.engine.settled(id);
    const screen = await served.open(`/activity/${id}`);
    await screen.page.getByRole("tab", { name: "Machine" }).click();
    await screen.page.getByRole("img", { name: "The machine install" }).waitFor();
    await take(screen, "machine");
  });

  it("shows the home page with its widgets", async () => {
    const screen = await served.open("/");
    await screen.page.locator("slip-widget").first().waitFor();
    await take(screen, "home");
  });
});

async function take(screen: Screen, name: string): Promise<void> {
  expect(README).toContain(`(docs/pictures/${name}.png)`);
  await expectFine(screen, name);
  await screen.page.setViewportSize({ width: 1280, height: 800 });
  const path = fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url));
  const picture = await screen.page.screenshot(isTaking ? { path } : {});
  // Where it is not taken anew, the one that is there is still one of such a screen.
  expect(readFileSync(path).subarray(0, 24)).toEqual(picture.subarray(0, 24));
}
