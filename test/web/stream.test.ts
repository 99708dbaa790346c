/** One stream for all tabs, through the worker they share. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScreen } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

describe("eight tabs of a browser", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage();
  });
  afterAll(() => served?.close());

  it("hear of changes by one stream, and all of them load", async () => {
    const context = await served.browser.newContext({ locale: "en-GB" });
    const asked: string[] = [];
    context.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const tabs = [];
    for (let tab = 0; tab < 8; tab += 1) tabs.push(await openScreen(context, `${served.server.url}/activity`));
    for (const { page } of tabs) await page.getByText("Live", { exact: true }).waitFor();
    await served.engine.install("demo-notes", {});
    for (const { page } of tabs) await page.getByText("Install Demo Notes").waitFor();
    // A tab's own requests are seen here; those of the worker are not.
    expect(asked.filter((path) => path === "/api/events")).toEqual([]);
    const { targetInfos } = await (await served.browser.newBrowserCDPSession()).send("Target.getTargets");
    expect(targetInfos.filter(({ type }) => type === "shared_worker")).toHaveLength(1);
    expect(tabs.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it("hear of them where no frame is drawn any more, as in a tab that was just hidden", async () => {
    const { page } = await served.open("/activity");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0;
    });
    await served.engine.install("demo-media", {});
    await page.getByText("Install Demo Media").waitFor();
  });
});
