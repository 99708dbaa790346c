/** The letter, row 2: an upgrade that does not come up. */
import { describe, expect } from "vitest";
import type { TaskView } from "../../src/engine/api.ts";
import { installOldDemo, OWNED } from "../engine/upgrade/old-demo.ts";
import { it } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { faultOf } from "../support/engine/scripted-world.ts";

const PATH = "/mnt/tank/apps/demo";
const AFTER = { id: "after", title: "After", events: ["onAfterUpgrade"], entrypoint: "run" };
const SCRIPT = { ...OWNED, hooks: [{ ...AFTER, scriptContent: "export async function run(ctx) {}" }] };

/** A new version that takes the directory for itself and crashes, as often as told. */
async function openCrashing(crashes: number) {
  const old = await installOldDemo(SCRIPT);
  const { engine, host } = old;
  const { paths } = host.script.world;
  const { startJob, app } = host;
  let left = crashes;
  const sent: string[] = [];
  host.startJob = (call, requestId) => {
    if (call.method !== "upgradeApp" && call.method !== "startApp" && call.method !== "setOwner")
      return startJob(call, requestId);
    sent.push(call.method);
    return startJob(call, requestId);
  };
  host.app = async (name) => {
    const live = await app(name);
    if (live === null || live.version !== "2.0.0" || live.state === "CRASHED" || left === 0) return live;
    left -= 1;
    paths.set(PATH, { type: "DIRECTORY", uid: 0, gid: 0 });
    host.script.setAppState(name, "CRASHED");
    return app(name);
  };
  const { id } = await engine.upgrade("demo");
  return { ...old, id, sent, view: await settledTask(engine, id) };
}

const ranHooks = ({ children }: TaskView) => children.map(({ hookId, state }) => [hookId, state]);

describe("An upgrade that does not come up", () => {
  it("has its owners repaired before it is started once more, then runs its hooks", async () => {
    const { view, sent, host } = await openCrashing(1);
    expect(view).toMatchObject({ state: "COMPLETED", marks: [], result: { repaired: [PATH] } });
    expect(sent).toEqual(["upgradeApp", "setOwner", "startApp"]);
    expect(host.script.world.paths.get(PATH)).toMatchObject({ uid: 568, gid: 568 });
    expect(ranHooks(view)).toEqual([["after", "COMPLETED"]]);
  });

  it("fails if it still does not run, and no hook has met it; every Retry repairs before it starts", async () => {
    const { view, sent, id, engine } = await openCrashing(3);
    expect(view).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_APP_NOT_RUNNING" },
      commands: ["retry", "skip", "rollback", "cancel", "dismiss"],
    });
    expect(ranHooks(view)).toEqual([["after", "PENDING"]]);
    for (const state of ["FAILED", "COMPLETED"]) {
      sent.length = 0;
      await engine.retry(id);
      const next = await settledTask(engine, id);
      expect(next.state).toBe(state);
      expect(sent).toEqual(["setOwner", "startApp"]);
    }
    expect(ranHooks(await settledTask(engine, id))).toEqual([["after", "COMPLETED"]]);
  });

  it("runs its hooks after Skip, with a mark", async () => {
    const { engine, id } = await openCrashing(2);
    await engine.skip(id);
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "COMPLETED", marks: ["notRunning: CRASHED"] });
    expect(ranHooks(view)).toEqual([["after", "COMPLETED"]]);
  });

  it("fails with the host's own reason if it can't be started, and offers the same", async () => {
    const { engine, host } = await installOldDemo(SCRIPT);
    host.script.world.deployingFor = 1e6;
    host.script.endJob("app.start", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.upgrade("demo");
    await expect.poll(() => engine.task(id)?.waitingFor?.kind).toBe("app");
    host.script.setAppState("demo", "CRASHED");
    const failed = await settledTask(engine, id);
    expect(failed).toMatchObject({ state: "FAILED", failure: { message: "[EFAULT] no" } });
    expect(failed.commands).toEqual(["retry", "skip", "rollback", "cancel", "dismiss"]);
    host.script.world.deployingFor = 0;
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  });
});
