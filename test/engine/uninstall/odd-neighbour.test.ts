/** An app whose entry can't be read may use anything: nothing is removed beside it, and nothing else is kept from it. */
import { describe, expect } from "vitest";
import { openOnStandin } from "../../support/engine/engine-on-standin.ts";
import { it } from "../../support/engine/engine-test.ts";
import { makeInstance } from "../../support/engine/scripted-world.ts";
import { ALL, openInstalled, remove } from "./uninstall-world.ts";

const port = (port_number: number) => ({ network: { web_port: { bind_mode: "published", port_number } } });
const OWN = {
  requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(Media)/own" }],
  app_values: { ...port(30_965), storage: { data: "$HOST_PATH($LOCATION(Media)/own)" } },
};

describe("an app with an odd entry", () => {
  it("is listed beside the others, which can be installed, upgraded and removed", async () => {
    const world = await openOnStandin({ odd: { app_values: port(30_966) }, own: OWN });
    const engine = world.engine();
    await world.settled(await engine.install("odd"));
    world.standin.control.setOddEntry("odd", { portals: { "Web UI": 5 }, metadata: { name: ["odd"], title: 5 } });
    expect(await world.settled(await engine.install("own"))).toMatchObject({ state: "COMPLETED" });
    const installed = (await engine.apps({ installed: true })).map(({ appId }) => appId);
    expect(installed).toEqual(["odd", "own"]);
    world.standin.control.release("own", "9.0.0");
    expect(await world.settled(await engine.upgrade("own"))).toMatchObject({ state: "COMPLETED" });
    expect(await world.settled(await engine.uninstall("own"))).toMatchObject({ state: "COMPLETED" });
  });

  it("whose mounts are not known keeps directories of others from being removed", async () => {
    const world = await openInstalled();
    const { engine, host } = world;
    host.script.world.instances.set(...makeInstance("odd", {}, { isPartial: true }));
    expect(JSON.stringify(await engine.previewUninstall("demo", ALL))).toContain("can't be read");
    await remove(engine, ALL);
    expect(world.removals).toEqual([]);
    expect(await host.app("demo")).toBeNull();
  });
});
