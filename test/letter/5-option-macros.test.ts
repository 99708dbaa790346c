/** The letter, row 5: macros in option values are resolved like those in defaults. */
import { describe, expect } from "vitest";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

const requirements = { locations: ["Media"], specifications: [], permissions: [], ports: [] };
const OPTIONS = [
  { text: "Films", value: "$LOCATION(Media)/films" },
  { text: "Here", value: "$SERVER_HOST_ID" },
  { text: "Plain", value: "/plain" },
];
const question = (more: object = {}) => ({ question: "Folder", type: "select", key: "f", options: OPTIONS, ...more });
const FILMS = "/mnt/tank/media/films";

async function open(asked: object, hooks: readonly object[] = []) {
  const demo = { requirements, installation_questions: [asked], app_values: { path: "$QUESTION(f)" }, hooks };
  return openWorld({ catalog: { demo } });
}

const optionsOf = (form: {
  steps: readonly { sections: readonly { questions: readonly { options?: unknown }[] }[] }[];
}) => form.steps[0]?.sections[0]?.questions[0]?.options;

describe("Macros in option values", () => {
  it("are shown resolved, and the default is one of them", async () => {
    const { engine, host } = await open(question({ default: "$LOCATION(Media)/films" }));
    expect(optionsOf(await engine.form("demo"))).toEqual([
      { text: "Films", value: FILMS },
      { text: "Here", value: "5c217ed0" },
      { text: "Plain", value: "/plain" },
    ]);
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view.state).toBe("COMPLETED");
    expect(host.script.world.instances.get("demo")?.values).toMatchObject({ path: FILMS });
  });

  it("take the answer they come to, and keep it through an update", async () => {
    const { engine, host } = await open(question({ required: true }));
    await settledTask(engine, (await engine.install("demo", { answers: { f: FILMS } })).id);
    await settledTask(engine, (await engine.update("demo")).id);
    expect(host.script.world.instances.get("demo")?.values).toMatchObject({ path: FILMS });
    await expect(engine.update("demo", { answers: { f: "/other" } })).rejects.toMatchObject({ code: "ANSWER_OPTION" });
  });

  it("take no answer that is the macro itself: an answer is data", async () => {
    const { engine } = await open(question());
    const install = engine.install("demo", { answers: { f: "$LOCATION(Media)/films" } });
    await expect(install).rejects.toMatchObject({ code: "ANSWER_OPTION" });
  });

  it("of hook inputs are resolved too", async () => {
    const input = { type: "question", id: "where", question: question({ key: "where", required: true }) };
    const hook = rawHook({ events: ["onAfterInstall"], rerun: undefined, inputs: [input] });
    const { engine } = await open(question(), [
      { ...hook, scriptContent: `export async function run(ctx) { ctx.fail(ctx.getInput("where")); }` },
    ]);
    const bad = engine.install("demo", { inputs: { connect: { where: "$SERVER_HOST_ID" } } });
    await expect(bad).rejects.toMatchObject({ code: "ANSWER_OPTION" });
    const { id } = await engine.install("demo", { inputs: { connect: { where: FILMS } } });
    const view = await settledTask(engine, id);
    expect(view.children[0]?.failure?.message).toBe(FILMS);
  });

  it("of hook inputs take none but their values, though one has a dollar sign", async () => {
    const options = [{ text: "Five", value: "$5" }, ...OPTIONS];
    const asked = { ...question({ key: "where", required: true }), options };
    const input = { type: "question", id: "where", question: asked };
    const fail = `export async function run(ctx) { ctx.fail(ctx.getInput("where")); }`;
    const hook = (more: object) => ({ ...rawHook({ inputs: [input], ...more }), scriptContent: fail });
    const after = hook({ id: "after", events: ["onAfterInstall"], rerun: undefined, retries: 1 });
    const { engine } = await open(question(), [hook({ id: "press" }), after]);
    const faulty = { code: "ANSWER_OPTION" };
    for (const where of [{ x: 1 }, "", "$9", "$LOCATION(Media)/films"]) {
      const inputs = { after: { where } };
      await expect(engine.install("demo", { inputs })).rejects.toMatchObject(faulty);
      expect((await engine.preview("demo", { inputs })).problems).toMatchObject([faulty]);
    }
    const { children, id } = await settledTask(engine, (await engine.install("demo")).id);
    const waiting = children[0]?.id ?? "";
    await expect(engine.input(waiting, { where: "$9" })).rejects.toMatchObject(faulty);
    await engine.input(waiting, { where: "$5" });
    const failed = await settledTask(engine, id);
    expect(failed.children[0]?.failure?.message).toBe("$5");
    await engine.cancel(id);
    await settledTask(engine, id);
    await expect(engine.runAction("demo", "press", { inputs: { where: { x: 1 } } })).rejects.toMatchObject(faulty);
    const pressed = await settledTask(
      engine,
      (await engine.runAction("demo", "press", { inputs: { where: FILMS } })).id,
    );
    expect(pressed.failure?.message).toBe(FILMS);
  });

  it("that need an unlisted location are an error at the option", () => {
    const script = { ...rawScript({ installation_questions: [question()], app_values: { path: "$QUESTION(f)" } }) };
    const { problems } = parseDictionary({ appId: "demo", text: JSON.stringify(script) });
    expect(problems).toMatchObject([
      {
        code: "MACRO_LOCATION_UNDECLARED",
        severity: "error",
        path: ["installation_questions", 0, "options", 0, "value"],
      },
    ]);
  });

  it("that need their own answer are a circle, not an endless loop", async () => {
    const { engine } = await open(question({ options: [{ text: "A", value: "$QUESTION(f)!" }] }));
    await expect(engine.install("demo", { answers: { f: "!" } })).rejects.toMatchObject({ code: "MACRO_CYCLE" });
  });
});
