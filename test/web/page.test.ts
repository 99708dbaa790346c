import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectFine, listFaults } from "./support/screen.ts";
import { type ServedPage, servePage } from "./support/served-page.ts";

describe("the page in a browser", () => {
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage();
  });
  afterAll(() => served?.close());

  it("loads at each of its addresses, and is fine there", async () => {
    const screen = await served.open("/");
    expect(await screen.page.title()).toBe("Slipway");
    await screen.page.getByRole("heading", { level: 1 }).waitFor();
    await expectFine(screen, "home");
  });

  it("would be found out if it were not: the checks see what is wrong", async () => {
    const screen = await served.open("/");
    await screen.page.evaluate(() => {
      const foreign = document.createElement("img");
      foreign.src = "http://127.0.0.1:1/foreign.png";
      const wide = document.createElement("p");
      wide.style.width = "3000px";
      wide.textContent = "wide";
      document.body.append(foreign, wide);
    });
    const failed = (await listFaults(screen, "spoilt")).join("\n");
    expect(failed).toMatch(/image-alt/);
    expect(failed).toMatch(/wider than the window/);
    expect(failed).toMatch(/Content Security Policy/);
  });
});
