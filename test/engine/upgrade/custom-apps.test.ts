/** Custom apps: their version, and how they come to a newer one (docs/decisions.md, section 4). */
import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

const hook = (id: string, events: readonly unknown[]) => ({
  id,
  title: id,
  events,
  entrypoint: "run",
  scriptContent: `export async function run(ctx) { ctx.log(ctx.fromVersion + " -> " + ctx.toVersion); }`,
});

/** A custom app of this version; its image goes with it. */
const demo = (version: string, script: Record<string, unknown> = {}, more: Record<string, unknown> = {}) => ({
  custom: true,
  metadata: { name: "Demo", description: "d", icon: "demo.svg", version },
  script: { version: "1.0.0", ...script },
  app_values: { image: `demo:${version}`, secret: "$RANDOM_STRING(12)" },
  hooks: [
    hook("before", [{ event: "onBeforeUpgrade", from: "<2", to: "^2" }]),
    hook("after", ["onAfterUpgrade"]),
    hook("not-due", [{ event: "onAfterUpgrade", from: ">=2" }]),
  ],
  ...more,
});

async function installed(script: Record<string, unknown>) {
  const world = await openWorld({
    catalog: { demo: script },
    host: { datasets: ["tank", "tank/apps"] },
  });
  const { engine, host } = world;
  await settledTask(engine, (await engine.install("demo")).id);
  const publish = async (files: Readonly<Record<string, unknown>>) => {
    world.write(files);
    await engine.syncCatalog();
  };
  const values = () => host.script.world.instances.get("demo")?.values ?? {};
  const methods = () => host.script.changes().map(({ method }) => method);
  return { world, engine, host, publish, values, methods };
}

describe("a custom app", () => {
  it("has the version of its metadata, not of the host's generic app", async () => {
    const { engine, publish } = await installed(demo("1.5.0"));
    expect((await engine.app("demo"))?.installed).toMatchObject({ version: "1.5.0", upgradeAvailable: false });
    await publish({ demo: demo("2.0.0", { version: "1.1.0" }) });
    const apps = await engine.apps();
    expect(apps[0]?.installed).toMatchObject({ version: "1.5.0", upgradeAvailable: true });
  });

  it("is upgraded by app.update with the values of its newer script, its hooks bound to both metadata versions", async () => {
    const { world, engine, host, publish, values, methods } = await installed(demo("1.5.0"));
    const { secret } = values();
    host.upgradeTarget = () => Promise.reject(new Error("the host's wrapper is not asked"));
    await publish({ demo: demo("2.0.0", { version: "1.1.0" }) });
    const { id } = await engine.upgrade("demo");
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ kind: "upgrade", state: "COMPLETED", result: { app: "upgraded" } });
    expect(view.result).toMatchObject({ done: ["app.update", "before", "after"], notDone: [] });
    expect(values()).toEqual({ image: "demo:2.0.0", secret });
    expect(methods()).toEqual(["app.create", "app.update"]);
    expect(world.store.hookLog(hookTask(view, "before").id, 1)[0]?.line).toBe("1.5.0 -> 2.0.0");
    expect((await engine.app("demo"))?.installed).toMatchObject({ version: "2.0.0", upgradeAvailable: false });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
  });

  it("moves to the newest script that admits the installed one, then on to the next", async () => {
    const { engine, publish, values } = await installed(demo("1.0.0"));
    await publish({
      demo: demo("3.0.0", { version: "3.0.0", updateCompatibility: "^2" }),
      "demo@2.json": JSON.stringify(rawScript(demo("2.0.0", { version: "2.0.0", updateCompatibility: "^1" }))),
    });
    await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(values()).toMatchObject({ image: "demo:2.0.0" });
    await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(values()).toMatchObject({ image: "demo:3.0.0" });
  });

  it("is refused its upgrade without a word of a password that its newer script puts where it does not fit", async () => {
    const password = { question: "Password?", type: "password", key: "password", default: "old-swordfish" };
    const { world, engine, publish } = await installed(demo("1.5.0", {}, { installation_questions: [password] }));
    const options = [{ text: "One", value: "one" }];
    const select = { question: "Which?", type: "select", key: "which", options, default: "$QUESTION(password)" };
    await publish({ demo: demo("2.0.0", { version: "1.1.0" }, { installation_questions: [password, select] }) });
    const refused = async (task: Promise<unknown>) =>
      task.then(JSON.stringify, (error: Error) => `${error.message} ${JSON.stringify(error)}`);
    const said = [
      JSON.stringify(await engine.previewUpgradeAll()),
      await refused(engine.upgradeAll()),
      await refused(engine.upgrade("demo")),
      await refused(engine.update("demo")),
    ];
    for (const text of said) expect(text).toContain("is not an option");
    expect([...said, ...world.log].join("\n")).not.toContain("swordfish");
  });

  it.each([
    ["the installed script is the newest", demo("1.5.0")],
    ["no newer script admits the installed one", demo("3.0.0", { version: "3.0.0" })],
    ["the newer script has an older version of the app", demo("1.4.0", { version: "1.1.0" })],
    ["the script there is older", demo("1.6.0", { version: "0.9.0", updateCompatibility: "*" })],
  ])("has no upgrade where %s", async (_, script) => {
    const { engine, publish } = await installed(demo("1.5.0"));
    await publish({ demo: script });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "HOST_UPGRADE_NONE" });
  });

  it("whose newer script asks what nobody has answered is refused an upgrade with what helps: an update", async () => {
    const { engine, publish, values } = await installed(demo("1.5.0"));
    const asking = {
      installation_questions: [{ question: "Team?", type: "text", key: "team", required: true }],
      app_values: { image: "demo:2.0.0", team: "$QUESTION(team)" },
    };
    await publish({ demo: demo("2.0.0", { version: "1.1.0" }, asking) });
    const hint = expect.stringContaining("with an update");
    await expect(engine.upgrade("demo")).rejects.toMatchObject({
      code: "ANSWER_REQUIRED",
      details: { problems: [{ path: ["answers", "team"], hint }] },
    });
    await settledTask(engine, (await engine.update("demo", { answers: { team: "red" } })).id);
    expect(values()).toMatchObject({ image: "demo:2.0.0", team: "red" });
    expect((await engine.app("demo"))?.installed).toMatchObject({ version: "2.0.0", upgradeAvailable: false });
  });

  it("that was installed by other means is upgraded too; hooks bound to the version departed do not fire", async () => {
    const { engine, world, values } = await installed(demo("1.0.0"));
    world.store.keepSettings("demo", { scriptVersion: null, metadataVersion: null, answers: null });
    world.write({ demo: demo("2.0.0", { version: "7.0.0" }) });
    await engine.syncCatalog();
    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ hookId: "after" }] });
    expect(values()).toMatchObject({ image: "demo:2.0.0" });
  });

  it("gets the directories its new values need before its hooks", async () => {
    const { engine, host, publish, methods } = await installed(demo("1.5.0"));
    const directories = {
      requirements: { locations: ["ApplicationsPerformance"] },
      ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo", snapshot: { id: "data" } }],
    };
    await publish({ demo: demo("2.0.0", { version: "1.1.0" }, directories) });
    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED", result: { directories: ["/mnt/tank/apps/demo"] } });
    expect(methods()).toEqual(["app.create", "pool.dataset.create", "app.update"]);
    expect(host.script.world.datasets.has("tank/apps/demo")).toBe(true);
  });

  it("whose update the host fails keeps its version, and a retry upgrades it", async () => {
    const { engine, host, publish, values } = await installed(demo("1.5.0"));
    await publish({ demo: demo("2.0.0", { version: "1.1.0" }) });
    host.script.endJob("app.update", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.upgrade("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED", failure: { message: "[EFAULT] no" } });
    expect((await engine.app("demo"))?.installed).toMatchObject({ version: "1.5.0" });
    await engine.retry(id);
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    expect(values()).toMatchObject({ image: "demo:2.0.0" });
  });

  it("whose engine dies during its update is updated once", async () => {
    const { world, engine, host, publish, methods } = await installed(demo("1.5.0"));
    await publish({ demo: demo("2.0.0", { version: "1.1.0" }) });
    const release = host.script.hold("app.update");
    const { id } = await engine.upgrade("demo");
    await expect.poll(methods).toContain("app.update");
    const { engine: next } = await world.crash();
    release();
    expect((await settledTask(next, id)).state).toBe("COMPLETED");
    expect(methods()).toEqual(["app.create", "app.update"]);
    expect((await next.app("demo"))?.installed).toMatchObject({ version: "2.0.0" });
  });
});
