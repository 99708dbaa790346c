import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { ASKING, installOldDemo } from "./old-demo.ts";

describe("an update", () => {
  const grown = (more: readonly Record<string, unknown>[]) => ({
    ...ASKING,
    script: { version: "1.1.0" },
    ensure_directories_exists: [...ASKING.ensure_directories_exists, ...more],
  });
  const COVERS = {
    path: "$LOCATION(ApplicationsPerformance)/demo-covers/new",
    owner: { user: "apps" },
    network_share: true,
  };

  it("creates the directories its new values need as an install does, and leaves existing ones untouched", async () => {
    const { engine, host, world } = await installOldDemo(ASKING);
    const { paths, shares, datasets } = host.script.world;
    const old = "/mnt/tank/apps/old";
    paths.set(old, { type: "DIRECTORY", uid: 0, gid: 0 });
    world.write({ demo: grown([COVERS, { path: "$LOCATION(ApplicationsPerformance)/old", network_share: true }]) });
    await engine.syncCatalog();
    const before = host.script.changes().length;
    const { id } = await engine.update("demo");
    expect(await settledTask(engine, id)).toMatchObject({
      state: "COMPLETED",
      result: { directories: ["/mnt/tank/apps/demo-covers", "/mnt/tank/apps/demo-covers/new"], shares: ["new"] },
    });
    const methods = host.script.changes().map(({ method }) => method);
    expect(methods.slice(before).filter((method) => !method.startsWith("pool.snapshot"))).toEqual([
      "pool.dataset.create",
      "pool.dataset.create",
      "filesystem.setacl",
      "sharing.smb.create",
      "app.update",
    ]);
    expect(datasets.has("tank/apps/demo-covers/new")).toBe(true);
    expect(shares.map(({ path }) => path)).toEqual(["/mnt/tank/apps/demo-covers/new"]);
    expect(paths.get(old)).toMatchObject({ uid: 0 });
  });

  it("that dies between a new directory and its owner goes on with both", async () => {
    const { engine, host, world } = await installOldDemo(ASKING);
    world.write({ demo: grown([COVERS]) });
    await engine.syncCatalog();
    const owned = () => host.script.changes().filter(({ method }) => method === "filesystem.setacl").length;
    const before = owned();
    const release = host.script.hold("filesystem.setacl");
    const { id } = await engine.update("demo");
    await expect.poll(owned).toBe(before + 1);
    const { engine: next } = await world.crash();
    release();
    expect(await settledTask(next, id)).toMatchObject({
      state: "COMPLETED",
      result: { directories: ["/mnt/tank/apps/demo-covers", "/mnt/tank/apps/demo-covers/new"], shares: ["new"] },
    });
    expect(host.script.changes().filter(({ method }) => method === "pool.dataset.create")).toHaveLength(4);
  });

  it("tried again after a directory's owner was refused gives it owner and share", async () => {
    const { engine, host, world } = await installOldDemo(ASKING);
    world.write({ demo: grown([COVERS]) });
    await engine.syncCatalog();
    host.script.endJob("filesystem.setacl", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.update("demo");
    expect((await settledTask(engine, id)).state).toBe("FAILED");
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { shares: ["new"] } });
    const { uid } = host.script.world.paths.get("/mnt/tank/apps/demo-covers/new") ?? {};
    expect(uid).toBe(568);
  });
});
