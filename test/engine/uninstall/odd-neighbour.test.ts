/** An app whose entry can't be read may use anything: nothing is removed beside it, and nothing else is kept from it. */
import { describe, expect } from "vitest";
import { openOnStandin } from "../../support/engine/engine-on-standin.ts";
import { it } from "../../support/engine/engine-test.ts";

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
    world.standin.control.setOddEntry("odd", { portals: { "Web UI": 5 }, metadata: "free-form" });
    expect(await world.settled(await engine.install("own"))).toMatchObject({ state: "COMPLETED" });
    const installed = (await engine.apps({ installed: true })).map(({ appId }) => appId);
    expect(installed).toEqual(["odd", "own"]);
    world.standin.control.release("own", "9.0.0");
    expect(await world.settled(await engine.upgrade("own"))).toMatchObject({ state: "COMPLETED" });
    expect(await world.settled(await engine.uninstall("own"))).toMatchObject({ state: "COMPLETED" });
  });

  it("whose mounts are not known keeps directories of others from being removed", async () => {
    const world = await openOnStandin({ odd: { app_values: port(30_966) }, own: OWN });
    const engine = world.engine();
    for (const appId of ["odd", "own"]) await world.settled(await engine.install(appId));
    world.standin.control.setOddEntry("odd", { active_workloads: "free-form" });
    const preview = await engine.previewUninstall("own", { keepData: false });
    expect(JSON.stringify(preview)).toContain("can't be read");
    await world.settled(await engine.uninstall("own", { keepData: false }));
    expect((await world.host().stat("/mnt/tank/Media/own"))?.type).toBe("DIRECTORY");
    expect(await world.host().app("own")).toBeNull();
  });
});
