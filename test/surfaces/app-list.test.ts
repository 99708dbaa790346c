import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../support/engine/engine-world.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";

/** "other" is installed by other means; "nowhere" is named by a pairing only. */
async function open(production = true): Promise<EngineWorld> {
  const world = await openWorld({
    catalog: {
      demo: { hooks: [rawHook({ id: "link", conditions: [on("nowhere")] })] },
      secret: { internal: true },
    },
    engine: { production },
  });
  const { engine, host } = world;
  await settledTask(engine, (await engine.install("demo")).id);
  const { instances } = host.script.world;
  const made = instances.get("demo");
  if (made === undefined) throw new Error("demo was not installed");
  for (const name of ["other", "secret"]) instances.set(name, { ...made, app: { ...made.app, name, appId: name } });
  return world;
}

/** Issue "To the letter", row 18. */
describe("apps() and app()", () => {
  it("list every app of the catalog and every installed one, by id", async () => {
    const { engine } = await open();
    expect((await engine.apps()).map(({ appId, usable, installed }) => [appId, usable, installed?.state])).toEqual([
      ["demo", true, "RUNNING"],
      ["other", false, "RUNNING"],
    ]);
  });

  it("show an internal app outside production only, installed or not", async () => {
    const { engine } = await open(false);
    expect((await engine.apps()).map(({ appId }) => appId)).toEqual(["demo", "other", "secret"]);
    const closed = await open();
    expect(await closed.engine.app("secret")).toBeNull();
  });

  it("show an app that only a pairing or the host knows, and null for one nobody knows", async () => {
    const { engine } = await open();
    expect(await engine.app("nowhere")).toMatchObject({
      appId: "nowhere",
      name: "nowhere",
      usable: false,
      installed: null,
      pairings: [{ hookId: "link", runsOnAppId: "demo", target: { appId: "demo" }, status: "installed" }],
      problems: [],
    });
    expect(await engine.app("other")).toMatchObject({ usable: false, installed: { state: "RUNNING" }, pairings: [] });
    expect(await engine.app("nobody")).toBeNull();
  });
});
