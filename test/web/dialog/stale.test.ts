/** A dialog follows what changes while it is open, and starts nothing that it has not shown. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { on, rawHook, rawScript } from "../../support/scripts/scripts.ts";
import { writeCatalog } from "../support/catalog.ts";
import { openDialog, waitTold } from "../support/dialog-page.ts";
import { expectFine } from "../support/screen.ts";
import { type ServedPage, servePage } from "../support/served-page.ts";

const named = (name: string, version: string) => ({ name, description: "d", icon: "a.svg", version });
const QUESTION = { question: "Name", type: "text", key: "name", default: "Ada" };
const link = (title: string) => rawHook({ id: "connect", title, conditions: [on("media")] });
const notes = (version: string, changes: object = {}) =>
  rawScript({
    custom: true,
    metadata: named("Notes", version),
    script: { version },
    app_values: { notes: { name: "$QUESTION(name)" } },
    installation_questions: [QUESTION],
    ...changes,
  });

describe("a dialog that was overtaken", () => {
  const media = { custom: true, metadata: named("Media", "1.0.0") };
  const catalog = writeCatalog({ notes: notes("1.0.0", { hooks: [link("Show notes")] }), media });
  let served: ServedPage;
  beforeAll(async () => {
    served = await servePage({ catalog: catalog.path });
    const { id } = await served.engine.install("media");
    await served.engine.settled(id);
  });
  afterAll(async () => {
    await served?.close();
    catalog.remove();
  });

  const publish = async (script: object) => {
    writeFileSync(join(catalog.path, "notes.json"), JSON.stringify(script));
    await served.engine.syncCatalog();
  };
  /** Another catalog comes in the very moment a start is sent. */
  const overtake = async (page: Parameters<typeof waitTold>[0], path: string, script: object) =>
    page.route(
      `**/apps/notes/${path}`,
      async (route) => {
        await publish(script);
        await route.continue();
      },
      { times: 1 },
    );
  const begun = () => served.engine.tasks({ appId: "notes" }).length;

  it("names at once what an install would do by now", async () => {
    const { page } = await openDialog(served, "slip-install", { app: "notes" });
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Also connects:").waitFor();
    await page.getByText("Show notes").first().waitFor();
    await publish(notes("1.0.0", { hooks: [link("Read all notes")] }));
    await page.getByText("Read all notes").first().waitFor();
    expect(await page.getByText("Show notes").count()).toBe(0);
  });

  it("starts no install that was not shown, and the one it shows then", async () => {
    const screen = await openDialog(served, "slip-install", { app: "notes" });
    const { page } = screen;
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Read all notes").first().waitFor();
    await overtake(page, "install", notes("1.0.0", { hooks: [link("Delete all notes")] }));
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByText("is not as its dialog showed it any more").waitFor();
    await page.getByText("Delete all notes").first().waitFor();
    expect(begun()).toBe(0);
    expect(screen.faults.splice(0)).toEqual([expect.stringContaining("409 (Conflict)")]);
    await expectFine(screen, "an install that was overtaken");
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const taskId = await waitTold(page, "slip-started");
    expect(await served.engine.settled(taskId ?? "")).toMatchObject({ state: "COMPLETED" });
  });

  it("applies no options that another script has come for", async () => {
    const before = begun();
    const { page } = await openDialog(served, "slip-options", { app: "notes" });
    await page.getByLabel("Name").fill("Bob");
    await page.locator(".differences li").first().waitFor();
    await overtake(page, "update", notes("1.0.1", { app_values: { notes: { name: "$QUESTION(name)", open: true } } }));
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("is not as its dialog showed it any more").waitFor();
    await page.getByText("notes › open").waitFor();
    expect(begun()).toBe(before);
    await page.getByRole("button", { name: "Apply" }).click();
    const taskId = await waitTold(page, "slip-started");
    expect(await served.engine.settled(taskId ?? "")).toMatchObject({ state: "COMPLETED" });
  });

  it("begins no upgrade to another version than it named", async () => {
    await publish(notes("1.1.0"));
    const before = begun();
    const { page } = await openDialog(served, "slip-upgrade", { app: "notes" });
    await page.getByText("From 1.0.1 to 1.1.0").waitFor();
    const wipe = rawHook({ id: "wipe", title: "Wipe things", events: ["onBeforeUpgrade"], rerun: undefined });
    await overtake(page, "upgrade", notes("1.2.0", { hooks: [wipe] }));
    await page.getByRole("button", { name: "Upgrade", exact: true }).click();
    await page.getByText("From 1.0.1 to 1.2.0").waitFor();
    await page.getByText("Wipe things").waitFor();
    expect(begun()).toBe(before);
  });
});
