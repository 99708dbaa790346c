/** Who owns the directories of an app: "Owner rules". */
import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";

/** An install with these directories, below the location for fast storage. */
async function install(entries: readonly Record<string, unknown>[]) {
  const demo = {
    requirements: { locations: ["ApplicationsPerformance"] },
    ensure_directories_exists: entries.map((entry) => ({
      ...entry,
      path: `$LOCATION(ApplicationsPerformance)/${entry["path"]}`,
    })),
  };
  const world = await openWorld({ catalog: { demo }, host: { datasets: ["tank", "tank/apps"] } });
  const view = await settledTask(world.engine, (await world.engine.install("demo")).id);
  expect(view.state).toBe("COMPLETED");
  return world;
}

describe("an owner's names", () => {
  it("become the ids the host has for them, and without a group the user's own", async () => {
    const { host } = await install([
      { path: "own", owner: { user: "www-data" } },
      { path: "other", owner: { user: "www-data", group: "apps" } },
    ]);
    const asked = host.script.calls.map(({ method }) => method);
    expect(asked).toContain("user.get_user_obj");
    expect(asked).toContain("group.get_group_obj");
    const { paths } = host.script.world;
    expect(paths.get("/mnt/tank/apps/own")).toMatchObject({ uid: 33, gid: 33 });
    expect(paths.get("/mnt/tank/apps/other")).toMatchObject({ uid: 33, gid: 568 });
  });
});

describe("an update of an app whose directories others took", () => {
  const path = "/mnt/tank/apps/demo";
  const taken = { type: "DIRECTORY", uid: 0, gid: 0 } as const;

  it("gives an owned one the owner and the ACL it had from the install", async () => {
    const { engine, host } = await install([{ path: "demo", owner: { user: "apps" } }]);
    host.script.world.paths.set(path, taken);
    expect((await settledTask(engine, (await engine.update("demo")).id)).result).toMatchObject({ repaired: [path] });
    const given = host.script.calls.flatMap(({ method, params }) => (method === "filesystem.setacl" ? [params] : []));
    expect(given).toHaveLength(2);
    expect(given[1]).toEqual(given[0]);
    expect(given[1]).toMatchObject({ path, uid: 568, gid: 568, acl: { acltype: "NFS4" } });
  });

  it("leaves one without an owner alone", async () => {
    const { engine, host } = await install([{ path: "demo" }]);
    host.script.world.paths.set(path, taken);
    const view = await settledTask(engine, (await engine.update("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED", result: { repaired: [] } });
    expect(host.script.world.paths.get(path)).toMatchObject({ uid: 0, gid: 0 });
  });
});
