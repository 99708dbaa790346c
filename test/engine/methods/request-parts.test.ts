import { describe, expect } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import type { InstallRequest } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";

const RUN = { entrypoint: "run", scriptContent: "export async function run() {}" };
const input = (id: string) => ({ type: "question", id, question: { question: "?", type: "text", key: id } });
const HOOKS = [
  { id: "before", title: "Before", events: ["onBeforeUpgrade"], inputs: [input("name")], ...RUN },
  { id: "after", title: "After", events: ["onAfterInstall"], inputs: [input("size")], userOptional: {}, ...RUN },
  { id: "press", title: "Press", rerun: "converge", inputs: [input("size")], ...RUN },
  {
    id: "connect",
    title: "Connect",
    rerun: "converge",
    conditions: [{ role: "visibility", type: "appInstalled", app: "other" }],
    ...RUN,
  },
];
const question = (key: string) => ({ question: "?", type: "text", key });
const SCRIPT = { hooks: HOOKS, installation_questions: [question("team")], app_values: { team: "$QUESTION(team)" } };

const offered = (versions: readonly string[]) => ({ train: "stable", title: "Demo", icon: "", versions });

async function installed(script: Record<string, unknown> = SCRIPT) {
  const world = await openWorld({
    catalog: { demo: script, other: {} },
    host: {
      datasets: ["tank", "tank/apps"],
      deployingFor: 0,
      catalog: { demo: offered(["1.0.0"]), other: offered(["1.0.0"]) },
    },
  });
  const { engine, host } = world;
  await settledTask(
    engine,
    (await engine.install("demo", { answers: { team: "blue" }, consents: { after: false } })).id,
  );
  host.script.world.catalog.set("demo", offered(["1.0.0", "2.0.0"]));
  return world;
}

/** Codes and places of what is wrong with a request. */
async function faultsOf(asked: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await asked.then(
    () => {
      throw new Error("it was taken");
    },
    (thrown: unknown) => thrown,
  );
  const { problems } = Object(Object(error).details);
  if (!Array.isArray(problems)) throw error;
  return problems.map(({ code, path }: { code: string; path: readonly Json[] }) => `${code} ${path.join(".")}`);
}

const STRANGE: InstallRequest = {
  answers: { none: 1 },
  consents: { none: true },
  inputs: { none: { x: 1 } },
  links: [{ hookId: "none", runsOnAppId: "demo", targets: ["other"] }],
};

describe("An upgrade needs no installation answers", () => {
  const REQUIRED = {
    script: { version: "1.1.0" },
    requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
    installation_questions: [question("team"), { ...question("region"), required: true }],
    ensure_directories_exists: [
      { path: "$LOCATION(ApplicationsPerformance)/demo", snapshot: { id: "data" } },
      { path: "$LOCATION(ApplicationsPerformance)/demo/$QUESTION(region)", snapshot: { id: "region" } },
    ],
    app_values: { team: "$QUESTION(team)", region: "$QUESTION(region)" },
  };

  it("although its newest script has a new required question", async () => {
    const { engine, host, write } = await installed();
    host.script.world.paths.set("/mnt/tank/apps/demo", { type: "DIRECTORY", uid: 0, gid: 0 });
    write({ demo: REQUIRED });
    await engine.syncCatalog();
    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED" });
    expect(host.script.world.instances.get("demo")?.app.version).toBe("2.0.0");
    expect(host.script.world.snapshots.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^platform-app-demo-data-/),
    ]);
    expect(host.script.calls.filter(({ method }) => method === "app.update")).toEqual([]);
  });

  it("nor the answers of an install by other means", async () => {
    const { engine, store, write } = await installed();
    store.keepSettings("demo", { answers: null, randoms: null, scriptVersion: null });
    write({ demo: REQUIRED });
    await engine.syncCatalog();
    expect(await settledTask(engine, (await engine.upgrade("demo")).id)).toMatchObject({ state: "COMPLETED" });
  });
});

describe("What a request can't have is refused with its place", () => {
  it("by an upgrade: answers, consents, links, and inputs of hooks that no upgrade runs", async () => {
    const { engine } = await installed();
    const request = { ...STRANGE, inputs: { none: { x: 1 }, after: { size: "1" }, before: { none: "1" } } };
    expect(await faultsOf(engine.upgrade("demo", request))).toEqual([
      "ANSWER_NOT_TAKEN answers.none",
      "ANSWER_NOT_TAKEN consents.none",
      "ANSWER_NOT_TAKEN links.0",
      "TASK_HOOK_UNKNOWN inputs.none",
      "TASK_INPUT_UNKNOWN inputs.before.none",
      "ANSWER_NOT_TAKEN inputs.after",
    ]);
    expect(await faultsOf(engine.upgrade("demo", { answers: { team: "red" } }))).toEqual([
      "ANSWER_NOT_TAKEN answers.team",
    ]);
    const view = await settledTask(engine, (await engine.upgrade("demo", { inputs: { before: { name: "ada" } } })).id);
    expect(view).toMatchObject({ state: "COMPLETED" });
  });

  it("by an update: unknown answers, and every consent, input and link", async () => {
    const { engine } = await installed();
    expect(await faultsOf(engine.update("demo", STRANGE))).toEqual([
      "ANSWER_NOT_TAKEN consents.none",
      "ANSWER_NOT_TAKEN inputs.none",
      "ANSWER_NOT_TAKEN links.0",
    ]);
    expect(await faultsOf(engine.update("demo", { answers: { none: 1 } }))).toEqual(["ANSWER_UNKNOWN answers.none"]);
    expect(await faultsOf(engine.update("demo", { consents: { after: true } }))).toEqual([
      "ANSWER_NOT_TAKEN consents.after",
    ]);
    expect(engine.tasks()).toHaveLength(1);
  });

  it("by an action: unknown inputs", async () => {
    const { engine } = await installed();
    expect(await faultsOf(engine.runAction("demo", "press", { inputs: { none: 1 } }))).toEqual([
      "TASK_INPUT_UNKNOWN inputs.none",
    ]);
  });

  it("by a preview, as problems: what the install, or the update, would be refused for", async () => {
    const { engine } = await installed();
    // That the app is there already is a problem of the whole request.
    const of = async (mode: "install" | "options", request = STRANGE) =>
      (await engine.preview("demo", request, mode)).problems
        .filter(({ path }) => path.length > 0)
        .map(({ code, path }) => `${code} ${path.join(".")}`);
    expect((await of("install")).toSorted()).toEqual([
      "ANSWER_CONSENT consents.none",
      "ANSWER_UNKNOWN answers.none",
      "PAIRING_LINK_UNKNOWN links.0.hookId",
      "TASK_HOOK_UNKNOWN inputs.none",
    ]);
    expect((await of("options")).toSorted()).toEqual([
      "ANSWER_NOT_TAKEN consents.none",
      "ANSWER_NOT_TAKEN inputs.none",
      "ANSWER_NOT_TAKEN links.0",
      "ANSWER_UNKNOWN answers.none",
    ]);
    const faulty = { links: [{ hookId: "connect", runsOnAppId: "demo", targets: ["other"], inputs: { none: 1 } }] };
    expect(await of("install", faulty)).toEqual(["TASK_INPUT_UNKNOWN links.0.inputs.none"]);
  });
});
