/** The dialogs of an upgrade and of options: what changes is shown before anything does. */
import { describe, expect } from "vitest";
import type { z } from "zod";
import { createHttpApp } from "../../../src/http/app.ts";
import { Form } from "../../../src/http/schemas/forms.ts";
import { Preview } from "../../../src/http/schemas/previews.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

const SECRET = "hunter2-marker";
const hook = (id: string, events: readonly unknown[]) => rawHook({ id, title: `Do ${id}`, events, rerun: undefined });
const text = (key: string, more: object = {}) => ({ question: `What is ${key}?`, type: "text", key, ...more });
const offered = (...versions: readonly string[]) => ({ train: "stable", title: "Demo", icon: "", versions });

async function open(catalog: Readonly<Record<string, unknown>>) {
  const world = await openWorld({
    catalog,
    host: {
      catalog: { demo: offered("1.0.0"), "ix-app": offered("1.0.0") },
      datasets: ["tank", "tank/apps"],
    },
  });
  const { engine } = world;
  const app = createHttpApp(engine);
  const get = async (appId: string, mode: string) =>
    Form.parse(await (await app.request(`/api/apps/${appId}/form?mode=${mode}`)).json());
  const post = async (path: string, body: unknown) => {
    const json = { "content-type": "application/json" };
    const answer = await app.request(`/api/apps/${path}`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const install = async (appId: string, answers: Record<string, string | number> = {}) =>
    expect(await settledTask(engine, (await engine.install(appId, { answers })).id)).toMatchObject({
      state: "COMPLETED",
    });
  const publish = async (files: Readonly<Record<string, unknown>>) => {
    world.write(files);
    await engine.syncCatalog();
  };
  return { ...world, get, post, install, publish };
}

/** A custom app of these versions. */
const own = (version: string, script: string, questions: readonly object[], values: object) => ({
  custom: true,
  metadata: { name: "Own", description: "d", icon: "own.svg", version },
  script: { version: script },
  installation_questions: questions,
  app_values: values,
});

describe("the upgrade dialog", () => {
  it("asks nothing, and says where the upgrade leads, what runs, and what it would be refused for", async () => {
    const { engine, host, get, post, install } = await open({
      demo: {
        installation_questions: [text("name", { required: true })],
        app_values: { name: "$QUESTION(name)" },
        hooks: [
          hook("after", ["onAfterUpgrade"]),
          hook("before", ["onBeforeUpgrade"]),
          hook("once", ["onAfterInstall"]),
        ],
      },
    });
    host.imageRegistry = async () => ({ fault: "Unable to connect" });
    const codes = async () => (await get("demo", "upgrade")).problems.map(({ code }) => code);
    expect(await codes()).toEqual(["TASK_APP_NOT_INSTALLED"]);
    await install("demo", { name: "Ada" });
    expect(await codes()).toEqual(["HOST_UPGRADE_NONE"]);
    host.script.world.catalog.set("demo", offered("1.0.0", "1.1.0"));

    const form = await get("demo", "upgrade");
    expect(form).toMatchObject({ mode: "upgrade", steps: [], consents: [], links: [], problems: [] });
    expect(form.advice).toMatchObject([{ code: "HOST_REGISTRY_UNREACHABLE", hint: expect.any(String) }]);
    expect(form).toMatchObject({ upgrade: { from: "1.0.0", to: "1.1.0" }, differences: [], answerDifferences: [] });
    const asked = () => host.script.calls.filter(({ method }) => method === "app.upgrade_summary").length;
    const before = asked();
    const shown = Preview.parse(await post("demo/preview?mode=upgrade", {}));
    expect(asked()).toBe(before + 1);
    expect(shown).toMatchObject({
      mode: "upgrade",
      appValues: {},
      upgrade: { from: "1.0.0", to: "1.1.0" },
      problems: [],
    });
    const titles = ["Do before", "Do after"];
    expect(form.upgrade?.hooks.map(({ title }) => title)).toEqual(titles);
    expect(shown.hooks.map(({ title, fires }) => [title, fires])).toEqual(titles.map((title) => [title, true]));
    const refused = Preview.parse(await post("demo/preview?mode=upgrade", { answers: { name: "Bob" } }));
    expect(refused.problems).toMatchObject([{ code: "ANSWER_NOT_TAKEN", path: ["answers", "name"] }]);

    const view = await settledTask(engine, (await engine.upgrade("demo")).id);
    expect(view.children.map(({ title }) => title)).toEqual(titles);
    expect(await codes()).toEqual(["HOST_UPGRADE_NONE"]);
  });

  it("says of a task at work that the upgrade would be refused", async () => {
    const { engine, host, get, install } = await open({ demo: {} });
    await install("demo");
    host.script.world.catalog.set("demo", offered("1.0.0", "1.1.0"));
    host.script.hold("app.upgrade");
    await engine.upgrade("demo");
    expect((await get("demo", "upgrade")).problems.map(({ code }) => code)).toContain("TASK_CONFLICT");
  });

  it("of a custom app shows what its newer script changes, and what it lacks as the upgrade itself does", async () => {
    const password = { question: "Password?", type: "password", key: "password" };
    const older = own("1.0.0", "1.0.0", [text("name"), text("gone"), password], {
      image: "own:1",
      name: "$QUESTION(name)",
      gone: "$QUESTION(gone)",
      password: "$QUESTION(password)",
    });
    const { engine, get, post, install, publish } = await open({ own: older });
    await install("own", { name: "Ada", gone: "old", password: SECRET });
    const newer = (questions: readonly object[]) =>
      own("2.0.0", "1.1.0", [text("name"), password, ...questions], {
        image: "own:2",
        name: "$QUESTION(name)",
        password: "$QUESTION(password)",
        port: "$QUESTION(port)",
      });
    await publish({ own: newer([text("port", { default: "80" })]) });
    const form = await get("own", "upgrade");
    expect(form).toMatchObject({ steps: [], problems: [], upgrade: { from: "1.0.0", to: "2.0.0" } });
    expect(form.differences).toEqual([
      { path: ["image"], kind: "changed", before: "own:1", after: "own:2" },
      { path: ["port"], kind: "added", after: "80" },
    ]);
    expect(form.answerDifferences).toEqual([
      { key: "port", question: "What is port?", kind: "added", after: "80" },
      { key: "gone", question: "gone", kind: "removed" },
    ]);
    expect(JSON.stringify([form, await post("own/preview?mode=upgrade", {})])).not.toContain(SECRET);

    await publish({ own: newer([text("port", { required: true })]) });
    const lacking = await get("own", "upgrade");
    expect(lacking.problems).toMatchObject([{ code: "ANSWER_REQUIRED", path: ["answers", "port"] }]);
    expect(lacking.problems[0]?.hint).toContain("with an update");
    expect(lacking.differences).toBeUndefined();
    await expect(engine.upgrade("own")).rejects.toMatchObject({ code: "ANSWER_REQUIRED" });
  });

  it("shows no answer a newer script asks for no more: nobody knows whether it was a password", async () => {
    const password = { question: "Password?", type: "password", key: "password" };
    const login = { login: "admin:$QUESTION(password)", keep: "$QUESTION(password)" };
    const { get, post, install, publish } = await open({ own: own("1.0.0", "1.0.0", [password], login) });
    await install("own", { password: SECRET });
    await publish({ own: own("2.0.0", "1.1.0", [], { login: "nobody", keep: ["none"] }) });
    const form = await get("own", "upgrade");
    expect(form.differences).toMatchObject([
      { path: ["login"], before: "admin:********" },
      { path: ["keep"], before: "********" },
    ]);
    const shown = [form, await get("own", "options"), await post("own/preview?mode=upgrade", {})];
    expect(JSON.stringify([...shown, await post("own/preview?mode=options", {})])).not.toContain(SECRET);
  });
});

describe("the options dialog", () => {
  it("says what the answers so far change, hides what is asked at the install only, and shows no password", async () => {
    const { get, post, install } = await open({
      demo: {
        installation_questions: [
          text("name"),
          text("first", { installonly: true }),
          { question: "Password?", type: "password", key: "password" },
        ],
        app_values: { name: "$QUESTION(name)", first: "$QUESTION(first)", password: "$QUESTION(password)" },
      },
    });
    await install("demo", { name: "Ada", first: "once", password: SECRET });
    const asked = (form: z.infer<typeof Form>) =>
      form.steps.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions.map(({ key }) => key)));
    const untouched = await get("demo", "options");
    expect(asked(untouched)).toEqual(["name", "password"]);
    expect(untouched).toMatchObject({ differences: [], answerDifferences: [] });

    const answers = { name: "Bob", password: `${SECRET}-new` };
    const form = Form.parse(await post("demo/form?mode=options", { answers }));
    expect(form.answerDifferences).toEqual([
      { key: "name", question: "What is name?", kind: "changed", before: "Ada", after: "Bob" },
      { key: "password", question: "Password?", kind: "changed" },
    ]);
    expect(form.differences?.map(({ path, kind }) => [...path, kind])).toEqual([
      ["name", "changed"],
      ["password", "changed"],
    ]);
    const shown = Preview.parse(await post("demo/preview?mode=options", { answers }));
    expect(shown).toMatchObject({ answerDifferences: form.answerDifferences, differences: form.differences });
    expect(JSON.stringify([untouched, form, shown])).not.toContain(SECRET);
    expect(asked(form)).toEqual(["name", "password"]);
  });
});
