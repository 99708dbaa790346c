/** The letter, row 4: a dropped hook never refuses an install. */
import { describe, expect } from "vitest";
import type { InstallRequest } from "../../src/engine/api.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";

const RUN = { entrypoint: "run", scriptContent: "export async function run(ctx) {}" };
const BROKEN = {
  entrypoint: "run",
  scriptContent: 'import axios from "axios";\nexport async function run() { axios(); }',
};
const good = { id: "good", title: "Good", events: ["onAfterInstall"], ...RUN };
const other = { role: "visibility", type: "appInstalled", app: "other" };
/** A lifecycle event and a condition on another app exclude each other. */
const bad = { id: "bad", title: "Bad", events: ["onAfterInstall"], conditions: [other], ...RUN };
const link = { id: "link", title: "Link", rerun: "converge", conditions: [other], ...RUN };

async function install(hooks: readonly object[], request: InstallRequest = {}, more: object = {}) {
  const world = await openWorld({ catalog: { demo: { hooks, ...more }, other: {} } });
  const preview = await world.engine.preview("demo", request);
  const { id } = await world.engine.install("demo", request);
  return { ...world, preview, view: await settledTask(world.engine, id) };
}

describe("A dropped hook never refuses an install:", () => {
  it("an invalid required one is missing, the good one runs, and the task carries the mark", async () => {
    const { view } = await install([bad, good]);
    expect(view).toMatchObject({ state: "COMPLETED", marks: ["hookDropped: bad"] });
    expect(view.children.map(({ hookId, state }) => [hookId, state])).toEqual([["good", "COMPLETED"]]);
    expect(view.remarks).toMatchObject([{ code: "hookDropped", params: { hookId: "bad" } }]);
  });

  it.each([
    ["invalid", { ...RUN, retries: "often" }],
    ["without its file", { entrypoint: "run", script: "gone.ts" }],
    ["one that does not compile", BROKEN],
  ])("a consent hook that is %s can be switched off, or on, without an error", async (_, faulty) => {
    const consent = { id: "terms", title: "Terms", events: ["onBeforeInstall"], userOptional: {}, ...faulty };
    for (const agreed of [false, true]) {
      const { view, preview } = await install([consent, good], { consents: { terms: agreed } });
      expect(preview.problems.filter(({ path }) => path[0] === "consents")).toEqual([]);
      expect(view.state).toBe("COMPLETED");
      expect(view.children.map(({ hookId }) => hookId)).toEqual(["good"]);
    }
  });

  it("inputs and links that name one have no effect, and nothing is installed for them", async () => {
    const links = [{ hookId: "link", runsOnAppId: "demo", targets: ["other"], inputs: { key: "1" } }];
    const request = { inputs: { bad: { key: "1" } }, links };
    const { view, preview, host } = await install([bad, { ...link, script: "gone.ts" }], request);
    expect(preview.problems.filter(({ path }) => path[0] === "inputs" || path[0] === "links")).toEqual([]);
    expect(view).toMatchObject({ state: "COMPLETED", children: [], marks: ["hookDropped: bad", "hookDropped: link"] });
    expect((await host.apps()).map(({ appId }) => appId)).toEqual(["demo"]);
  });

  it("what no script declares is still refused", async () => {
    const { engine } = await openWorld({ catalog: { demo: { hooks: [bad] }, other: {} } });
    await expect(engine.install("demo", { consents: { worse: true } })).rejects.toMatchObject({
      code: "ANSWER_CONSENT",
    });
    await expect(engine.install("demo", { inputs: { worse: {} } })).rejects.toMatchObject({
      code: "TASK_HOOK_UNKNOWN",
    });
    const links = [{ hookId: "worse", runsOnAppId: "demo", targets: ["other"] }];
    await expect(engine.install("demo", { links })).rejects.toMatchObject({ code: "PAIRING_LINK_UNKNOWN" });
  });

  it("the preview counts the steps, connections and widgets that are missing, and says why", async () => {
    const { preview } = await install(
      [bad, { ...good, id: "setup", ...BROKEN }, { ...link, script: "gone.ts" }, good],
      {},
      { widgetsSchema: 2, widgets: [{ id: "Loud", title: "Loud", ...RUN }] },
    );
    expect(preview.missing).toEqual({ steps: 2, connections: 1, widgets: 1 });
    const places = preview.problems.filter(({ severity }) => severity === "error").map(({ path }) => path.slice(0, 2));
    expect(places).toEqual(
      expect.arrayContaining([
        ["hooks", 0],
        ["hooks", "setup"],
        ["hooks", 2],
        ["widgets", 0],
      ]),
    );
  });

  it("a sound script has nothing missing", async () => {
    const { preview, view } = await install([good]);
    expect(preview).not.toHaveProperty("missing");
    expect(view.marks).toEqual([]);
  });
});
