/** What a person agreed to is what is started: another catalog, another app or another hand meanwhile is refused. */
import { describe, expect } from "vitest";
import type { InstallRequest } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const STALE = { code: "TASK_FORM_STALE", details: { appId: "demo" } };
const own = (version: string, script: string, hooks: readonly object[] = []) => ({
  custom: true,
  metadata: { name: "Demo", description: "d", icon: "demo.svg", version },
  script: { version: script },
  installation_questions: [{ question: "Name", type: "text", key: "name" }],
  app_values: { demo: { name: "$QUESTION(name)" } },
  hooks: [rawHook({ id: "connect", conditions: [on("other")] }), ...hooks],
});

async function open() {
  const world = await openWorld({ catalog: { demo: own("1.0.0", "1.0.0"), other: {} } });
  const { engine, write } = world;
  const publish = async (script: object) => {
    write({ demo: script });
    await engine.syncCatalog();
  };
  const install = async (appId: string, request: InstallRequest = {}) =>
    settledTask(engine, (await engine.install(appId, request)).id);
  return { ...world, publish, install };
}

describe("the revision of a form", () => {
  it("is one whatever is chosen, and an install that names it is taken", async () => {
    const { engine, install } = await open();
    const { request } = await engine.form("demo", "install");
    const chosen = await engine.form("demo", "install", { links: [] });
    expect(chosen.request.revision).toBe(request.revision);
    expect(await install("demo", { ...request, answers: { name: "Ada" } })).toMatchObject({ state: "COMPLETED" });
  });

  it("is another one with another script, and nothing is started", async () => {
    const { engine, publish } = await open();
    const { request } = await engine.form("demo", "install");
    await publish(own("1.0.0", "1.0.1"));
    await expect(engine.install("demo", request)).rejects.toMatchObject(STALE);
    expect(engine.tasks()).toEqual([]);
    const again = await engine.form("demo", "install");
    expect((await engine.install("demo", again.request)).state).toBe("RUNNING");
  });

  it("is another one once a link's target is installed", async () => {
    const { engine, install } = await open();
    const { request, collapsed } = await engine.form("demo", "install");
    expect(collapsed).toEqual([]);
    await install("other");
    await expect(engine.install("demo", request)).rejects.toMatchObject(STALE);
  });

  it("is another one once somebody else has left other answers to install it again with", async () => {
    const { engine, install } = await open();
    await install("demo", { answers: { name: "Ada" } });
    await settledTask(engine, (await engine.uninstall("demo")).id);
    const { request, steps } = await engine.form("demo");
    expect(steps[0]?.sections[0]?.questions[0]?.default).toBe("Ada");
    await install("demo", { answers: { name: "Bob" } });
    await settledTask(engine, (await engine.uninstall("demo")).id);
    await expect(engine.install("demo", request)).rejects.toMatchObject(STALE);
  });

  it("of a missing target shows what an earlier install of it left, as the install takes it", async () => {
    const { engine, install } = await open();
    await install("demo", { answers: { name: "Ada" } });
    await settledTask(engine, (await engine.uninstall("demo")).id);
    const { links } = await engine.form("other");
    const shown = links.flatMap((link) => link.targets).find(({ appId }) => appId === "demo");
    expect(shown?.steps?.[0]?.sections[0]?.questions[0]?.default).toBe("Ada");
  });

  it("of options is another one once somebody else has changed them", async () => {
    const { engine, install } = await open();
    await install("demo", { answers: { name: "Ada" } });
    const { request } = await engine.form("demo", "options");
    expect(request.revision).toEqual(expect.any(String));
    await settledTask(engine, (await engine.update("demo", { answers: { name: "Bob" } })).id);
    await expect(engine.update("demo", { ...request, answers: { name: "Eve" } })).rejects.toMatchObject(STALE);
    const again = await engine.form("demo", "options");
    const changed = await engine.update("demo", { ...again.request, answers: { name: "Eve" } });
    expect(await settledTask(engine, changed.id)).toMatchObject({ state: "COMPLETED" });
  });

  it("of an upgrade is another one where it leads elsewhere, or runs something else", async () => {
    const { engine, install, publish } = await open();
    await install("demo", { answers: { name: "Ada" } });
    expect((await engine.form("demo", "upgrade")).request).toEqual({});
    await publish(own("1.1.0", "1.1.0"));
    const { request } = await engine.form("demo", "upgrade");
    const wipe = rawHook({ id: "wipe", title: "Wipe", events: ["onBeforeUpgrade"], rerun: undefined });
    await publish(own("1.2.0", "1.2.0", [wipe]));
    await expect(engine.upgrade("demo", request)).rejects.toMatchObject(STALE);
    const again = await engine.form("demo", "upgrade");
    expect(again.upgrade).toMatchObject({ to: "1.2.0", hooks: [{ title: "Wipe" }] });
    expect(await settledTask(engine, (await engine.upgrade("demo", again.request)).id)).toMatchObject({
      state: "COMPLETED",
    });
  });
});
