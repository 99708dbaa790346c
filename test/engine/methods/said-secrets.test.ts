/** Scripts that say what they read from an app's own interface: its stored passwords, which nobody told the task. */
import { describe, expect } from "vitest";
import { MASKED } from "../../../src/core/report/mask.ts";
import type { Engine } from "../../../src/engine/api.ts";
import { PASSWORDS } from "../../../src/engine/vault/kept-choices.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const [FIRST, SECOND, THEIRS, HOSTS] = ["first-swordfish", "second-swordfish", "their-swordfish", "host-swordfish"];
const ALL = [FIRST, SECOND, THEIRS, HOSTS];

const asks = (key: string) => ({ question: `${key}?`, type: "password", key, required: true });
const says = (words: readonly string[]) => {
  const all = JSON.stringify(words.join(" "));
  return `export async function run(ctx) {
    ctx.log("says " + ${all});
    await ctx.emitCheckpoint("told", ${all});
    ctx.fail("refused " + ${all}, [{ label: "said", value: ${all} }]);
  }`;
};
const tells = (changes: Record<string, unknown>, words: readonly string[] = ALL) =>
  rawHook({ entrypoint: "run", scriptContent: says(words), ...changes });

const KEEPER = {
  installation_questions: [asks("password")],
  app_values: { demo: { password: "$QUESTION(password)" } },
  hooks: [tells({ id: "press" }), tells({ id: "connect", kind: "connect", conditions: [on("other")] })],
};
const OTHER = { installation_questions: [asks("theirs")], app_values: { theirs: "$QUESTION(theirs)" } };

async function openKeeper(demo: object = KEEPER) {
  const world = await openWorld({ catalog: { demo, other: OTHER } });
  const { engine } = world;
  for (const begin of [
    () => engine.install("other", { answers: { theirs: THEIRS } }),
    () => engine.install("demo", { answers: { password: FIRST } }),
    () => engine.update("demo", { answers: { password: SECOND } }),
  ]) {
    expect(await settledTask(engine, (await begin()).id)).toMatchObject({ state: "COMPLETED" });
  }
  return world;
}

/** All a person can read of a task. */
async function readAll(engine: Engine, id: string): Promise<string> {
  const log = engine.log(id);
  const shown = [engine.task(id), engine.history(id), await engine.trace(id), log, engine.notifications()];
  expect(log.map(({ line }) => line)).toEqual([expect.stringContaining("says ")]);
  return JSON.stringify(shown);
}

async function press(engine: Engine, hookId: string): Promise<string> {
  const { id } = await engine.runAction("demo", hookId);
  expect(await settledTask(engine, id)).toMatchObject({ state: "AWAITING_RETRY" });
  return readAll(engine, id);
}

describe("a hook a person presses", () => {
  it("says no password of its app: not the stored one, a former one, or what the host has since", async () => {
    const { engine, host } = await openKeeper();
    const instance = host.script.world.instances.get("demo");
    if (instance !== undefined) instance.values = { demo: { password: HOSTS } };
    const shown = await press(engine, "press");
    for (const secret of [FIRST, SECOND, HOSTS]) expect(shown).not.toContain(secret);
    expect(shown).toContain(`refused ${MASKED} ${MASKED}`);
  });

  it("that links says none of the app it is connected with either, and keeps no copy of it", async () => {
    const { engine, store } = await openKeeper();
    const { id } = await engine.runAction("demo", "connect");
    await settledTask(engine, id);
    const shown = await readAll(engine, id);
    for (const secret of [FIRST, SECOND, THEIRS]) expect(shown).not.toContain(secret);
    expect(JSON.stringify([store.plan(id)?.["secrets"], store.secrets(id)])).not.toContain(THEIRS);
  });

  it("that is tried again says none that was set since", async () => {
    const { engine } = await openKeeper({
      ...KEEPER,
      hooks: [tells({ id: "connect", conditions: [on("other")] }, [HOSTS])],
    });
    const { id } = await engine.runAction("demo", "connect");
    await settledTask(engine, id);
    await settledTask(engine, (await engine.update("other", { answers: { theirs: HOSTS } })).id);
    const before = engine.log(id).length;
    engine.retry(id);
    await settledTask(engine, id);
    const later = engine.log(id).slice(before);
    expect(later.map(({ line }) => line)).toEqual([`says ${MASKED}`]);
    expect(JSON.stringify(engine.task(id)?.failure)).not.toContain(HOSTS);
  });

  it("that is over shows none in its log that was set since, even where it was read before", async () => {
    const { engine } = await openKeeper({ ...KEEPER, hooks: [tells({ id: "press" }, [HOSTS])] });
    expect(await press(engine, "press")).toContain(HOSTS);
    const [task] = engine.tasks({ unfinished: true });
    const id = task?.id ?? "";
    engine.cancel(id);
    await settledTask(engine, id);
    expect(engine.log(id).map(({ line }) => line)).toEqual([`says ${HOSTS}`]);
    await settledTask(engine, (await engine.update("demo", { answers: { password: HOSTS } })).id);
    expect(engine.log(id).map(({ line }) => line)).toEqual([`says ${MASKED}`]);
  });

  it("says none that only an earlier script asked for, and what else was asked then stays as it is", async () => {
    const openly = { question: "Zone?", type: "text", key: "zone", default: "Europe/Berlin" };
    const words = [FIRST, SECOND, "Europe/Berlin"];
    const former = {
      ...KEEPER,
      installation_questions: [asks("password"), openly],
      hooks: [tells({ id: "press" }, words)],
    };
    const world = await openKeeper(former);
    world.write({ demo: { ...former, installation_questions: [], app_values: {}, script: { version: "1.1.0" } } });
    await world.engine.syncCatalog();
    const shown = await press(world.engine, "press");
    for (const secret of [FIRST, SECOND]) expect(shown).not.toContain(secret);
    expect(shown).toContain("Europe/Berlin");
  });

  it("says none that only an earlier script asked for, after an update of an app set up by an earlier build", async () => {
    const zone = { question: "Zone?", type: "text", key: "zone", default: "Europe/Berlin" };
    const former = {
      ...KEEPER,
      installation_questions: [asks("password"), zone],
      hooks: [tells({ id: "press" }, [FIRST, SECOND, "Europe/Berlin"])],
    };
    const world = await openKeeper(former);
    const { engine, store } = world;
    store.keepSettings("demo", { [PASSWORDS]: null });
    world.write({
      demo: {
        ...former,
        installation_questions: [zone],
        app_values: { zone: "$QUESTION(zone)" },
        script: { version: "1.1.0" },
      },
    });
    await engine.syncCatalog();
    expect(
      await settledTask(engine, (await engine.update("demo", { answers: { zone: "Europe/Rome" } })).id),
    ).toMatchObject({ state: "COMPLETED" });
    expect(store.setting("demo", PASSWORDS)).toEqual(["password"]);
    const shown = await press(engine, "press");
    for (const secret of [FIRST, SECOND]) expect(shown).not.toContain(secret);
    expect(shown).toContain("Europe/Berlin");
  });
});

describe("a password a hook collected", () => {
  it("is said by no other hook, nor after a sync that drops the hook which asked for it", async () => {
    const input = { type: "question", id: "token", question: asks("token") };
    const signIn = rawHook({ id: "sign-in", inputs: [input], scriptContent: "export async function run() {}" });
    const demo = {
      hooks: [tells({ id: "press" }, [FIRST]), signIn, rawHook({ id: "later", requiresHooks: ["sign-in"] })],
    };
    const world = await openWorld({ catalog: { demo } });
    const { engine } = world;
    await settledTask(engine, (await engine.install("demo", {})).id);
    const { id } = await engine.runAction("demo", "sign-in", { inputs: { token: FIRST } });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(await press(engine, "press")).not.toContain(FIRST);
    world.write({ demo: { hooks: demo.hooks.slice(0, 1), script: { version: "1.1.0" } } });
    await engine.syncCatalog();
    await expect(engine.runAction("demo", "sign-in")).rejects.toThrow();
    for (const task of engine.tasks({ unfinished: true })) {
      engine.cancel(task.id);
      await settledTask(engine, task.id);
    }
    expect(await press(engine, "press")).not.toContain(FIRST);
  });
});

describe("a link of an install", () => {
  it("says no password of the app it links with", async () => {
    const { engine } = await openWorldWithOther();
    const link = { hookId: "connect", runsOnAppId: "demo", targets: ["other"] };
    const { id } = await engine.install("demo", { answers: { password: FIRST }, links: [link] });
    const settled = await settledTask(engine, id);
    const child = settled.children.find(({ hookId }) => hookId === "connect");
    const shown = await readAll(engine, child?.id ?? "");
    for (const secret of [FIRST, THEIRS]) expect(shown).not.toContain(secret);
  });
});

async function openWorldWithOther() {
  const world = await openWorld({ catalog: { demo: KEEPER, other: OTHER } });
  await settledTask(world.engine, (await world.engine.install("other", { answers: { theirs: THEIRS } })).id);
  return world;
}

describe("a widget", () => {
  it("shows no password of its app, nor of one it names: in fields, what it needs, and its failure", async () => {
    const said = JSON.stringify([FIRST, SECOND, THEIRS].join(" "));
    const widget = (id: string, body: string) => ({
      id,
      title: id,
      entrypoint: "show",
      conditions: [on("other")],
      scriptContent: `export async function show(ctx) { ctx.log(${said}); ${body} }`,
    });
    const stat = `{ type: "stat", label: ${said}, value: ${said} }`;
    const list = `{ type: "list", entries: [{ title: ${said}, subtitle: ${said}, meta: ${said} }] }`;
    const { engine, log } = await openKeeper({
      ...KEEPER,
      widgetsSchema: 2,
      widgets: [
        widget("fields", `return { fields: { note: { type: "text", text: ${said} }, stat: ${stat}, list: ${list} } };`),
        widget("setup", `return { needsSetup: true, reason: ${said} };`),
        widget("fails", `throw new Error(${said});`),
      ],
    });
    const masked = `${MASKED} ${MASKED} ${MASKED}`;
    expect(await engine.queryWidget("demo", "fields")).toMatchObject({
      state: "ready",
      fields: {
        note: { text: masked },
        stat: { label: masked, value: masked },
        list: { entries: [{ title: masked }] },
      },
    });
    expect(await engine.queryWidget("demo", "setup")).toMatchObject({ state: "needsSetup", reason: masked });
    const failed = await engine.queryWidget("demo", "fails");
    expect(failed).toMatchObject({ state: "failed", reason: expect.stringContaining(masked) });
    for (const secret of [FIRST, SECOND, THEIRS]) expect(log.join("\n")).not.toContain(secret);
  });
});
