import { describe, expect } from "vitest";
import type { PairingLinked } from "../../../src/engine/ports/environment.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, hookTask, settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";

const RAN = `export async function run(ctx) { ctx.log("ran"); }`;
const NEVER = { role: "availability", type: "capabilityPresent", capability: "gpu" };
const installed = (app: string) => ({ role: "visibility", type: "appInstalled", app });
const running = (app: string) => ({ role: "availability", type: "appRunning", app });

const gated = (event: string, more: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: [event],
  entrypoint: "run",
  scriptContent: RAN,
  conditions: [NEVER],
  ...more,
});

const connect = (conditions: readonly unknown[], more: Record<string, unknown> = {}) => ({
  id: "connect",
  title: "Connect",
  rerun: "converge",
  entrypoint: "run",
  scriptContent: RAN,
  conditions,
  ...more,
});

const SELECTED = { hookId: "connect", runsOnAppId: "demo", targets: ["other"] };

async function open(hooks: readonly unknown[], timing: Record<string, number> = {}) {
  const told: PairingLinked[] = [];
  const world = await openWorld({
    catalog: { demo: { hooks }, other: {} },
    engine: { timing, onNotification: (news) => void (news.type === "pairing.linked" && told.push(news)) },
    host: { deployingFor: 0 },
  });
  return { ...world, told };
}

async function makeUpgradable({ engine, host }: EngineWorld) {
  await settledTask(engine, (await engine.install("demo")).id);
  host.script.setApp("demo", { version: "1.0.0", upgradeAvailable: true });
}

describe("Conditions fail closed for lifecycle hooks and links too", () => {
  it.each(["onBeforeInstall", "onAfterInstall", "onBeforeUpgrade", "onAfterUpgrade"])(
    "an %s hook whose condition does not hold ends SKIPPED with the reason and never runs",
    async (event) => {
      const world = await open([gated(event)]);
      const { engine, store } = world;
      const isUpgrade = event.endsWith("Upgrade");
      if (isUpgrade) await makeUpgradable(world);
      const { id } = isUpgrade ? await engine.upgrade("demo") : await engine.install("demo");
      const view = await settledTask(engine, id);
      const hook = hookTask(view, "setup");
      expect(hook).toMatchObject({
        state: "SKIPPED",
        marks: ["conditionNotMet: setup"],
        failure: { code: "TASK_CONDITION_NOT_MET", message: 'the condition "capabilityPresent" can\'t be checked yet' },
      });
      expect(store.hookLog(hook.id, 5)).toEqual([]);
      expect(view).toMatchObject({ state: "COMPLETED", marks: ["conditionNotMet: setup"] });
    },
  );

  it("an optional hook whose condition does not hold is skipped without a mark", async () => {
    const { engine } = await open([gated("onAfterInstall", { optional: true })]);
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(hookTask(view, "setup")).toMatchObject({ state: "SKIPPED", marks: [] });
    expect(view).toMatchObject({ state: "COMPLETED", marks: [] });
  });

  it("a hook is judged when its turn comes, not when the install is asked for", async () => {
    const { engine, store, host } = await open([
      gated("onAfterInstall", { conditions: [running("demo")] }),
      gated("onAfterInstall", { id: "late", conditions: [installed("demo"), running("demo")] }),
    ]);
    const release = host.script.hold("app.create");
    const { id } = await engine.install("demo");
    release();
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ state: "COMPLETED" }, { state: "COMPLETED" }] });
    expect(store.hookLog(hookTask(view, "late").id, 5)).toHaveLength(1);
  });

  it("a hook that was being judged when the engine died is judged again, and runs only where it may", async () => {
    const question = { question: "Go on?", type: "text", key: "go", required: true };
    const { engine, host, crash } = await open([
      gated("onAfterInstall", { id: "ask", conditions: [], inputs: [{ type: "question", id: "go", question }] }),
      gated("onAfterInstall", { conditions: [running("demo")] }),
    ]);
    const { id } = await engine.install("demo");
    const asks = hookTask(await settledTask(engine, id), "ask");
    for (let call = 0; call < 50; call += 1) {
      host.script.refuse("app.query", faultOf("HOST_UNREACHABLE", "no route"), "no");
    }
    await engine.skip(asks.id);
    await until(engine, () => engine.task(id)?.children[1]?.waitingFor?.kind === "network");
    host.script.setAppState("demo", "STOPPED");
    const restarted = await crash();
    const view = await settledTask(restarted.engine, id);
    expect(hookTask(view, "setup")).toMatchObject({
      state: "SKIPPED",
      failure: { code: "TASK_CONDITION_NOT_MET", message: '"demo" is not running' },
    });
  });

  it("a link behind a condition that never passes fails at once, links nothing and is not shown connected", async () => {
    const { engine, store, told } = await open([connect([installed("other"), NEVER])]);
    await settledTask(engine, (await engine.install("other")).id);
    const view = await settledTask(engine, (await engine.install("demo", { links: [SELECTED] })).id);
    const link = hookTask(view, "connect");
    expect(link).toMatchObject({ state: "FAILED", failure: { code: "TASK_CONDITION_NOT_MET" } });
    expect(view.state).toBe("COMPLETED");
    expect(store.hookLog(link.id, 5)).toEqual([]);
    expect(told).toEqual([]);
    expect((await engine.app("demo"))?.pairings).toMatchObject([{ status: "installed" }]);
  });

  it("a link waits for every app its conditions name, also for one that was not selected", async () => {
    const { engine, host, told } = await open([connect([installed("other"), running("third")])]);
    await settledTask(engine, (await engine.install("other")).id);
    const other = host.script.world.instances.get("other");
    if (other === undefined) throw new Error("no other");
    host.script.world.instances.set("third", { ...other, app: { ...other.app, name: "third", appId: "third" } });
    host.script.setAppState("third", "STOPPED");
    const { id } = await engine.install("demo", { links: [SELECTED] });
    const detail = () => engine.task(id)?.children[0]?.waitingFor?.detail ?? {};
    await until(engine, () => JSON.stringify(detail()).includes("third"));
    expect(detail()).toEqual({ apps: ["demo", "other"], reasons: ['"third" is not running'] });
    host.script.setAppState("third", "RUNNING");
    expect(await settledTask(engine, id)).toMatchObject({ children: [{ state: "COMPLETED" }] });
    expect(told.map(({ target }) => target)).toEqual(["other"]);
  });

  it("A link's failure names the app that did not run", async () => {
    const { engine, host } = await open([connect([installed("other")])], { linkStart: 50 });
    await settledTask(engine, (await engine.install("other")).id);
    host.script.setAppState("other", "STOPPED");
    const view = await settledTask(engine, (await engine.install("demo", { links: [SELECTED] })).id);
    expect(hookTask(view, "connect").failure).toMatchObject({
      code: "TASK_LINK_NOT_STARTED",
      message: '"other" is not running; waited 0.05 s',
    });
  });

  it("the picker still offers a link that can never run, disabled with the reason and never checked", async () => {
    const { engine } = await open([connect([installed("other"), NEVER])]);
    await settledTask(engine, (await engine.install("other")).id);
    const form = await engine.form("demo", "install");
    expect(form.links).toMatchObject([
      {
        hookId: "connect",
        available: false,
        reason: 'the condition "capabilityPresent" can\'t be checked yet',
        targets: [{ appId: "other", default: false }],
      },
    ]);
    expect(form.collapsed).toEqual([]);
  });
});
