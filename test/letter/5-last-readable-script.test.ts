/** The letter, row 5: the last readable script goes on serving an installed app. */
import { describe, expect } from "vitest";
import { EngineError } from "../../src/core/codes/problems.ts";
import type { Json } from "../../src/core/json/json.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";

const APP = {
  installation_questions: [{ question: "Name?", type: "text", key: "name", default: "ada" }],
  app_values: { name: "$QUESTION(name)" },
  hooks: [rawHook({ id: "press", title: "Press" }), rawHook({ id: "link", conditions: [on("other")] })],
  widgetsSchema: 2,
  widgets: [
    {
      id: "tile",
      title: "Tile",
      entrypoint: "run",
      scriptContent: "export async function run() { return { fields: {} }; }",
    },
  ],
};
const BROKEN = { ...APP, requirements: 5 };

async function open(installs: boolean, questions: readonly Json[] = []) {
  const world = await openWorld({ catalog: { demo: APP, other: {} }, host: { deployingFor: 0 } });
  const { engine, host } = world;
  const offered = host.script.world.catalog.get("demo");
  if (offered !== undefined) host.script.world.catalog.set("demo", { ...offered, questions });
  if (installs) await settledTask(engine, (await engine.install("demo")).id);
  world.write({ demo: BROKEN });
  await engine.syncCatalog();
  return world;
}

describe("The last readable script", () => {
  it.each(["at once", "after a restart"])(
    "goes on serving an installed app %s, which says what is wrong",
    async (when) => {
      const world = await open(true);
      const { engine } = when === "at once" ? world : await world.restart();
      const card = await engine.app("demo");
      expect(card).toMatchObject({ usable: true, widgets: [{ widgetId: "tile" }], pairings: [{ hookId: "link" }] });
      expect(card?.problems.some(({ severity, path }) => severity === "error" && path[0] === "requirements")).toBe(
        true,
      );
      expect((await engine.actions("demo", "card")).map(({ hookId }) => hookId)).toContain("press");
      const pressed = await engine.runAction("demo", "press");
      expect((await settledTask(engine, pressed.id)).state).toBe("COMPLETED");
      const updated = await engine.update("demo", { answers: { name: "bob" } });
      expect((await settledTask(engine, updated.id)).state).toBe("COMPLETED");
      expect((await engine.pairings("demo")).pairings.map(({ hookId }) => hookId)).toEqual(["link"]);
    },
  );

  it("installs nothing: neither an app that was never there, nor one that was removed", async () => {
    const never = await open(false);
    await expect(never.engine.install("demo")).rejects.toMatchObject({ code: "TASK_SCRIPT_REFUSED" });
    const world = await open(true);
    world.host.script.world.instances.delete("demo");
    for (const refused of [world.engine.install("demo"), world.engine.form("demo"), world.engine.preview("demo", {})]) {
      await expect(refused).rejects.toMatchObject({ code: "TASK_SCRIPT_REFUSED" });
    }
    expect(await world.engine.app("demo")).toMatchObject({ usable: false, installed: null });
  });

  it("has its values judged without a place in the text that can't be read", async () => {
    const { engine, host } = await open(true, [{ variable: "label", schema: { type: "string" } }]);
    host.script.setApp("demo", { train: "stable" });
    const { problems } = await engine.preview("demo", {}, "options");
    const found = problems.filter(({ code }) => code === "VALUE_UNKNOWN");
    expect(found).toMatchObject([{ path: ["app_values", "name"], line: 1, column: 1, length: 0 }]);
  });

  it.each([
    ["is of another form", JSON.stringify({ dictionary: { appId: "demo" }, declared: null })],
    ["is no JSON", "{"],
  ])("serves nothing if what is stored of it %s", async (_, text) => {
    const world = await open(true);
    world.store.keepSettings("demo", { lastScript: text });
    const { engine } = await world.restart();
    const card = await engine.app("demo");
    expect(card).toMatchObject({ usable: false, installed: { state: expect.any(String) } });
    expect((await engine.apps()).map(({ appId }) => appId)).toEqual(["demo", "other"]);
  });

  it("is the newest that could be read, though the disk of the database was full when it came", async () => {
    const world = await open(true);
    const { engine, store, write, log } = world;
    const { keepSettings } = store;
    store.keepSettings = (appId, settings) => {
      if ("lastScript" in settings) throw new EngineError("STORE_FULL", "disk is full");
      keepSettings.call(store, appId, settings);
    };
    const offered = async (served = engine) => (await served.actions("demo", "card")).map(({ hookId }) => hookId);
    write({ demo: { ...APP, hooks: [rawHook({ id: "other-press" })] } });
    await engine.syncCatalog();
    expect(await offered()).toEqual(["other-press"]);
    expect(log).toContainEqual(expect.stringContaining("could not be kept"));
    write({ demo: BROKEN });
    await engine.syncCatalog();
    expect(await offered()).toEqual(["other-press"]);
    store.keepSettings = keepSettings;
    write({ other: { hooks: [rawHook()] } });
    await engine.syncCatalog();
    const restarted = await world.restart();
    expect(await offered(restarted.engine)).toEqual(["other-press"]);
  });

  it("is not kept again after the app's data was forgotten, though the disk was full when it came", async () => {
    const { engine, store, write } = await open(true);
    const { keepSettings } = store;
    store.keepSettings = (appId, settings) => {
      if (typeof settings["lastScript"] === "string") throw new EngineError("STORE_FULL", "disk is full");
      keepSettings.call(store, appId, settings);
    };
    write({ demo: { ...APP, hooks: [rawHook({ id: "other-press" })] } });
    await engine.syncCatalog();
    store.keepSettings = keepSettings;
    store.keepSettings("demo", { lastScript: null });
    write({ demo: BROKEN });
    await engine.syncCatalog();
    await engine.apps();
    expect(store.setting("demo", "lastScript")).toBeNull();
  });

  it("gives way to the next one that can be read", async () => {
    const { engine, write } = await open(true);
    write({ demo: { ...APP, hooks: [rawHook({ id: "other-press" })] } });
    await engine.syncCatalog();
    expect((await engine.actions("demo", "card")).map(({ hookId }) => hookId)).toEqual(["other-press"]);
  });
});
