import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
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

const DONE = "it has been done and must not run twice";

describe("rerun: refuse holds for links", () => {
  it("a link that was done is shown disabled and refused with its place, from the other app too", async () => {
    const { engine, install, remove } = await open();
    expect(await install("demo", { links: [LINK] })).toMatchObject({ children: [{ state: "COMPLETED" }] });
    remove("other");
    const incoming = { ...LINK, targets: ["demo"] };
    expect((await engine.form("other", "reinstall")).links).toMatchObject([
      { hookId: "connect", available: false, reason: DONE, targets: [{ appId: "demo", default: false }] },
    ]);
    await expect(engine.install("other", { links: [incoming] })).rejects.toMatchObject({
      code: "PAIRING_LINK_DONE",
      details: { problems: [{ path: ["links", 0, "hookId"] }] },
    });
    expect(await install("other")).toMatchObject({ state: "COMPLETED", children: [] });
  });

  it("a link of an app reinstalled on its data fails when its turn comes and does not run", async () => {
    const { store, install, remove } = await open();
    await install("demo", { links: [LINK] });
    remove("demo");
    const again = await install("demo", { links: [LINK] });
    const link = hookTask(again, "connect");
    expect(link).toMatchObject({ state: "FAILED", failure: { code: "TASK_RERUN_REFUSED", message: DONE } });
    expect(store.hookLog(link.id, 1)).toEqual([]);
  });

  it("a link of an app installed anew runs again", async () => {
    const { install, remove, wipe } = await open();
    await install("demo", { links: [LINK] });
    remove("demo");
    wipe();
    expect(await install("demo", { links: [LINK] })).toMatchObject({ children: [{ state: "COMPLETED" }] });
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
