import { describe, expect } from "vitest";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { installDemo } from "./installed-demo.ts";

describe("a request that can't be carried out", () => {
  it.each([
    ["an unknown app", "nothing", {}, {}, "TASK_APP_UNKNOWN"],
    ["a required answer that is missing", "demo", {}, {}, "ANSWER_REQUIRED"],
    ["an answer to no question", "demo", { answers: { name: "x", no: 1 } }, {}, "ANSWER_UNKNOWN"],
    ["a consent nobody asks for", "demo", { answers: { name: "x" }, consents: { no: true } }, {}, "ANSWER_CONSENT"],
    ["an input of an unknown hook", "demo", { answers: { name: "x" }, inputs: { no: {} } }, {}, "TASK_HOOK_UNKNOWN"],
    [
      "a location that is not configured",
      "demo",
      { answers: { name: "x" } },
      { facts: { locations: {} } },
      "REQUIREMENT_LOCATION_MISSING",
    ],
  ])("is rejected for %s and leaves nothing", async (_, appId, request, host, code) => {
    const world = await openWorld({
      catalog: {
        demo: {
          requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
          installation_questions: [{ question: "Name?", type: "text", key: "name", required: true }],
        },
      },

      host,
    });
    await expect(world.engine.install(appId, request)).rejects.toMatchObject({ name: "EngineError", code });
    expect(world.engine.tasks()).toEqual([]);
    expect(world.host.script.changes()).toEqual([]);
  });

  it("is rejected when the name is taken on the host", async () => {
    const { engine } = await installDemo({});
    await expect(engine.install("demo")).rejects.toMatchObject({ code: "HOST_NAME_TAKEN" });
    expect(engine.tasks()).toHaveLength(1);
  });

  it("is answered with the running task while another lifecycle works on the app: one writer per app", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    const release = host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await expect(engine.install("demo")).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    release();
    await settledTask(engine, id);
  });
});
