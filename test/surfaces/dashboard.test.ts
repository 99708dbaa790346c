/** The widgets of all apps, and those a person put on the dashboard. */
import { describe, expect } from "vitest";
import type { z } from "zod";
import { createHttpApp } from "../../src/http/app.ts";
import { AllWidgets, Dashboard } from "../../src/http/schemas/widgets.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { on } from "../support/scripts/scripts.ts";

const SLOTS = { slots: [{ type: "text", field: "a" }] };
const widget = (id: string, changes: Record<string, unknown> = {}) => ({
  id,
  title: `The ${id}`,
  entrypoint: "run",
  scriptContent: "export async function run() { return { fields: {} }; }",
  ...changes,
});
const script = (...widgets: readonly object[]) => ({ widgetsSchema: 2, widgets });
const own = (name: string, ...widgets: readonly object[]) => ({
  custom: true,
  metadata: { name, icon: "icon.svg", description: "An app", version: "1.0.0" },
  ...script(...widgets),
});

/** "a" and "b" are installed, "c" is not; the second widget of "b" is shown where "c" is installed. */
async function openDashboard() {
  const world = await openWorld({
    catalog: {
      b: script(widget("large", { sizes: { large: SLOTS } }), widget("with-c", { conditions: [on("c")] })),
      a: own("Alpha", widget("any", { refresh: 60 }), widget("small", { sizes: { small: SLOTS } })),
      c: script(widget("other")),
      hushed: { internal: true, ...script(widget("secret")) },
      none: {},
    },
  });
  for (const app of ["a", "b"]) await settledTask(world.engine, (await world.engine.install(app)).id);
  return world;
}

const place = (appId: string, widgetId: string, size?: "small" | "large") => ({
  appId,
  widgetId,
  ...(size !== undefined && { size }),
});
const shown = ({ tiles }: Pick<z.infer<typeof Dashboard>, "tiles">) =>
  tiles.map(({ app, widgetId, size, state }) => `${app.appId}/${widgetId} ${size} ${state}`);

describe("the widgets of all apps", () => {
  it("come by app id as each app's own list has them, and may be those of installed apps alone", async () => {
    const { engine } = await openDashboard();
    const all = await engine.allWidgets();
    expect(all.map(({ app, widgetId, state }) => `${app.appId}/${widgetId} ${state}`)).toEqual([
      "a/any available",
      "a/small available",
      "b/large available",
      "c/other unavailable",
    ]);
    expect(all[0]?.app).toEqual({ appId: "a", name: "Alpha", icon: "icon.svg" });
    for (const { app, ...summary } of all) expect(await engine.widgets(app.appId)).toContainEqual(summary);
    const idsOf = async (installed: boolean) => (await engine.allWidgets({ installed })).map(({ app }) => app.appId);
    expect([await idsOf(true), await idsOf(false)]).toEqual([["a", "a", "b"], ["c"]]);
  });

  it("of a host that was never heard are all unavailable, and nobody's app is called installed", async () => {
    const { engine, host } = await openWorld({ catalog: { a: script(widget("any")) } });
    host.script.setAppsService("STOPPED");
    expect(await engine.allWidgets()).toMatchObject([{ state: "unavailable", app: { appId: "a" } }]);
    expect([await engine.allWidgets({ installed: true }), await engine.allWidgets({ installed: false })]).toEqual([
      [],
      [],
    ]);
  });
});

describe("the dashboard", () => {
  it("until somebody arranges the dashboard it has the widgets of the installed apps", async () => {
    const { engine } = await openDashboard();
    const found = await engine.dashboard();
    expect(found.arranged).toBe(false);
    expect(shown(found)).toEqual(["a/any small available", "a/small small available", "b/large large available"]);
  });

  it("a widget that declares no sizes takes both", async () => {
    const { engine } = await openDashboard();
    for (const size of ["small", "large"] as const) {
      expect(shown(await engine.arrangeDashboard({ tiles: [place("a", "any", size)] }))).toEqual([
        `a/any ${size} available`,
      ]);
    }
  });

  it("is as it was put, in this order, through a restart, until it is the default again", async () => {
    const { engine, restart } = await openDashboard();
    const tiles = [place("c", "other"), place("b", "with-c"), place("a", "any", "large"), place("b", "large")];
    const put = await engine.arrangeDashboard({ tiles });
    const rows = [
      "c/other small unavailable",
      "b/with-c small hidden",
      "a/any large available",
      "b/large large available",
    ];
    expect([put.arranged, shown(put)]).toEqual([true, rows]);
    expect(put.tiles[0]).toEqual({
      app: { appId: "c", name: "C", icon: "" },
      widgetId: "other",
      title: "The other",
      size: "small",
      refresh: 300,
      state: "unavailable",
      reason: '"c" is not installed',
    });
    const { engine: again } = await restart();
    expect(shown(await again.dashboard())).toEqual(rows);
    // Without a size a tile keeps the one it has.
    expect(shown(await again.arrangeDashboard({ tiles: [place("a", "any")] }))).toEqual(["a/any large available"]);
    expect(await again.arrangeDashboard({ tiles: [] })).toEqual({ arranged: true, tiles: [] });
    expect((await again.arrangeDashboard({ tiles: null })).arranged).toBe(false);
    expect(shown(await again.dashboard())).toHaveLength(3);
  });

  it("a tile whose widget has gone stays, named and marked", async () => {
    const { engine, write } = await openDashboard();
    await engine.arrangeDashboard({ tiles: [place("a", "any", "large"), place("a", "small"), place("b", "large")] });
    write({ a: { internal: true }, b: script(widget("large", { sizes: { small: SLOTS }, title: "Now small" })) });
    await engine.syncCatalog();
    const { tiles } = await engine.dashboard();
    expect(tiles).toEqual([
      {
        app: { appId: "a", name: expect.any(String), icon: expect.any(String) },
        widgetId: "any",
        title: "The any",
        size: "large",
        state: "gone",
        reason: 'there is no widget "any" of "a" any more',
      },
      expect.objectContaining({ widgetId: "small", title: "The small", state: "gone" }),
      expect.objectContaining({ widgetId: "large", title: "Now small", size: "small", state: "available" }),
    ]);
    // It may be put again, elsewhere; once it was taken away it is unknown.
    const moved = await engine.arrangeDashboard({ tiles: [place("b", "large"), place("a", "any")] });
    expect(shown(moved)).toEqual(["b/large small available", "a/any large gone"]);
    await engine.arrangeDashboard({ tiles: [place("b", "large")] });
    await expect(engine.arrangeDashboard({ tiles: [place("a", "any")] })).rejects.toMatchObject({
      code: "DASHBOARD_REFUSED",
    });
  });

  it("is refused whole, with every fault, and stays as it was", async () => {
    const { engine } = await openDashboard();
    await engine.arrangeDashboard({ tiles: [place("a", "any")] });
    const wrong = [
      place("a", "none"),
      place("nobody", "any"),
      place("hushed", "secret"),
      place("a", "small", "large"),
      place("b", "large"),
      place("b", "large"),
    ];
    await expect(engine.arrangeDashboard({ tiles: wrong })).rejects.toMatchObject({
      code: "DASHBOARD_REFUSED",
      details: {
        problems: [
          { code: "WIDGET_UNKNOWN", path: ["tiles", 0] },
          { code: "WIDGET_UNKNOWN", path: ["tiles", 1] },
          { code: "WIDGET_UNKNOWN", path: ["tiles", 2] },
          { code: "WIDGET_SIZE_UNDECLARED", path: ["tiles", 3, "size"] },
          { code: "WIDGET_REPEATED", path: ["tiles", 5] },
        ],
      },
    });
    const many = Array.from({ length: 101 }, () => place("a", "any"));
    await expect(engine.arrangeDashboard({ tiles: many })).rejects.toMatchObject({ code: "TASK_REQUEST_INVALID" });
    expect(shown(await engine.dashboard())).toEqual(["a/any small available"]);
  });

  it("is read and put over HTTP", async () => {
    const { engine } = await openDashboard();
    const app = createHttpApp(engine);
    const ask = (path: string, body?: unknown) =>
      app.request(`/api/${path}`, {
        ...(body !== undefined && {
          method: "PUT",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      });
    const list = AllWidgets.parse(await (await ask("widgets?installed=true")).json());
    expect(list.widgets.map(({ widgetId }) => widgetId)).toEqual(["any", "small", "large"]);
    const put = await ask("dashboard", { tiles: [place("a", "small")] });
    expect([put.status, shown(Dashboard.parse(await put.json()))]).toEqual([200, ["a/small small available"]]);
    expect(shown(Dashboard.parse(await (await ask("dashboard")).json()))).toEqual(["a/small small available"]);
    const refusals: readonly [path: string, body: unknown, status: number, code: string][] = [
      ["dashboard", { tiles: [place("a", "none")] }, 422, "DASHBOARD_REFUSED"],
      ["dashboard", {}, 400, "TASK_REQUEST_INVALID"],
      ["dashboard", { tiles: [{ ...place("a", "any"), size: "huge" }] }, 400, "TASK_REQUEST_INVALID"],
      ["dashboard", { tiles: [], padding: "x".repeat(1024 * 1024) }, 413, "HTTP_BODY_TOO_LARGE"],
      ["widgets?installed=perhaps", undefined, 400, "HTTP_BAD_REQUEST"],
      ["widgets?app=a", undefined, 400, "HTTP_BAD_REQUEST"],
    ];
    for (const [path, body, status, code] of refusals) {
      const response = await ask(path, body);
      expect([path, response.status, await response.json()]).toMatchObject([path, status, { code }]);
    }
  });
});
