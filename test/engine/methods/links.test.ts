import { describe, expect, vi } from "vitest";
import { z } from "zod";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { LinkRequest } from "../../../src/engine/api.ts";
import type { Notification } from "../../../src/engine/ports/environment.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, hookTask, settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";

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

async function create(hooks: readonly unknown[], engine: Record<string, unknown> = {}, host = {}, catalog = {}) {
  const told: Notification[] = [];
  const world = await openWorld({
    catalog: { demo: { hooks }, other: withPort(9000), third: {}, ...catalog },
    engine: { onNotification: (notification) => void told.push(notification), ...engine },
    host,
  });
  return { ...world, told };
}

/** An app whose configuration shows the answer it was given. */
const ASKED = { app_values: { ...withPort(9000).app_values, team: "$QUESTION(team)" } };

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
      ["other", "third"].map((target, at) => ({
        id: `${child?.id}.${at}`,
        at: expect.any(String),
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

  it("gives up a link whose target does not come up in time, and names the app that did not run", async () => {
    const { engine, host } = await create([link()], { timing: { linkStart: 50 } });
    await settledTask(engine, (await engine.install("other")).id);
    host.script.setAppState("other", "STOPPED");
    const { id } = await engine.install("demo", { links: [SELECTED] });
    const view = await settledTask(engine, id);
    const message = '"other" is not running; waited 0.05 s';
    expect(view).toMatchObject({
      state: "COMPLETED",
      children: [{ state: "FAILED", failure: { code: "TASK_LINK_NOT_STARTED", message } }],
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

  const team = { question: "Team?", type: "text", key: "team", required: true };

  it("installs a missing target once with the answers given for it at any of its links", async () => {
    const demo = { hooks: [link(), link({ id: "again" })] };
    const { engine, host } = await create([], {}, {}, { demo, other: { installation_questions: [team], ...ASKED } });
    const answered = { ...SELECTED, hookId: "again", install: { other: { answers: { team: "blue" } } } };
    const view = await settledTask(engine, (await engine.install("demo", { links: [SELECTED, answered] })).id);
    expect(view.children.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      "install COMPLETED",
      "link COMPLETED",
      "link COMPLETED",
    ]);
    expect(await host.appConfig("other")).toMatchObject({ team: "blue" });
  });

  it("tells the place of a fault in a target's answers and in a link's inputs", async () => {
    const asks = { type: "question", id: "size", question: { question: "Size?", type: "number", key: "size" } };
    const demo = { hooks: [link({ inputs: [asks] })] };
    const { engine } = await create([], {}, {}, { demo, other: { installation_questions: [team], ...ASKED } });
    const placesOf = async (selected: LinkRequest) => {
      const error: unknown = await engine.install("demo", { links: [selected] }).catch((thrown: unknown) => thrown);
      const problems = error instanceof EngineError && "problems" in error.details ? error.details.problems : undefined;
      return z.array(z.looseObject({ path: z.array(z.union([z.string(), z.number()])) })).parse(problems);
    };
    expect(await placesOf({ ...SELECTED, install: { other: { answers: { team: 5 } } } })).toMatchObject([
      { path: ["links", 0, "install", "other", "answers", "team"] },
    ]);
    const install = { other: { answers: { team: "blue" } } };
    expect(await placesOf({ ...SELECTED, install, inputs: { size: "big" } })).toMatchObject([
      { path: ["links", 0, "inputs", "size"] },
    ]);
  });
});

const question = (id: string, key: string) => ({
  type: "question",
  id,
  question: { question: `${key}?`, type: "text", key, required: true },
});
const signIn = {
  id: "sign-in",
  title: "Sign in",
  events: ["onAfterInstall"],
  inputs: [question("account", "account"), question("region", "place")],
  entrypoint: "run",
  scriptContent: "export async function run() {}",
};
const LOGS = `export async function run(ctx) { ctx.log(ctx.getInput("account") + " " + ctx.getInput("location")); }`;
const asking = { inputs: [question("account", "user"), question("location", "place")], scriptContent: LOGS };
const GIVEN = { inputs: { "sign-in": { account: "ada", region: "north" } } };

describe("a hook called as a part of the plan", () => {
  it("keeps neither the target from being installed nor the link from running", async () => {
    const hook = (id: string) => ({ id, title: id, events: ["onAfterInstall"], entrypoint: "run" });
    const named = ["install-other", "link-demo-connect"].map((id) => ({
      ...hook(id),
      scriptContent: "export async function run() {}",
    }));
    const { engine, host } = await create([...named, link()]);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, install: { other: {} } }] });
    const { children } = await settledTask(engine, id);
    expect(children.map(({ kind, state }) => [kind, state])).toEqual([
      ["hook", "COMPLETED"],
      ["hook", "COMPLETED"],
      ["install", "COMPLETED"],
      ["link", "COMPLETED"],
    ]);
    expect(host.script.world.instances.has("other")).toBe(true);
  });
});

describe("a link that failed", () => {
  const FAILS = `export async function run(ctx) { ctx.fail("no"); }`;
  const SLEEPS = `export async function run(ctx) { await ctx.sleep(60000); }`;

  it("is not retried beside the next one, and can be once the plan has ended", async () => {
    const first = link({ scriptContent: FAILS });
    const { engine } = await create([first, link({ id: "second", scriptContent: SLEEPS })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "second" }] });
    const child = (at: number) => engine.task(id)?.children[at];
    await until(engine, () => child(0)?.state === "FAILED" && child(1)?.state === "RUNNING");
    const failed = child(0)?.id ?? "";
    await expect(engine.retry(failed)).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    await engine.cancel(id);
    expect((await settledTask(engine, id)).children.map(({ state }) => state)).toEqual(["FAILED", "CANCELLED"]);
    expect(await engine.retry(failed)).toMatchObject({ state: "RUNNING" });
    expect(await settledTask(engine, failed)).toMatchObject({ state: "FAILED" });
  });
});

describe("a link whose script brings the engine down", () => {
  it("is FAILED after five lives, never AWAITING_RETRY, and the plan goes on", async () => {
    const sleeps = `export async function run(ctx) { ctx.log("begins"); await ctx.sleep(60000); }`;
    let world: EngineWorld = await create([link({ scriptContent: sleeps }), link({ id: "second" })]);
    const { engine } = world;
    await settledTask(engine, (await engine.install("other")).id);
    const { id, children } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "second" }] });
    for (let life = 1; life <= 5; life += 1) {
      await vi.waitUntil(() => world.store.hookLog(children[0]?.id ?? "", 10).length === life, { timeout: 5_000 });
      world = await world.crash();
    }
    expect(await settledTask(world.engine, id)).toMatchObject({
      state: "COMPLETED",
      children: [{ state: "FAILED", failure: { code: "TASK_CRASH_LOOP" } }, { state: "COMPLETED" }],
    });
  });
});

describe("an install that failed before its links", () => {
  async function failed() {
    const made = await create([link()]);
    const fault = faultOf("HOST_CALL_FAILED", "[EFAULT] no");
    made.host.script.endJob("app.create", { state: "FAILED", fault });
    const request = { links: [{ ...SELECTED, install: { other: {} } }] };
    const { id } = await made.engine.install("demo", request);
    expect(await settledTask(made.engine, id)).toMatchObject({ state: "FAILED" });
    return { ...made, id, request };
  }

  it("leaves them to the next install of the app", async () => {
    const { engine, id, request } = await failed();
    const second = await settledTask(engine, (await engine.install("demo", request)).id);
    expect(second).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(second.children.map(({ kind, state }) => [kind, state])).toEqual([
      ["install", "COMPLETED"],
      ["link", "COMPLETED"],
    ]);
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["CANCELLED", "CANCELLED"]);
  });

  it("does not keep anyone from installing their target, and a retry links it", async () => {
    const { engine, id } = await failed();
    await settledTask(engine, (await engine.install("other")).id);
    await engine.retry(id);
    const view = await settledTask(engine, id);
    expect(view.children.map(({ kind, state }) => [kind, state])).toEqual([
      ["install", "CANCELLED"],
      ["link", "COMPLETED"],
    ]);
  });

  it("keeps them while the next request is refused", async () => {
    const { engine, id } = await failed();
    await expect(engine.install("other", { answers: { none: 1 } })).rejects.toThrow();
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["PENDING", "PENDING"]);
  });

  it("keeps them while the next request loses its app to one that started meanwhile", async () => {
    const { engine, id, request } = await failed();
    const [first, second] = await Promise.allSettled([engine.install("demo"), engine.install("demo", request)]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "TASK_CONFLICT" } });
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["PENDING", "PENDING"]);
  });

  it("does not keep anyone from pressing what they link", async () => {
    const { engine, host } = await create([link()]);
    await settledTask(engine, (await engine.install("demo")).id);
    host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.install("other", { links: [{ ...SELECTED, targets: ["demo"] }] });
    const plan = await settledTask(engine, id);
    expect(plan).toMatchObject({ state: "FAILED", children: [{ kind: "link", state: "PENDING" }] });
    await settledTask(engine, (await engine.install("other")).id);
    expect(engine.task(id)).toMatchObject({ state: "FAILED", children: [{ state: "PENDING" }] });
    expect(await engine.actions("demo", "card")).toMatchObject([{ hookId: "connect", state: "enabled" }]);
    const pressed = await engine.runAction("demo", "connect");
    expect(await settledTask(engine, pressed.id)).toMatchObject({ state: "COMPLETED" });
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["CANCELLED"]);
  });
});

describe("Install dialog 6: what a link is asked", () => {
  it("is nothing a required hook of the install has collected, by input id or by question key", async () => {
    const { engine, store } = await create([signIn, link({ ...asking, requiresHooks: ["sign-in"] })]);
    await settledTask(engine, (await engine.install("other")).id);
    const view = await settledTask(engine, (await engine.install("demo", { ...GIVEN, links: [SELECTED] })).id);
    expect(view.state).toBe("COMPLETED");
    expect(store.hookLog(hookTask(view, "connect").id, 1)[0]?.line).toBe("ada north");
  });

  it("is everything again without requiresHooks, and the links after it wait behind it until it is answered", async () => {
    const { engine } = await create([signIn, link(asking), link({ id: "next" })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { ...GIVEN, links: [SELECTED, { ...SELECTED, hookId: "next" }] });
    const waiting = await settledTask(engine, id);
    expect(hookTask(waiting, "connect")).toMatchObject({ state: "AWAITING_INPUT" });
    expect(hookTask(waiting, "next")).toMatchObject({ state: "PENDING" });
    await engine.input(hookTask(waiting, "connect").id, { account: "bob", location: "south" });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  });

  it.each(["skip", "cancel"] as const)("%s of a link that waits frees the links behind it", async (decision) => {
    const { engine, told } = await create([link(asking), link({ id: "next" })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "next" }] });
    await engine[decision](hookTask(await settledTask(engine, id), "connect").id);
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.children.map(({ state }) => state)).toEqual([
      decision === "skip" ? "SKIPPED" : "CANCELLED",
      "COMPLETED",
    ]);
    expect(told.map(({ hookId }) => hookId)).toEqual(["next"]);
  });

  it("waits for a person at a failed checkpoint too, and Skip lets script and plan go on", async () => {
    const scriptContent = `export async function run(ctx) {
      await ctx.registerCheckpoints([{ id: "a", message: "A" }]);
      ctx.log(await ctx.awaitCheckpointRetry("a", "no"));
    }`;
    const { engine, store } = await create([link({ scriptContent }), link({ id: "next" })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "next" }] });
    const waiting = hookTask(await settledTask(engine, id), "connect");
    expect(waiting.state).toBe("AWAITING_RETRY");
    await engine.skip(waiting.id);
    const view = await settledTask(engine, id);
    expect(view.children.map(({ state }) => state)).toEqual(["COMPLETED", "COMPLETED"]);
    expect(store.hookLog(waiting.id, 1)[0]?.line).toBe("skip");
  });
});

describe("the notification of a link", () => {
  it("comes once per target, after the link was committed, whatever the embedder does with it", async () => {
    const seen: unknown[] = [];
    const onNotification = ({ target, taskId }: Notification) => {
      seen.push([target, JSON.parse(store.task(taskId)?.snapshot ?? "{}")]);
      throw new Error("the embedder's own fault");
    };
    const hooks = [link({ conditions: [on("other"), on("third")] })];
    const { engine, store } = await create(hooks, { onNotification });
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, targets: ["other", "third"] }] });
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ state: "COMPLETED" }, { state: "COMPLETED" }] });
    const committed = expect.objectContaining({ value: "NOTIFYING" });
    expect(seen).toEqual([
      ["other", committed],
      ["third", committed],
    ]);
  });

  it("does not come where a target it names was not installed: every condition of the link must pass", async () => {
    const third = { hooks: [{ ...signIn, events: ["onBeforeInstall"] }] };
    const hooks = [link({ conditions: [on("other"), on("third")] })];
    const { engine, told } = await create(hooks, { timing: { linkStart: 50 } }, {}, { third });
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [{ ...SELECTED, targets: ["other", "third"] }] });
    const [missing] = (await settledTask(engine, id)).children;
    await engine.cancel(missing?.id ?? "");
    const view = await settledTask(engine, id);
    expect(view.children.map(({ state }) => state)).toEqual(["CANCELLED", "FAILED"]);
    expect(hookTask(view, "connect").failure?.message).toBe('"third" is not installed; waited 0.05 s');
    expect(told).toEqual([]);
  });
});

describe("a hook that is pressed and linked at once", () => {
  it("runs once: a press while its link is unfinished is answered with the link's task", async () => {
    const { engine } = await create([link(asking)]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED] });
    const waiting = hookTask(await settledTask(engine, id), "connect");
    await expect(engine.runAction("demo", "connect")).rejects.toMatchObject({
      code: "TASK_CONFLICT",
      details: { taskId: waiting.id },
    });
  });

  it("runs once: the install leaves the link out while a pressed run is unfinished, and completes", async () => {
    const other = { hooks: [link({ ...asking, conditions: [on("demo")] })] };
    const { engine, host } = await create([], {}, {}, { other });
    for (const app of ["demo", "other"]) await settledTask(engine, (await engine.install(app)).id);
    const { id: pressed } = await engine.runAction("other", "connect");
    await settledTask(engine, pressed);
    host.script.world.instances.delete("demo");
    const links = [{ hookId: "connect", runsOnAppId: "other", targets: ["other"] }];
    const view = await settledTask(engine, (await engine.install("demo", { links })).id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [], marks: ["refused: link-other-connect"] });
  });
});
