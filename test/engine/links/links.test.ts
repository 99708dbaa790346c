import { describe, expect } from "vitest";
import { z } from "zod";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { LinkRequest } from "../../../src/engine/api.ts";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { on } from "../../support/scripts/scripts.ts";
import { ASKED, link, openDemo, SELECTED } from "./linking-demo.ts";

describe("an install with links", () => {
  it("runs the link after the hooks, once, and notifies of every target that was linked", async () => {
    const { engine, store, told } = await openDemo([link({ conditions: [on("other"), on("third")] })]);
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
    const { engine, host, told } = await openDemo([link()]);
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
    const { engine, told } = await openDemo([link({ id: "bad", scriptContent: fails, retries: 1 }), link()]);
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
    const { engine, host } = await openDemo([link()], { timing: { linkStart: 50 } });
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

  it("ends a link whose target is uninstalled while it waits, and says so", async () => {
    const { engine, host } = await openDemo([link()]);
    await settledTask(engine, (await engine.install("other")).id);
    host.script.setAppState("other", "STOPPED");
    const { id } = await engine.install("demo", { links: [SELECTED] });
    const waiting = async () => (await engine.task(id))?.children[0]?.waitingFor;
    await expect.poll(waiting).toMatchObject({ kind: "app", detail: { reasons: ['"other" is not running'] } });
    await settledTask(engine, (await engine.uninstall("other")).id);
    expect(await settledTask(engine, id)).toMatchObject({
      state: "COMPLETED",
      children: [{ state: "FAILED", failure: { message: '"other" is not installed' } }],
    });
  });

  it.each([
    ["an unknown hook", { ...SELECTED, hookId: "none" }, "PAIRING_LINK_UNKNOWN"],
    ["a target the hook does not name", { ...SELECTED, targets: ["third"] }, "PAIRING_TARGET_UNKNOWN"],
    ["no target", { ...SELECTED, targets: [] }, "PAIRING_TARGET_LIMIT"],
  ])("is rejected whole for %s", async (_, selected, code) => {
    const { engine, host } = await openDemo([link()]);
    await expect(engine.install("demo", { links: [selected] })).rejects.toMatchObject({ code });
    expect(engine.tasks()).toEqual([]);
    expect(host.script.changes()).toEqual([]);
  });

  const team = { question: "Team?", type: "text", key: "team", required: true };

  it("installs a missing target once with the answers given for it at any of its links", async () => {
    const demo = { hooks: [link(), link({ id: "again" })] };
    const { engine, host } = await openDemo([], {}, {}, { demo, other: { installation_questions: [team], ...ASKED } });
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
    const { engine } = await openDemo([], {}, {}, { demo, other: { installation_questions: [team], ...ASKED } });
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

describe("a hook called as a part of the plan", () => {
  it("keeps neither the target from being installed nor the link from running", async () => {
    const hook = (id: string) => ({ id, title: id, events: ["onAfterInstall"], entrypoint: "run" });
    const named = ["install.other", "link.demo.connect"].map((id) => ({
      ...hook(id),
      scriptContent: "export async function run() {}",
    }));
    const { engine, host } = await openDemo([...named, link()]);
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
