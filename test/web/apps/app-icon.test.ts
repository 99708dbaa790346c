import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCatalog } from "../support/catalog.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";
import { showElement } from "../support/show-element.ts";

const named = (name: string, icon: string) => ({ metadata: { name, description: "d", icon, version: "1.0.0" } });
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/><script>document.title="taken"</script></svg>`;

describe("the icon of an app in a browser", () => {
  const catalog = writeCatalog({ pictured: named("Pictured", "icon.svg"), bare: named("Bare App", "gone.svg") });
  let served: ServedPage;
  beforeAll(async () => {
    writeFileSync(join(catalog.path, "icon.svg"), SVG);
    served = await servePage({ catalog: catalog.path });
  });
  afterAll(async () => {
    await served?.close();
    catalog.remove();
  });

  it("is its picture, as bytes of the engine, whose script does nothing", async () => {
    const screen = await showElement(served, "slip-app-icon", { app: "pictured", name: "Pictured" });
    const picture = screen.page.locator("slip-app-icon img");
    await picture.waitFor();
    expect(await picture.getAttribute("src")).toMatch(/^data:image\/svg\+xml/);
    expect(await screen.page.title()).not.toBe("taken");
    expect(screen.faults).toEqual([]);
  });

  it("is letters where there is none, and the browser complains of nothing", async () => {
    const screen = await showElement(served, "slip-app-icon", { name: "Bare App" });
    const answered = screen.page.waitForResponse(/apps\/bare\/icon/);
    await screen.page.evaluate(() => Object.assign(document.querySelector("slip-app-icon") ?? {}, { app: "bare" }));
    expect((await answered).status()).toBe(204);
    await screen.page.locator("slip-app-icon").first().getByText("BA").waitFor();
    expect(screen.faults).toEqual([]);
  });
});
