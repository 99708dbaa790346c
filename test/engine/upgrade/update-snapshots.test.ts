import { describe, expect } from "vitest";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { ASKING, installOldDemo, VERSIONS } from "./old-demo.ts";

describe("an update", () => {
  it("takes a snapshot of its own where another did in the same second, named one second later", async () => {
    const { engine, host } = await installOldDemo(ASKING, VERSIONS, {
      clock: { ...createSystemClock(), now: () => Date.UTC(2026, 0, 1) },
    });
    for (const port of [9090, 9091]) await settledTask(engine, (await engine.update("demo", { answers: { port } })).id);
    const names = host.script.world.snapshots.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("platform-app-demo-data-"))).toEqual([
      "platform-app-demo-data-20260101T000000Z",
      "platform-app-demo-data-20260101T000000Z",
      "platform-app-demo-data-20260101T000001Z",
      "platform-app-demo-data-20260101T000001Z",
    ]);
  });

  it("keeps the newest three snapshots of an entry", async () => {
    let at = Date.UTC(2026, 0, 1);
    const { engine, host } = await installOldDemo(ASKING);
    const { snapshots } = host.script.world;
    for (let n = 0; n < 5; n += 1) {
      at += 60_000;
      const stamp = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
      snapshots.push({
        dataset: "tank/apps/demo",
        name: `platform-app-demo-data-${stamp}`,
        properties: { "platform:app": "demo", "platform:snapshot_id": "data" },
      });
    }
    snapshots.push({ dataset: "tank/apps/demo", name: "by-hand", properties: {} });
    const { id } = await engine.update("demo", {});
    const view = await settledTask(engine, id);
    const names = snapshots.filter(({ dataset }) => dataset === "tank/apps/demo").map(({ name }) => name);
    expect(names).toHaveLength(4);
    expect(names).toContain("by-hand");
    expect(names).toContain(String(Object(view.result).snapshots[0]).split("@")[1]);
  });

  it("keeps the snapshot it took where the clock was set back, so that older ones bear later names", async () => {
    const { engine, host } = await installOldDemo(ASKING);
    const { snapshots } = host.script.world;
    for (const day of [1, 2, 3]) {
      snapshots.push({
        dataset: "tank/apps/demo",
        name: `platform-app-demo-data-2999010${day}T000000Z`,
        properties: { "platform:app": "demo", "platform:snapshot_id": "data" },
      });
    }
    const view = await settledTask(engine, (await engine.update("demo")).id);
    const [taken] = Object(view.result).snapshots;
    expect(snapshots.map(({ dataset, name }) => `${dataset}@${name}`)).toContain(taken);
  });

  it("goes on where the host keeps an old snapshot, and says which", async () => {
    const { engine, host } = await installOldDemo(ASKING);
    const old = (day: number) => ({
      dataset: "tank/apps/demo",
      name: `platform-app-demo-data-2020010${day}T000000Z`,
      properties: { "platform:app": "demo", "platform:snapshot_id": "data" },
    });
    host.script.world.snapshots.push(old(1), old(2), old(3), old(4));
    host.script.refuse("pool.snapshot.delete", faultOf("HOST_CALL_FAILED", "[EINVAL] it has dependent clones"));
    const { id } = await engine.update("demo");
    expect(await settledTask(engine, id)).toMatchObject({
      state: "COMPLETED",
      marks: [`notDeleted: tank/apps/demo@${old(1).name}: [EINVAL] it has dependent clones`],
    });
    expect(host.script.world.snapshots).not.toContainEqual(old(2));
  });
});
