/** What an engine makes of a whole catalog: the apps it lists, and the pairings it finds in it. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../support/engine/engine-world.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";

const to = (app: string) => rawHook({ id: `to-${app}`, conditions: [on(app)] });

async function pairingsOf({ engine }: EngineWorld, appId: string): Promise<readonly string[]> {
  const { pairings } = await engine.pairings(appId);
  return pairings.map(
    ({ runsOnAppId, hookId, targets }) => `${runsOnAppId}/${hookId} ${targets.map((target) => target.appId)}`,
  );
}

describe("the pairings of a catalog", () => {
  it("come from no deprecated app", async () => {
    const catalog = { hub: {}, old: { hooks: [to("hub")] }, fresh: { hooks: [to("hub")] } };
    const world = await openWorld({ catalog: { ...catalog, "catalog.json": '{"deprecated": ["old"]}' } });
    expect(await pairingsOf(world, "hub")).toEqual(["fresh/to-hub fresh"]);
  });

  it("follow the newest file of an app, and a file that is new once the catalog is synced", async () => {
    const world = await openWorld({ catalog: { hub: {}, fresh: {} } });
    expect(await pairingsOf(world, "hub")).toEqual([]);
    world.write({ fresh: { script: { version: "2.0.0" }, hooks: [to("hub")] }, added: { hooks: [to("hub")] } });
    expect(await pairingsOf(world, "hub")).toEqual([]);
    await world.engine.syncCatalog();
    expect(await pairingsOf(world, "hub")).toEqual(["added/to-hub added", "fresh/to-hub fresh"]);
  });

  it("are none, without an error, of a file that is no JSON, has no hooks, an old version or an invalid hook", async () => {
    const world = await openWorld({
      catalog: {
        hub: {},
        "broken.json": "{",
        none: {},
        older: { version: 3, hooks: [to("hub")] },
        later: { version: 7, hooks: [to("hub")] },
        invalid: { hooks: [{ ...to("hub"), rerun: undefined }] },
        five: { version: 5, hooks: [{ id: "h", event: "onAfterInstall", scriptContent: "", entrypoint: "run" }] },
      },
    });
    for (const app of ["hub", "broken", "none", "older", "later", "invalid", "five"]) {
      expect([app, await pairingsOf(world, app)]).toEqual([app, []]);
    }
  });

  it("name a target of no catalog by its raw id, and the picker never offers to install it", async () => {
    const { engine } = await openWorld({ catalog: { hub: { hooks: [to("nowhere")] } } });
    expect((await engine.pairings("hub")).pairings).toMatchObject([
      { targets: [{ appId: "nowhere", name: "nowhere", icon: "" }] },
    ]);
    const [link] = (await engine.form("hub", "install")).links;
    expect(link?.targets).toMatchObject([{ appId: "nowhere", installable: false }]);
  });

  it("do not depend on what is installed, nor on what a script does", async () => {
    const scriptContent = `throw new Error("never run");`;
    const world = await openWorld({ catalog: { hub: { hooks: [{ ...to("other"), scriptContent }] }, other: {} } });
    const before = await pairingsOf(world, "hub");
    await settledTask(world.engine, (await world.engine.install("other")).id);
    expect([before, await pairingsOf(world, "hub")]).toEqual([["hub/to-other other"], ["hub/to-other other"]]);
  });
});

describe("custom apps", () => {
  it("are listed beside those of the host's catalog, by the name of their metadata", async () => {
    const metadata = { name: "My notes", description: "Notes", icon: "https://example.com/n.svg", version: "1.0.0" };
    const { engine } = await openWorld({ catalog: { standard: {}, notes: { custom: true, metadata } } });
    const listed = (await engine.apps()).map(({ appId, name, description }) => ({ appId, name, description }));
    expect(listed).toMatchObject([
      { appId: "notes", name: "My notes", description: "Notes" },
      { appId: "standard", name: "STANDARD" },
    ]);
  });
});
