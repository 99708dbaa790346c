/** A consent that is on by default and leads to terms is seen before it is agreed to. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { on, rawHook } from "../../support/scripts/scripts.ts";
import { writeCatalog } from "../support/catalog.ts";
import { openDialog, waitTold } from "../support/dialog-page.ts";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const named = (name: string) => ({ name, description: "d", icon: "a.svg", version: "1.0.0" });
const link = { label: "Terms of the service", url: "https://example.org/terms" };
const consent = (id: string, userOptional: object) =>
  rawHook({ id, title: id, events: ["onAfterInstall"], rerun: undefined, userOptional });
const consents = [
  consent("agrees", { link }),
  consent("waits", { link, default: false }),
  consent("plain", { description: "No terms" }),
];

const APPS = {
  other: { custom: true, metadata: named("Other") },
  paired: {
    custom: true,
    metadata: named("Paired"),
    hooks: [...consents, rawHook({ id: "connect", conditions: [on("other")] })],
  },
  alone: { custom: true, metadata: named("Alone"), hooks: consents },
};

describe("Terms are seen: a consent that is on by default and has a link stands open", () => {
  const catalog = writeCatalog(APPS);
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ catalog: catalog.path });
    await served.engine.settled((await served.engine.install("other")).id);
  });
  afterAll(async () => {
    await served?.close();
    catalog.remove();
  });

  it("beside the closed panel of an app with pairings, and is not asked again in it", async () => {
    const screen = await openDialog(served, "slip-install", { app: "paired" });
    const { page } = screen;
    const agrees = page.getByRole("checkbox", { name: "agrees" });
    await agrees.waitFor();
    expect(await page.locator("details slip-picker").count()).toBe(0);
    expect(await agrees.isChecked()).toBe(true);
    const terms = page.getByRole("link", { name: link.label });
    expect([await terms.getAttribute("href"), await terms.getAttribute("target")]).toEqual([link.url, "_blank"]);
    expect(await page.getByRole("checkbox").count()).toBe(1);
    await expectFine(screen, "terms");

    await page.getByText("Customize Install (4 options available)").click();
    await page.getByRole("checkbox", { name: "waits" }).waitFor();
    expect(await page.getByRole("checkbox", { name: "agrees" }).count()).toBe(1);
    expect(await page.getByRole("checkbox").count()).toBe(4);

    await agrees.uncheck();
    await page.getByText("Runs “agrees”").waitFor({ state: "detached" });
    expect(await agrees.isVisible()).toBe(true);
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const task = await served.engine.settled((await waitTold(page, "slip-started")) ?? "");
    expect(task.children.map(({ title }) => title)).not.toContain("agrees");
  });

  it("among all consents of an app without pairings", async () => {
    const { page } = await openDialog(served, "slip-install", { app: "alone" });
    await page.getByRole("checkbox", { name: "agrees" }).waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(3);
  });
});
