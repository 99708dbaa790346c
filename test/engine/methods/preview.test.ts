import { describe, expect } from "vitest";
import type { InstallRequest } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";
import { createTestClock } from "../../support/test-clock.ts";

const after = (id: string, changes: Record<string, unknown> = {}) =>
  rawHook({ id, title: `Do ${id}`, events: ["onAfterInstall"], rerun: undefined, ...changes });
const LOCATIONS = { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] };
/** A hook whose file is not in the catalog: its pairing is derived from the declaration alone. */
const without = (script: string) => ({ script, scriptContent: undefined });
const CATALOG = {
  demo: {
    requirements: LOCATIONS,
    ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo/data" }],
    installation_questions: [{ question: "Name?", type: "text", key: "name", default: "Ada" }],
    hooks: [
      after("plain"),
      after("terms", { userOptional: { default: false } }),
      after("behind", { requiresHooks: ["terms"] }),
      after("faulty", { optional: true, scriptContent: "export async function run( {" }),
      rawHook({ id: "upgrade", events: ["onAfterUpgrade"], rerun: undefined }),
      rawHook({ id: "share", title: "Share", conditions: [on("there")] }),
      rawHook({ id: "invite", title: "Invite", conditions: [on("absent")] }),
      rawHook({ id: "closed", conditions: [on("there")], requiresHooks: ["terms"] }),
      rawHook({ id: "missing", title: "Missing", conditions: [on("there")], ...without("gone.ts") }),
    ],
  },
  there: {},
  absent: {
    requirements: LOCATIONS,
    ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/absent" }],
    installation_questions: [{ question: "Team?", type: "text", key: "team", required: true }],
    hooks: [
      after("consented", { userOptional: {} }),
      after("quiet", { optional: true, scriptContent: "export async function run( {" }),
    ],
  },
};

async function open(): Promise<EngineWorld> {
  const world = await openWorld({ catalog: CATALOG });
  await settledTask(world.engine, (await world.engine.install("there")).id);
  return world;
}

const link = (hookId: string, target: string, install?: Record<string, object>) => ({
  hookId,
  runsOnAppId: "demo",
  targets: [target],
  ...(install !== undefined && { install }),
});

/** What an install refuses, as code and place. */
const REFUSED: readonly [name: string, appId: string, request: InstallRequest][] = [
  ["an app that is installed", "there", {}],
  ["an unknown answer", "demo", { answers: { nme: "x" } }],
  ["an unknown consent", "demo", { consents: { plain: true } }],
  ["an input of an unknown hook", "demo", { inputs: { nobody: {} } }],
  ["a link behind a consent that is off", "demo", { links: [link("closed", "there")] }],
  ["an unknown target", "demo", { links: [link("share", "nobody")] }],
  ["a target without its required answer", "demo", { links: [link("invite", "absent")] }],
];

/** Issue "To the letter", row 18. */
describe("preview says what install does", () => {
  it.each(REFUSED)("%s is a problem, where an install is refused for it", async (_, appId, request) => {
    const { engine } = await open();
    const refused = await engine.install(appId, request).catch((error: unknown) => error);
    const { code, details } = Object(refused);
    const { problems } = await engine.preview(appId, request);
    expect(problems.filter(({ severity }) => severity === "error").map((problem) => problem.code)).toContain(code);
    for (const { path, severity } of details.problems ?? []) {
      if (severity === "error") expect(problems).toContainEqual(expect.objectContaining({ path }));
    }
  });

  it("a task at work on the app is a problem", async () => {
    const { engine, host } = await open();
    host.script.hold("app.create");
    await engine.install("demo");
    expect((await engine.preview("demo")).problems.map(({ code }) => code)).toContain("TASK_CONFLICT");
  });

  it("hooks that fire, links, the installs they need and directories are those of the task; nothing is changed", async () => {
    const { engine, host } = await open();
    const before = [host.script.changes().length, engine.lastSeq()];
    const links = [link("invite", "absent", { absent: { answers: { team: "blue" } } }), link("share", "there")];
    const preview = await engine.preview("demo", { links });
    expect([host.script.changes().length, engine.lastSeq()]).toEqual(before);
    expect(preview.problems.filter(({ severity, path }) => severity === "error" && path[0] !== "hooks")).toEqual([]);

    const view = await settledTask(engine, (await engine.install("demo", { links })).id);
    const ofKind = (kind: string) => view.children.filter((child) => child.kind === kind);
    expect(preview.hooks.filter(({ fires }) => fires).map(({ id }) => id)).toEqual(
      ofKind("hook").map(({ hookId }) => hookId),
    );
    expect(preview.hooks.map(({ id, title, fires }) => `${id} ${title} ${fires}`)).toEqual([
      "plain Do plain true",
      "terms Do terms false",
      "behind Do behind false",
    ]);
    expect(preview.links.map(({ hookId }) => hookId)).toEqual(ofKind("link").map(({ hookId }) => hookId));
    expect(preview.installs.map(({ appId }) => appId)).toEqual(ofKind("install").map(({ appId }) => appId));
    expect(preview.installs[0]?.hooks.filter(({ fires }) => fires).map(({ id }) => id)).toEqual(
      ofKind("install")[0]?.children.map(({ hookId }) => hookId),
    );
    expect(view.result).toMatchObject({
      directories: expect.arrayContaining([preview.directories[0]?.["path"]]),
    });
    expect(view.marks).toEqual(expect.arrayContaining([...preview.marks]));
  });

  it("names the links it selects, their targets, and what of it does not run", async () => {
    const { engine } = await open();
    const install = { absent: { answers: { team: "blue" }, consents: { consented: false } } };
    const links = [link("missing", "there"), link("invite", "absent", install), link("share", "there")];
    const preview = await engine.preview("demo", { links });
    expect(preview).toMatchObject({ appId: "demo", name: "DEMO", mode: "install" });
    const there = { appId: "there", name: "THERE", label: "THERE", installed: true };
    const absent = { appId: "absent", name: "ABSENT", label: "Install and Connect to ABSENT", installed: false };
    expect(preview.links).toMatchObject([
      { title: "Missing", fires: false, targets: ["there"], rows: [there] },
      { title: "Invite", fires: true, targets: ["absent"], rows: [absent] },
      { title: "Share", fires: true, targets: ["there"], rows: [there] },
    ]);
    expect(preview.installs).toMatchObject([{ appId: "absent", name: "ABSENT", mode: "install" }]);
    expect(preview.installs[0]?.hooks).toMatchObject([{ id: "consented", consent: false, fires: false }]);

    const view = await settledTask(engine, (await engine.install("demo", { links })).id);
    expect(view.children.flatMap(({ kind, hookId }) => (kind === "link" ? [hookId] : []))).toEqual(["invite", "share"]);
    expect(view.marks).toEqual(expect.arrayContaining([...preview.marks]));
  });

  it("what the host has against it and does not refuse is advice with what to do; where it is enforced, a refusal", async () => {
    const catalog = { demo: { app_values: { network: { web_port: 30_013 } } } };
    const make = async (enforceRequirements: boolean) => {
      const { engine, host } = await openWorld({ catalog, engine: { enforceRequirements } });
      host.usedPorts = async () => [30_013];
      host.imageRegistry = async () => ({ fault: "Unable to connect" });
      return engine;
    };
    const codes = ["HOST_PORT_CONFLICT", "HOST_REGISTRY_UNREACHABLE"];
    const engine = await make(false);
    const preview = await engine.preview("demo");
    expect(preview.advice.map(({ code }) => code)).toEqual(codes);
    for (const { hint } of preview.advice) expect(hint).not.toBe("");
    expect(preview.problems).toEqual([]);
    expect((await settledTask(engine, (await engine.install("demo")).id)).state).toBe("COMPLETED");

    const strict = await make(true);
    const refused = await strict.preview("demo");
    expect(refused.advice).toEqual([]);
    expect(refused.problems).toMatchObject(codes.map((code) => ({ code, hint: expect.any(String) })));
    await expect(strict.install("demo")).rejects.toMatchObject({ code: codes[0] });
  });

  it("a host that is slow to say how its registry stands is not waited for long", async () => {
    const { engine, host } = await openWorld({ catalog: { demo: {} } });
    host.imageRegistry = () => new Promise(() => {});
    expect((await engine.preview("demo")).advice).toEqual([]);
  });

  it.for(["install", "upgrade"] as const)("its registry is asked for beside the rest, of an %s", async (mode) => {
    // Nothing ends a wait but an answer.
    const clock = createTestClock();
    const { engine, host } = await openWorld({ catalog: { demo: {} }, host: { deployingFor: 0 }, engine: { clock } });
    if (mode === "upgrade") await settledTask(engine, (await engine.install("demo")).id);
    // What the install was told is told again for a minute.
    clock.advance(60_000);
    const [registry, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { usedPorts, upgradeTarget } = host;
    const meet = async () => {
      rest.resolve();
      await registry.promise;
    };
    host.imageRegistry = async () => {
      registry.resolve();
      await rest.promise;
      return { fault: "Unable to connect" };
    };
    host.usedPorts = () => meet().then(usedPorts);
    host.upgradeTarget = (name) => meet().then(() => upgradeTarget(name));
    const { advice } = await engine.preview("demo", {}, mode);
    expect(advice.map(({ code }) => code)).toEqual(["HOST_REGISTRY_UNREACHABLE"]);
  });

  it("an update is shown without hooks", async () => {
    const { engine } = await open();
    expect(await engine.preview("there", {}, "options")).toMatchObject({ hooks: [], links: [], installs: [] });
  });
});

it.each(["form", "preview"] as const)("the %s of an update asks the host for its apps once", async (dialog) => {
  const { engine, host } = await open();
  const before = host.script.calls.length;
  await (dialog === "form" ? engine.form("there", "options") : engine.preview("there", {}, "options"));
  const methods = host.script.calls.slice(before).map(({ method }) => method);
  expect(methods.filter((method) => method === "app.query")).toEqual(["app.query"]);
});
