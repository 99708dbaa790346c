import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Notification } from "../../src/engine/ports/environment.ts";
import { createEngineWorld, createTestSandbox, type EngineWorld, settledTask } from "../support/engine-world.ts";

const sandbox = createTestSandbox();
afterAll(() => sandbox.close());

let world: EngineWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const on = (app: string) => ({ role: "visibility", type: "appInstalled", app });
const link = (changes: Record<string, unknown> = {}) => ({
  id: "connect",
  title: "Connect",
  rerun: "converge",
  entrypoint: "run",
  conditions: [on("other")],
  scriptContent: `export async function run(ctx) { ctx.log(String(await ctx.getInstalledAppUrl("other"))); }`,
  ...changes,
});
const withPort = (port: number) => ({
  app_values: { network: { web_port: { bind_mode: "published", port_number: port } } },
});

async function create(hooks: readonly unknown[], engine: Record<string, unknown> = {}, host = {}) {
  const told: Notification[] = [];
  world = await createEngineWorld({
    catalog: { demo: { hooks }, other: withPort(9000), third: {} },
    engine: { sandbox, onNotification: (notification) => void told.push(notification), ...engine },
    host,
  });
  return { ...world, told };
}

const SELECTED = { hookId: "connect", runsOnAppId: "demo", targets: ["other"] };

describe("an install with links", () => {
  it("runs the link after the hooks, once, and notifies of every target that was linked", async () => {
    const { engine, store, told } = await create([link({ conditions: [on("other"), on("third")] })]);
    for (const app of ["other", "third"]) await settledTask(engine, (await engine.install(app)).id);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, targets: ["other", "third"] }] });
    const view = await settledTask(engine, id);
    const [child] = view.children;
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ kind: "link", state: "COMPLETED", appId: "demo" }] });
    expect(store.hookLog(child?.id ?? "", 5).map(({ line }) => line)).toEqual(["http://127.0.0.1:9000"]);
    expect(told).toEqual(
      ["other", "third"].map((target) => ({
        type: "pairing.linked",
        runsOnAppId: "demo",
        hookId: "connect",
        target,
        taskId: child?.id,
      })),
    );
  });

  it("installs a missing target first, as a child task, with the answers given for it", async () => {
    const { engine, host, told } = await create([link()]);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, install: { other: {} } }] });
    const view = await settledTask(engine, id);
    expect(view.children.map(({ kind, appId, state }) => [kind, appId, state])).toEqual([
      ["install", "other", "COMPLETED"],
      ["link", "demo", "COMPLETED"],
    ]);
    expect(host.script.world.instances.has("other")).toBe(true);
    expect(told).toHaveLength(1);
  });

  it("stays COMPLETED when a link fails: the link is FAILED, the next ones run", async () => {
    const fails = `export async function run(ctx) { ctx.fail("no"); }`;
    const { engine, told } = await create([link({ id: "bad", scriptContent: fails, retries: 1 }), link()]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, hookId: "bad" }, SELECTED] });
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.children.map(({ hookId, state }) => [hookId, state])).toEqual([
      ["bad", "FAILED"],
      ["connect", "COMPLETED"],
    ]);
    expect(told.map(({ hookId }) => hookId)).toEqual(["connect"]);
  });

  it("gives up a link whose target does not come up in time", async () => {
    const { engine, host } = await create([link()], { timing: { linkStart: 50 } });
    await settledTask(engine, (await engine.install("other")).id);
    host.script.setAppState("other", "STOPPED");
    const { id } = await engine.install("demo", { links: [SELECTED] });
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({
      state: "COMPLETED",
      children: [{ state: "FAILED", failure: { code: "TASK_LINK_NOT_STARTED" } }],
    });
    host.script.setAppState("other", "RUNNING");
    await engine.retry(view.children[0]?.id ?? "");
    expect((await settledTask(engine, id)).children[0]?.state).toBe("COMPLETED");
  });

  it.each([
    ["an unknown hook", { ...SELECTED, hookId: "none" }, "PAIRING_LINK_UNKNOWN"],
    ["a target the hook does not name", { ...SELECTED, targets: ["third"] }, "PAIRING_TARGET_UNKNOWN"],
    ["no target", { ...SELECTED, targets: [] }, "PAIRING_TARGET_LIMIT"],
  ])("is rejected whole for %s", async (_, selected, code) => {
    const { engine, host } = await create([link()]);
    await expect(engine.install("demo", { links: [selected] })).rejects.toMatchObject({ code });
    expect(engine.tasks()).toEqual([]);
    expect(host.script.changes()).toEqual([]);
  });
});
