/** What the surfaces list and take, row by row of the specification ("Widget", "App card", "Surfaces"). */
import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../support/engine/engine-world.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";

/** An engine with these apps, the first of them installed. */
async function open(catalog: Readonly<Record<string, object | string>>): Promise<EngineWorld> {
  const world = await openWorld({ catalog });
  const [app = ""] = Object.keys(catalog);
  const { id } = await world.engine.install(app);
  expect((await settledTask(world.engine, id)).state).toBe("COMPLETED");
  return world;
}

function aWidget(id: string, changes: object = {}): object {
  const scriptContent = `export async function run() { throw new Error("nobody asked for ${id}"); }`;
  return { id, title: id, scriptContent, entrypoint: "run", ...changes };
}

describe("widgets", () => {
  const hub = {
    widgetsSchema: 2,
    widgets: [
      aWidget("plain"),
      aWidget("hidden", { conditions: [on("alpha")] }),
      aWidget("waiting", { conditions: [on("alpha", "appRunning", "availability")] }),
      aWidget("never", { conditions: [{ role: "visibility", type: "capabilityPresent", capability: "gpu" }] }),
    ],
  };

  it("14: hidden widgets are not listed, the others say how they stand without a query", async () => {
    const { engine } = await open({ hub, alpha: {} });
    const listed = [
      { widgetId: "plain", state: "available" },
      { widgetId: "waiting", state: "unavailable", reason: expect.stringContaining("alpha") },
    ];
    expect(await engine.widgets("hub")).toMatchObject(listed);
    expect(await engine.app("hub")).toMatchObject({ widgets: listed });

    await settledTask(engine, (await engine.install("alpha")).id);
    const states = async () => (await engine.widgets("hub")).map(({ widgetId, state }) => `${widgetId} ${state}`);
    await expect.poll(states).toEqual(["plain available", "hidden available", "waiting available"]);
  });

  it("14: widgets of an app that is not installed are unavailable, those with a condition on it are not listed", async () => {
    const self = { widgetsSchema: 2, widgets: [aWidget("plain"), aWidget("own", { conditions: [on("self")] })] };
    const { engine } = await open({ hub, self });
    expect(await engine.widgets("self")).toMatchObject([
      { widgetId: "plain", state: "unavailable", reason: '"self" is not installed' },
    ]);
  });

  it("15: a field of another type than its slot is a problem of the query, of that size alone", async () => {
    const scriptContent = `export async function run() {
      return { fields: {
        count: { type: "stat", label: "Streams", value: 2 },
        art: { type: "text", text: "no picture" },
        name: { type: "text", text: "Plex" },
      } };
    }`;
    const sizes = {
      small: {
        slots: [
          { type: "stat", field: "count" },
          { type: "list", field: "name" },
        ],
      },
      large: { slots: [{ type: "text", field: "name" }], media: { placement: "left", field: "art" } },
    };
    const tile = aWidget("tile", { scriptContent, sizes });
    const { engine } = await open({ hub: { widgetsSchema: 2, widgets: [tile] } });
    expect(await engine.queryWidget("hub", "tile")).toMatchObject({
      state: "ready",
      fields: { count: { type: "stat" }, name: { type: "text" }, art: { type: "text" } },
      problems: [
        {
          code: "WIDGET_FIELD_TYPE",
          path: ["fields", "name"],
          message: expect.stringMatching(/small.*"list".*"text"/),
        },
        {
          code: "WIDGET_FIELD_TYPE",
          path: ["fields", "art"],
          message: expect.stringMatching(/large.*"image".*"text"/),
        },
      ],
    });
  });
});

describe("suggestions", () => {
  it("16: say what can be installed: not what no script declares, nor what is refused", async () => {
    const to = (app: string) => rawHook({ id: `to-${app}`, conditions: [on(app)] });
    const { engine } = await open({
      hub: { hooks: [to("alpha"), to("broken"), to("unknown")] },
      alpha: {},
      "broken.json": JSON.stringify({ version: 6, script: { version: "1.0.0" } }),
    });
    expect(await engine.app("hub")).toMatchObject({
      suggestions: [
        { hookId: "to-alpha", target: { appId: "alpha" }, installable: true },
        { hookId: "to-broken", target: { appId: "broken" }, installable: false },
        { hookId: "to-unknown", target: { appId: "unknown", name: "unknown" }, installable: false },
      ],
    });
  });
});

describe("an action", () => {
  it("20: without a surface can't be pressed, whatever surface is named", async () => {
    const nowhere = rawHook({ id: "nowhere", surfaces: [] });
    const { engine } = await open({ hub: { hooks: [nowhere, rawHook({ id: "somewhere", surfaces: ["card"] })] } });
    for (const request of [{}, { surface: "card" as const }]) {
      await expect(engine.runAction("hub", "nowhere", request)).rejects.toMatchObject({ code: "ACTION_UNKNOWN" });
    }
    const { id } = await engine.runAction("hub", "somewhere");
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
  });
});
