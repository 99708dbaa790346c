import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { ASKING, installOldDemo } from "./old-demo.ts";

describe("an update", () => {
  it("merges the answers deeply into the live configuration and keeps what was generated", async () => {
    const { engine, host } = await installOldDemo(ASKING);
    const instance = host.script.world.instances.get("demo");
    if (instance === undefined) throw new Error("not installed");
    const before = instance.values["demo"];
    instance.values = {
      ...instance.values,
      network: { ...Object(instance.values["network"]), host_network: true },
      labels: ["kept"],
    };
    const { id } = await engine.update("demo", { answers: { port: 9090 } });
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({
      kind: "update",
      state: "COMPLETED",
      result: { app: "updated", done: ["app.update"] },
    });
    expect(instance.values).toEqual({
      network: { web_port: 9090, host_network: true },
      demo: before,
      labels: ["kept"],
    });
    const update = host.script.calls.find(({ method }) => method === "app.update");
    expect(Object.keys(Object(Object(update?.params).values))).toEqual(["network", "demo"]);
    const again = await engine.update("demo", {});
    await settledTask(engine, again.id);
    expect(Object(instance.values["network"]).web_port).toBe(9090);
  });

  it("never goes to an older script", async () => {
    const { engine, world } = await installOldDemo({ ...ASKING, script: { version: "1.2.0" } });
    world.write({ demo: { ...ASKING, script: { version: "1.1.9", updateCompatibility: "*" } } });
    await engine.syncCatalog();
    await expect(engine.update("demo")).rejects.toMatchObject({
      code: "TASK_UPDATE_INCOMPATIBLE",
      message: 'script 1.1.9 of "demo" is older than the installed 1.2.0',
    });
  });

  it("takes no installonly answer", async () => {
    const { engine, host } = await installOldDemo(ASKING);
    const before = host.script.changes().length;
    await expect(engine.update("demo", { answers: { token: "anew" } })).rejects.toMatchObject({
      code: "ANSWER_INSTALLONLY",
      details: { problems: [{ path: ["answers", "token"] }] },
    });
    expect(host.script.changes()).toHaveLength(before);
  });

  it("to a script whose updateCompatibility does not admit the installed one is rejected", async () => {
    const { engine, world } = await installOldDemo(ASKING);
    world.write({ demo: { ...ASKING, script: { version: "2.0.0" } } });
    await engine.syncCatalog();
    await expect(engine.update("demo")).rejects.toMatchObject({ code: "TASK_UPDATE_INCOMPATIBLE" });
    world.write({ demo: { ...ASKING, script: { version: "2.0.0", updateCompatibility: ">=1" } } });
    await engine.syncCatalog();
    const { id } = await engine.update("demo");
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
  });
});
