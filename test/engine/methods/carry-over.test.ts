import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { TaskView } from "../../../src/engine/api.ts";
import {
  createEngineWorld,
  createTestSandbox,
  type EngineWorld,
  hookTask,
  settledTask,
} from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const sandbox = createTestSandbox();
afterAll(() => sandbox.close());

let opened: EngineWorld | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

function world(): EngineWorld {
  if (opened === null) throw new Error("no world is open");
  return opened;
}

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

async function open(hooks: readonly unknown[], more: Record<string, unknown> = {}) {
  opened = await createEngineWorld({ catalog: { demo: { hooks }, ...more }, engine: { sandbox } });
}

const INPUTS = { inputs: { "sign-in": { token: "from-sign-in" } } };

/** Installs "demo" with what its sign-in asks for. */
async function install(): Promise<TaskView> {
  const { engine } = world();
  const view = await settledTask(engine, (await engine.install("demo", INPUTS)).id);
  expect(view.state).toBe("COMPLETED");
  return view;
}

async function press(hookId = "pressed", inputs?: Record<string, string>): Promise<TaskView> {
  const { engine } = world();
  const { id } = await engine.runAction("demo", hookId, inputs && { inputs });
  return settledTask(engine, id);
}

const logged = ({ id }: TaskView) =>
  world()
    .store.hookLog(id, 5)
    .map(({ line }) => line);

/** Issue "To the letter", row 8. */
describe("inputs of required hooks", () => {
  it("can be read by their id where the hook does not declare them, as validate says", async () => {
    await open([signIn(), { ...pressed(), id: "second", events: ["onAfterInstall"], rerun: undefined }]);
    expect(logged(hookTask(await install(), "second"))).toEqual(["read"]);
  });

  it("can be read by their question key too", async () => {
    const scriptContent = READS.replace("token", "account-token");
    await open([
      signIn(),
      { ...pressed({ scriptContent }), id: "second", events: ["onAfterInstall"], rerun: undefined },
    ]);
    expect(logged(hookTask(await install(), "second"))).toEqual(["read"]);
  });

  it.each([
    ["undeclared", { inputs: [] }],
    ["of an equal input id", { inputs: [question("token", "other")] }],
    [
      "of an equal question key",
      { inputs: [question("mine", "account-token")], scriptContent: READS.replace("token", "mine") },
    ],
  ])("are found by a hook pressed later, so that nobody is asked twice: %s", async (_, changes) => {
    await open([signIn(), pressed(changes)]);
    await install();
    const view = await press();
    expect([view.state, logged(view)]).toEqual(["COMPLETED", ["read"]]);
  });

  it("are those of the last completed run: one that failed since hands nothing over", async () => {
    await open([signIn(), pressed()]);
    await install();
    expect((await press("sign-in", { token: "wrong" })).state).toBe("AWAITING_RETRY");
    expect(logged(await press())).toEqual(["read"]);
    const failed = world()
      .engine.tasks()
      .find(({ hookId, state }) => hookId === "sign-in" && state !== "COMPLETED");
    await world().engine.cancel(failed?.id ?? "");
    await press("sign-in", { token: "another" });
    expect(logged(await press())).toEqual(["other"]);
  });

  it("outlive a restart, and what is kept of old tasks", async () => {
    await open([signIn(), pressed()]);
    await install();
    expect(world().store.pruneEndedTasks(0)).toBe(1);
    opened = await world().restart();
    expect(logged(await press())).toEqual(["read"]);
  });

  it("of an installation before this one are asked again", async () => {
    await open([signIn(), pressed({ inputs: [question("token", "t")] })]);
    await install();
    world().host.script.world.instances.delete("demo");
    const { engine } = world();
    const { id } = await engine.install("demo");
    const waiting = await settledTask(engine, id);
    expect(hookTask(waiting, "sign-in").state).toBe("AWAITING_INPUT");
    await engine.skip(hookTask(waiting, "sign-in").id);
    await settledTask(engine, id);
    expect((await press()).state).toBe("AWAITING_INPUT");
  });

  it("are found after a reinstall on the same data, and not after one on new data", async () => {
    const requirements = { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] };
    const data = [{ path: "$LOCATION(ApplicationsPerformance)/demo" }];
    const hooks = [signIn(), pressed({ inputs: [question("token", "t")] })];
    opened = await createEngineWorld({
      catalog: { demo: { requirements, ensure_directories_exists: data, hooks } },
      engine: { sandbox },
    });
    await install();
    const { engine, host } = world();
    const reinstall = async () => {
      host.script.world.instances.delete("demo");
      const { id } = await engine.install("demo");
      await engine.skip(hookTask(await settledTask(engine, id), "sign-in").id);
      await settledTask(engine, id);
    };
    await reinstall();
    expect(logged(await press())).toEqual(["read"]);
    host.script.world.paths.delete("/mnt/tank/apps/demo");
    await reinstall();
    expect((await press()).state).toBe("AWAITING_INPUT");
  });

  it("are found by a link of another app's install", async () => {
    const link = rawHook({ ...pressed(), id: "link", conditions: [on("other")] });
    await open([signIn(), link], { other: {} });
    await install();
    const { engine } = world();
    const links = [{ hookId: "link", runsOnAppId: "demo", targets: ["demo"] }];
    const view = await settledTask(engine, (await engine.install("other", { links })).id);
    expect(logged(hookTask(view, "link"))).toEqual(["read"]);
  });

  it("are not in the log, the events or the view of who reads them", async () => {
    await open([signIn(), pressed({ scriptContent: `export async function run(ctx) { ctx.log(ctx.inputs.token); }` })]);
    await install();
    const view = await press();
    expect(logged(view)).toEqual(["********"]);
    expect(JSON.stringify([view, world().store.logAfter(0, 1000), world().log])).not.toContain("from-sign-in");
  });
});
