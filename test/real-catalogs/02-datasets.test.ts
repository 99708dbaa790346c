/** Row 2: entries lie levels below their location, and each is to be a dataset of its own. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../support/engine/engine-world.ts";

const OFFERED = { train: "stable", title: "Photos", icon: "" };

/** Two levels below their location, as most scripts have them; one plain entry stands above those that count. */
const photos = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [
    { path: "$LOCATION(ApplicationsPerformance)/photos" },
    { path: "$LOCATION(ApplicationsPerformance)/photos/cache" },
    { path: "$LOCATION(ApplicationsPerformance)/photos/data", owner: { user: "apps" }, snapshot: { id: "data" } },
    { path: "$LOCATION(ApplicationsPerformance)/photos/db/main", snapshot: { id: "db" } },
  ],
};

async function install(before: readonly string[] = []) {
  const world = await openWorld({
    catalog: { photos },
    host: { datasets: ["tank", "tank/apps"], catalog: { photos: { ...OFFERED, versions: ["1.0.0"] } } },
  });
  for (const path of before) await world.host.makeDirectory(path);
  const view = await settledTask(world.engine, (await world.engine.install("photos")).id);
  expect(view.state).toBe("COMPLETED");
  return world;
}

async function upgrade({ engine, host }: EngineWorld) {
  host.script.world.catalog.set("photos", { ...OFFERED, versions: ["1.0.0", "2.0.0"] });
  return settledTask(engine, (await engine.upgrade("photos")).id);
}

const datasets = ({ host }: EngineWorld) => [...host.script.world.datasets.keys()].slice(2);

describe("an entry with an owner or a snapshot", () => {
  it("becomes a dataset with every missing folder between it and its location", async () => {
    const at = await install();
    expect(datasets(at)).toEqual([
      "tank/apps/photos",
      "tank/apps/photos/data",
      "tank/apps/photos/db",
      "tank/apps/photos/db/main",
    ]);
    expect(at.host.script.world.paths.has("/mnt/tank/apps/photos/cache")).toBe(true);
  });

  it("is snapshotted alone before an upgrade", async () => {
    const at = await install();
    const view = await upgrade(at);
    expect(view).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(at.host.script.world.snapshots.map(({ dataset }) => dataset)).toEqual([
      "tank/apps/photos/data",
      "tank/apps/photos/db/main",
    ]);
  });

  it("is a directory where a folder above it is one already: nothing that exists is converted", async () => {
    const at = await install(["/mnt/tank/apps/photos"]);
    expect(datasets(at)).toEqual([]);
  });

  it("whose snapshot covers the whole location says so on the task", async () => {
    const at = await install(["/mnt/tank/apps/photos"]);
    const view = await upgrade(at);
    expect(view.marks).toEqual(["snapshotCoversLocation: data", "snapshotCoversLocation: db"]);
    expect(at.host.script.world.snapshots.map(({ dataset }) => dataset)).toEqual(["tank/apps", "tank/apps"]);
  });
});
