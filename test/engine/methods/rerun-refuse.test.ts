import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";

const RUN = { rerun: "refuse", entrypoint: "run", scriptContent: `export async function run(ctx) { ctx.log("ran"); }` };
const CONNECT = {
  id: "connect",
  title: "Connect",
  conditions: [{ role: "visibility", type: "appInstalled", app: "other" }],
  ...RUN,
};
const DATA = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo", network_share: true }],
};
const LINK = { hookId: "connect", runsOnAppId: "demo", targets: ["other"] };

async function open() {
  const world = await openWorld({
    catalog: { demo: { ...DATA, hooks: [CONNECT, { id: "seed", title: "Seed", ...RUN }] }, other: {} },
    host: { datasets: ["tank", "tank/apps"], deployingFor: 0 },
  });
  const { engine, host } = world;
  await settledTask(engine, (await engine.install("other")).id);
  return {
    ...world,
    install: async (appId: string, request = {}) => settledTask(engine, (await engine.install(appId, request)).id),
    press: async () => settledTask(engine, (await engine.runAction("demo", "seed")).id),
    remove: (appId: string) => void host.script.world.instances.delete(appId),
    wipe() {
      host.script.world.datasets.delete("tank/apps/demo");
      host.script.world.paths.delete("/mnt/tank/apps/demo");
      host.script.world.shares.splice(0);
    },
  };
}

describe("rerun: refuse counts, for a link, since the last install of either app:", () => {
  it("a link is made again where the other app is installed again", async () => {
    const { engine, install, remove } = await open();
    expect(await install("demo", { links: [LINK] })).toMatchObject({ children: [{ state: "COMPLETED" }] });
    remove("other");
    const incoming = { ...LINK, targets: ["demo"] };
    expect((await engine.form("other", "reinstall")).links).toMatchObject([
      { hookId: "connect", available: true, targets: [{ appId: "demo", default: true }] },
    ]);
    expect(await install("other", { links: [incoming] })).toMatchObject({ children: [{ state: "COMPLETED" }] });
  });

  it("a link of an app that is installed again, on its data too, is made again", async () => {
    const { install, remove } = await open();
    await install("demo", { links: [LINK] });
    remove("demo");
    expect(await install("demo", { links: [LINK] })).toMatchObject({ children: [{ state: "COMPLETED" }] });
  });

  it("a press after it is refused: the hook has run since its app was installed", async () => {
    const { engine, install } = await open();
    await install("demo", { links: [LINK] });
    await expect(engine.runAction("demo", "connect")).rejects.toMatchObject({ code: "ACTION_UNAVAILABLE" });
  });
});

describe("rerun: refuse over reinstalls", () => {
  it("counts completed runs of an installation that kept its data, not of one on new data", async () => {
    const { engine, install, press, remove, wipe } = await open();
    await install("demo");
    expect(await press()).toMatchObject({ state: "COMPLETED" });
    await expect(press()).rejects.toMatchObject({ code: "ACTION_UNAVAILABLE" });
    remove("demo");
    await install("demo");
    await expect(press()).rejects.toMatchObject({ code: "ACTION_UNAVAILABLE" });
    expect(await engine.actions("demo", "card")).toMatchObject([{}, { hookId: "seed", state: "disabled" }]);
    remove("demo");
    wipe();
    await install("demo");
    expect(await press()).toMatchObject({ state: "COMPLETED" });
  });

  it("does not take what a failed attempt of an install made for data of an earlier one", async () => {
    const { engine, host, install, press, remove, wipe } = await open();
    await install("demo");
    await press();
    remove("demo");
    wipe();
    const failed = faultOf("HOST_CALL_FAILED", "[EFAULT] no");
    host.script.refuse("sharing.smb.create", failed);
    const first = await install("demo");
    expect(first.state).toBe("FAILED");
    host.script.refuse("sharing.smb.create", failed);
    await engine.retry(first.id);
    expect((await settledTask(engine, first.id)).state).toBe("FAILED");
    await engine.dismiss(first.id);
    expect(await install("demo")).toMatchObject({ state: "COMPLETED" });
    expect(await press()).toMatchObject({ state: "COMPLETED" });
    remove("demo");
    await install("demo");
    await expect(press()).rejects.toMatchObject({ code: "ACTION_UNAVAILABLE" });
  });
});
