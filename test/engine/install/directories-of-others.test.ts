/** Directories that are there before an install, and that another app uses. */
import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, faultOf } from "../../support/engine/scripted-world.ts";

const APPS = "$LOCATION(ApplicationsPerformance)";
const PATH = "/mnt/tank/apps/victim/data";
const requirements = { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] };
const VICTIM = { requirements, ensure_directories_exists: [{ path: `${APPS}/victim/data`, owner: { user: "apps" } }] };
/** Names the directory of the other app as its own. */
const DEMO = {
  requirements,
  ensure_directories_exists: [
    { path: `${APPS}/victim/data`, owner: { user: "www-data" }, network_share: true },
    { path: `${APPS}/demo`, owner: { user: "www-data" } },
  ],
};

const openBoth = () =>
  openWorld({ catalog: { victim: VICTIM, demo: DEMO }, host: { datasets: ["tank", "tank/apps", "tank/media"] } });
const install = async ({ engine }: EngineWorld, appId: string) => settledTask(engine, (await engine.install(appId)).id);
const ownerOf = ({ host }: EngineWorld, path: string) => host.script.world.paths.get(path)?.uid;

describe("an install's directories that another app uses", () => {
  it("an install's directories that another app uses keep owner, ACL and privacy", async () => {
    const world = await openBoth();
    await install(world, "victim");
    const { uid } = { ...world.host.script.world.paths.get(PATH) };
    const acl = world.host.script.world.acls.get(PATH);
    const { advice } = await world.engine.preview("demo", {});
    const task = await install(world, "demo");
    expect(task).toMatchObject({ state: "COMPLETED", result: { directories: ["/mnt/tank/apps/demo"] } });
    expect(ownerOf(world, PATH)).toBe(uid);
    expect(world.host.script.world.acls.get(PATH)).toEqual(acl);
    expect(await world.host.shares()).toEqual([]);
    expect(task.remarks.map(({ text }) => text)).toEqual([
      `"${PATH}" keeps its owner and rights: "VICTIM" names it in its script`,
      `"${PATH}" is not shared on the network: "VICTIM" names it in its script`,
    ]);
    // The preview has said so.
    expect(advice.filter(({ code }) => code === "HOST_STEP_OMITTED").map(({ message }) => message)).toEqual(
      task.remarks.map(({ text }) => text),
    );
    // Its own gets what it declares.
    expect(ownerOf(world, "/mnt/tank/apps/demo")).toBe(33);
  });

  it("are not taken by an update either", async () => {
    const world = await openBoth();
    await install(world, "victim");
    await install(world, "demo");
    const uid = ownerOf(world, PATH);
    const task = await settledTask(world.engine, (await world.engine.update("demo", {})).id);
    expect(task.state).toBe("COMPLETED");
    expect(ownerOf(world, PATH)).toBe(uid);
    expect(JSON.stringify(task.marks)).toContain("keeps its owner and rights");
  });

  it("get their owner where nobody uses them, though the host is silent for once when it is asked who does", async () => {
    let silences = 0;
    for (let silent = 0, isLast = false; !isLast; silent += 1) {
      const world = await openBoth();
      addDirectory(world.host.script.world, "/mnt/tank/apps/victim");
      addDirectory(world.host.script.world, PATH);
      let asked = 0;
      const apps = world.host.apps.bind(world.host);
      Object.assign(world.host, {
        apps: async () => {
          asked += 1;
          if (asked === silent + 1) throw new HostError(faultOf("HOST_APPS_UNAVAILABLE", "starting"), "yes");
          return apps();
        },
      });
      const task = await install(world, "victim").catch((error: unknown) => {
        expect(error).toMatchObject({ code: "HOST_APPS_UNAVAILABLE" });
        return null;
      });
      isLast = asked <= silent;
      if (task === null || isLast) continue;
      silences += 1;
      expect(task).toMatchObject({ state: "COMPLETED", marks: [`posixAcl: ${PATH}`] });
      expect(ownerOf(world, PATH)).toBe(568);
    }
    expect(silences).toBeGreaterThan(0);
  });

  it("get their owner in a reinstall of the app they were made for", async () => {
    const world = await openBoth();
    await install(world, "victim");
    await settledTask(world.engine, (await world.engine.uninstall("victim")).id);
    const wanted = ownerOf(world, PATH);
    addDirectory(world.host.script.world, PATH);
    expect(ownerOf(world, PATH)).toBe(0);
    const task = await install(world, "victim");
    expect(task).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(ownerOf(world, PATH)).toBe(wanted);
  });
});
