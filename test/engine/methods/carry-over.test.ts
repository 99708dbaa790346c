import { describe, expect } from "vitest";
import type { TaskView } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const question = (id: string, key: string) => ({
  type: "question",
  id,
  question: { question: "Which?", type: "password", key, required: true },
});
const READS = `export async function run(ctx) { ctx.log(ctx.getInput("token") === "from-sign-in" ? "read" : "other"); }`;
const FAILS_ON = `export async function run(ctx) { if (ctx.getInput("token") === "wrong") ctx.fail("no"); }`;
const signIn = (changes: Record<string, unknown> = {}) =>
  rawHook({
    id: "sign-in",
    events: ["onAfterInstall", "userAction"],
    inputs: [question("token", "account-token")],
    scriptContent: FAILS_ON,
    ...changes,
  });
const pressed = (changes: Record<string, unknown> = {}) =>
  rawHook({ id: "pressed", requiresHooks: ["sign-in"], scriptContent: READS, ...changes });

const INPUTS = { inputs: { "sign-in": { token: "from-sign-in" } } };

/** "demo" with these hooks, installed with what its sign-in asks for. */
async function installed(hooks: readonly unknown[], more: Record<string, unknown> = {}) {
  const world = await openWorld({ catalog: { demo: { hooks, ...more }, other: {} } });
  const view = await settledTask(world.engine, (await world.engine.install("demo", INPUTS)).id);
  expect(view.state).toBe("COMPLETED");
  return { ...world, view };
}

async function press({ engine }: EngineWorld, hookId = "pressed", inputs?: Record<string, string>): Promise<TaskView> {
  const { id } = await engine.runAction("demo", hookId, inputs && { inputs });
  return settledTask(engine, id);
}

const logged = ({ store }: EngineWorld, { id }: TaskView) => store.hookLog(id, 5).map(({ line }) => line);

/** Issue "To the letter", row 8. */
describe("inputs of required hooks", () => {
  it("can be read by their id where the hook does not declare them, as validate says", async () => {
    const world = await installed([
      signIn(),
      { ...pressed(), id: "second", events: ["onAfterInstall"], rerun: undefined },
    ]);
    expect(logged(world, hookTask(world.view, "second"))).toEqual(["read"]);
  });

  it("can be read by their question key too", async () => {
    const scriptContent = READS.replace("token", "account-token");
    const world = await installed([
      signIn(),
      { ...pressed({ scriptContent }), id: "second", events: ["onAfterInstall"], rerun: undefined },
    ]);
    expect(logged(world, hookTask(world.view, "second"))).toEqual(["read"]);
  });

  it.each([
    ["undeclared", { inputs: [] }],
    ["of an equal input id", { inputs: [question("token", "other")] }],
    [
      "of an equal question key",
      { inputs: [question("mine", "account-token")], scriptContent: READS.replace("token", "mine") },
    ],
  ])("are found by a hook pressed later, so that nobody is asked twice: %s", async (_, changes) => {
    const world = await installed([signIn(), pressed(changes)]);
    const view = await press(world);
    expect([view.state, logged(world, view)]).toEqual(["COMPLETED", ["read"]]);
  });

  it("are those of the last completed run: one that failed since hands nothing over", async () => {
    const world = await installed([signIn(), pressed()]);
    const failed = await press(world, "sign-in", { token: "wrong" });
    expect(failed.state).toBe("AWAITING_RETRY");
    expect(logged(world, await press(world))).toEqual(["read"]);
    await world.engine.cancel(failed.id);
    await press(world, "sign-in", { token: "another" });
    expect(logged(world, await press(world))).toEqual(["other"]);
  });

  it("outlive a restart, and what is kept of old tasks", async () => {
    const { store, restart } = await installed([signIn(), pressed()]);
    expect(store.pruneEndedTasks(0)).toBe(1);
    const restarted = await restart();
    expect(logged(restarted, await press(restarted))).toEqual(["read"]);
  });

  it("of an installation before this one are asked again", async () => {
    const world = await installed([signIn(), pressed({ inputs: [question("token", "t")] })]);
    const { engine, host } = world;
    host.script.world.instances.delete("demo");
    const { id } = await engine.install("demo");
    const waiting = await settledTask(engine, id);
    expect(hookTask(waiting, "sign-in").state).toBe("AWAITING_INPUT");
    await engine.skip(hookTask(waiting, "sign-in").id);
    await settledTask(engine, id);
    expect((await press(world)).state).toBe("AWAITING_INPUT");
  });

  it("are found after a reinstall on the same data, and not after one on new data", async () => {
    const requirements = { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] };
    const data = [{ path: "$LOCATION(ApplicationsPerformance)/demo" }];
    const hooks = [signIn(), pressed({ inputs: [question("token", "t")] })];
    const world = await installed(hooks, { requirements, ensure_directories_exists: data });
    const { engine, host } = world;
    const reinstall = async () => {
      host.script.world.instances.delete("demo");
      const { id } = await engine.install("demo");
      await engine.skip(hookTask(await settledTask(engine, id), "sign-in").id);
      await settledTask(engine, id);
    };
    await reinstall();
    expect(logged(world, await press(world))).toEqual(["read"]);
    host.script.world.paths.delete("/mnt/tank/apps/demo");
    await reinstall();
    expect((await press(world)).state).toBe("AWAITING_INPUT");
  });

  it("are found by a link of another app's install", async () => {
    const link = rawHook({ ...pressed(), id: "link", conditions: [on("other")] });
    const world = await installed([signIn(), link]);
    const { engine } = world;
    const links = [{ hookId: "link", runsOnAppId: "demo", targets: ["demo"] }];
    const view = await settledTask(engine, (await engine.install("other", { links })).id);
    expect(logged(world, hookTask(view, "link"))).toEqual(["read"]);
  });

  it("are not in the log, the events or the view of who reads them", async () => {
    const world = await installed([
      signIn(),
      pressed({ scriptContent: `export async function run(ctx) { ctx.log(ctx.inputs.token); }` }),
    ]);
    const view = await press(world);
    expect(logged(world, view)).toEqual(["********"]);
    expect(JSON.stringify([view, world.store.logAfter(0, 1000), world.log])).not.toContain("from-sign-in");
  });
});
