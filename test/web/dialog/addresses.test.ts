import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const CATALOG = fileURLToPath(new URL("../fixtures/dialog", import.meta.url));

describe("the addresses of dialogs", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ catalog: CATALOG });
  });
  afterAll(() => served?.close());

  it("open them over their screen, and lead to the task that was started", async () => {
    const screen = await served.open("/apps/media/install");
    const { page } = screen;
    await page.getByRole("heading", { name: "Install Media" }).waitFor();
    await page.getByText("Creates and starts Media").waitFor();
    await expectFine(screen, "an install by its address");
    const steps = await page.evaluate(() => history.length);
    await page.keyboard.press("Escape");
    await page.waitForURL("**/apps/media");
    // Going back leads past a dialog that was closed, and the keyboard is on its screen.
    expect(await page.evaluate(() => history.length)).toBe(steps);
    await expect.poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.id)).toBe("main");
    await page.goto(`${served.server.url}/apps/media/install`);
    await page.getByText("Creates and starts Media").waitFor();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.waitForURL("**/activity/*");
    const id = page.url().split("/").at(-1) ?? "";
    expect(await served.engine.settled(id)).toMatchObject({ appId: "media", state: "COMPLETED" });
    expect(await page.locator("slip-install").count()).toBe(0);
    expect(screen.faults).toEqual([]);
  });

  it("open what a hook asks, and lead back to the task once it is answered", async () => {
    const { id } = await served.engine.install("greeter");
    const asking = `${id}~greet`;
    await expect.poll(() => served.engine.task(asking)?.state).toBe("AWAITING_INPUT");
    const { page } = await served.open(`/activity/${id}/answer/${encodeURIComponent(asking)}`);
    await page.getByLabel("Whom to greet").fill("Ada");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(`**/activity/${id}`);
    expect(await served.engine.settled(id)).toMatchObject({ state: "COMPLETED" });
  });
});
