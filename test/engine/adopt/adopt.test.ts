import { describe, expect } from "vitest";
import { readKeptChoices } from "../../../src/engine/vault/kept-choices.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { makeInstance } from "../../support/engine/scripted-world.ts";
import { DEMO, GIVEN, LIVE, openForeign } from "./adopt-world.ts";

describe("an adoption", () => {
  it("shows before what is known, what is not, and what an update would change; secrets masked", async () => {
    const { engine, host } = await openForeign();
    const preview = await engine.previewAdopt("demo", GIVEN);
    expect(preview).toMatchObject({
      appId: "demo",
      version: "1.0.0",
      answers: [
        { key: "name", value: "Bob", source: "recovered" },
        { key: "pw", source: "recovered" },
        { key: "folder", value: "theirs", source: "recovered" },
        { key: "mode", value: "b", source: "recovered" },
        { key: "mail", value: "a@b", source: "given" },
      ],
      unknown: [{ key: "first", reason: "ambiguous" }],
      generated: { found: 1, unknown: [] },
      differences: [
        // What nobody can answer any more stays as it is.
        { path: ["demo", "fixed"], kind: "changed", before: 2, after: 1 },
      ],
      problems: [],
    });
    expect(JSON.stringify(preview)).not.toMatch(/hunter2|theirs-theirs/);
    expect((await engine.previewAdopt("demo", GIVEN)).revision).toBe(preview.revision);
    expect(host.script.changes()).toEqual([]);
  });

  it("keeps what is known, changes nothing on the host, fires no hook; the app is updated like any other then", async () => {
    const { engine, host, store, log } = await openForeign();
    const { revision } = await engine.previewAdopt("demo", GIVEN);
    const task = await settledTask(engine, (await engine.adopt("demo", { ...GIVEN, revision })).id);
    expect(task).toMatchObject({
      kind: "adopt",
      title: "Adopt DEMO",
      state: "COMPLETED",
      children: [],
      result: { app: "adopted", done: [], notDone: [] },
    });
    expect(host.script.changes()).toEqual([]);
    const kept = readKeptChoices({ store }, "demo");
    expect(kept).toMatchObject({
      answers: { name: "Bob", pw: "hunter2-hunter2", folder: "theirs", mode: "b", mail: "a@b" },
      randoms: { '["app_values","demo","secret"]': "theirs-theirs-theirs" },
      scriptVersion: "1.0.0",
    });
    expect(Object.keys(kept?.answers ?? {})).not.toContain("first");
    expect((await engine.lookForDrift()).findings).toEqual([]);
    expect(await engine.actions("demo", "card")).toMatchObject([{ hookId: "scan", state: "enabled" }]);
    const update = await settledTask(engine, (await engine.update("demo", { answers: { name: "Cid" } })).id);
    expect(update.state).toBe("COMPLETED");
    expect(host.script.world.instances.get("demo")?.values["demo"]).toMatchObject({
      name: "Cid",
      pw: "hunter2-hunter2",
      secret: "theirs-theirs-theirs",
      own: true,
    });
    expect(log.join("\n")).not.toMatch(/hunter2|theirs-theirs/);
  });

  it("is refused until what is required and unknown is given, and takes nothing that contradicts the app", async () => {
    const { engine } = await openForeign();
    await expect(engine.adopt("demo")).rejects.toMatchObject({
      code: "ANSWER_REQUIRED",
      details: { problems: [{ code: "ANSWER_REQUIRED", path: ["answers", "mail"] }] },
    });
    await expect(engine.adopt("demo", { answers: { ...GIVEN.answers, name: "Cid" } })).rejects.toMatchObject({
      code: "ANSWER_NOT_TAKEN",
      details: { problems: [{ path: ["answers", "name"] }] },
    });
    await expect(engine.adopt("demo", { answers: { ...GIVEN.answers, none: 1 } })).rejects.toMatchObject({
      code: "ANSWER_UNKNOWN",
    });
    expect(engine.tasks()).toEqual([]);
  });

  it("is refused where the app is another than was shown, before it begins and while it looks", async () => {
    const { engine, host, store } = await openForeign();
    const { revision } = await engine.previewAdopt("demo", GIVEN);
    const instance = host.script.world.instances.get("demo");
    if (instance === undefined) throw new Error("demo is installed");
    instance.values = { ...LIVE, demo: { ...DEMO.app_values.demo, name: "Eve" } };
    await expect(engine.adopt("demo", { ...GIVEN, revision })).rejects.toMatchObject({ code: "TASK_ADOPT_STALE" });
    const { app } = host;
    host.app = async (name) => {
      instance.values = LIVE;
      return app(name);
    };
    const failed = await settledTask(engine, (await engine.adopt("demo", GIVEN)).id);
    expect(failed).toMatchObject({
      state: "FAILED",
      failure: { code: "TASK_ADOPT_STALE" },
      result: { app: "notAdopted" },
    });
    expect(readKeptChoices({ store }, "demo")).toBeNull();
    await engine.dismiss(failed.id);
    expect((await engine.previewAdopt("demo", GIVEN)).answers[0]).toMatchObject({ value: "Bob" });
  });

  it("is refused for an app that is known, custom, gone, or in other hands", async () => {
    const { engine, host } = await openForeign();
    await expect(engine.adopt("other")).rejects.toMatchObject({ code: "TASK_APP_NOT_INSTALLED" });
    await expect(engine.adopt("nobody")).rejects.toMatchObject({ code: "TASK_APP_UNKNOWN" });
    const goOn = host.script.hold("app.stop");
    const { id } = await engine.stopApp("demo");
    await expect(engine.adopt("demo", GIVEN)).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    goOn();
    await settledTask(engine, id);
    await settledTask(engine, (await engine.adopt("demo", GIVEN)).id);
    await expect(engine.adopt("demo", GIVEN)).rejects.toMatchObject({ code: "TASK_ADOPT_KNOWN" });
    const custom = await openForeign(LIVE, { custom: true });
    await expect(custom.engine.adopt("demo", GIVEN)).rejects.toMatchObject({ code: "TASK_ADOPT_CUSTOM" });
  });

  it("takes no answer that leads out of a location, and none from what is no text", async () => {
    const data = (path: string) => ({ data: { type: "host_path", host_path_config: { acl_enable: false, path } } });
    const hostile = {
      demo: { name: "$QUESTION(pw)", pw: { deep: "hunter2" }, secret: ["theirs-theirs"], mode: "c", url: "" },
      storage: data("/mnt/tank/apps/../../etc"),
    };
    const { engine } = await openForeign(hostile);
    const preview = await engine.previewAdopt("demo", GIVEN);
    expect(preview).toMatchObject({
      answers: [{ key: "name", value: "$QUESTION(pw)" }, { key: "mail" }],
      unknown: [
        { key: "pw", reason: "unfit" },
        { key: "folder", reason: "outside" },
        { key: "mode", reason: "unfit" },
        { key: "first", reason: "ambiguous" },
      ],
      generated: { found: 0, unknown: [["demo", "secret"]] },
    });
    expect(preview.problems).toEqual([]);
    expect(JSON.stringify(preview)).not.toMatch(/hunter2|theirs-theirs/);
    const outside = { answers: { ...GIVEN.answers, folder: "../other" } };
    await expect(engine.adopt("demo", outside)).rejects.toMatchObject({ code: "DIRECTORY_OUTSIDE" });
    const task = await settledTask(engine, (await engine.adopt("demo", GIVEN)).id);
    expect(task).toMatchObject({ state: "COMPLETED" });
  });

  it("shows no answer to a question whose key every object has", async () => {
    const questions = [{ question: "?", type: "text", key: "constructor" }];
    const catalog = { demo: { installation_questions: questions, app_values: { made: "$QUESTION(constructor)" } } };
    const { engine } = await openWorld({ catalog, host: { instances: [makeInstance("demo")] } });
    expect(await engine.previewAdopt("demo")).toMatchObject({ answers: [], unknown: [{ key: "constructor" }] });
  });

  it("asks again after a kill", async () => {
    const world = await openForeign();
    const { app } = world.host;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    world.host.app = async (name) => {
      asked.resolve();
      await answer.promise;
      return app(name);
    };
    const { id } = await world.engine.adopt("demo", GIVEN);
    await asked.promise;
    world.host.app = app;
    const dying = world.crash();
    answer.resolve();
    const next = await dying;
    expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED", result: { app: "adopted" } });
    await expect(next.engine.previewAdopt("demo")).rejects.toMatchObject({ code: "TASK_ADOPT_KNOWN" });
  });
});
