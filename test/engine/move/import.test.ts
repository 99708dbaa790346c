/** An export played on another box. */
import { describe, expect } from "vitest";
import { EXIT } from "../../../src/cli/ui/exit.ts";
import { findExitCode } from "../../../src/cli/ui/follow-task.ts";
import { renderImport } from "../../../src/cli/ui/import-text.ts";
import { LINKS_GROUP } from "../../../src/core/hooks/link-names.ts";
import type { Engine } from "../../../src/engine/api.ts";
import { readKeptChoices } from "../../../src/engine/vault/kept-choices.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { ImportPreview } from "../../../src/http/schemas/system/moves.ts";
import { Task } from "../../../src/http/schemas/tasks.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask, until } from "../../support/engine/engine-world.ts";
import { ANSWERS, LINK, MOVED_APPS, SECRETS, setUpHouse } from "../../support/engine/moved-house.ts";
import { faultOf, makeInstance } from "../../support/engine/scripted-world.ts";
import { exportedApp, exportOf } from "../../support/scripts/export-of.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";

const passphrase = "eight chars or more";
const POLICIES = { all: { mode: "automatic", cron: "0 3 * * *" }, apps: { notes: { mode: "manual" } } } as const;

/** Where this box has its locations: not where the other one has them. */
const HERE = { facts: { locations: { Media: "/mnt/pool/films" } } };

/** What the other box has written, with what its engine keeps of "notes". */
async function exportHouse() {
  const { engine, store } = await setUpHouse();
  await engine.setUpgradePolicies(POLICIES);
  const { file } = await engine.exportApps({ passphrase });
  return {
    file,
    there: readKeptChoices({ store }, "notes"),
    openly: (await engine.exportApps({ withoutSecrets: true })).file,
  };
}

/** An export that several tests play. */
const house = (() => {
  let made: ReturnType<typeof exportHouse> | undefined;
  return () => (made ??= exportHouse());
})();

const isConnected = async (engine: Engine) =>
  (await engine.app("notes"))?.pairings.map(({ status, target }) => [target.appId, status]);

/** Holds the first look of an adoption's task at its app. */
function holdAdoption({ host, store }: EngineWorld) {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const { app } = host;
  host.app = async (name) => {
    if (store.openEffects().some((effect) => effect.name === "host.app.adopt")) {
      begun.resolve();
      await held.promise;
    }
    return app(name);
  };
  return {
    begun: begun.promise,
    release() {
      host.app = app;
      held.resolve();
    },
  };
}

describe("importApps", () => {
  it("sets up another box with the same answers, secrets, consents, links and policies", async () => {
    const { file, there } = await house();
    const { engine, store, host } = await openWorld({ catalog: MOVED_APPS, host: HERE });
    const preview = await engine.previewImport({ file, passphrase });
    expect(preview).toMatchObject({
      apps: [
        { appId: "library", how: "install", script: { exported: "1.0.0", here: "1.0.0", isSame: true }, unused: [] },
        { appId: "notes", how: "install" },
      ],
      links: [LINK],
      leftOut: [],
      missingLocations: ["ApplicationsPerformance"],
      policies: "set",
    });
    expect(host.script.changes()).toEqual([]);
    const { id } = await engine.importApps({ file, passphrase });
    const task = await settledTask(engine, id);
    expect(task).toMatchObject({
      kind: "import",
      state: "COMPLETED",
      progress: 100,
      marks: [],
      result: { done: ["library", "notes", "link.notes.connect"], notDone: [], failed: [] },
    });
    expect(task.children.map(({ kind, appId, state }) => [kind, appId, state])).toEqual([
      ["install", "library", "COMPLETED"],
      ["install", "notes", "COMPLETED"],
      ["link", "notes", "COMPLETED"],
    ]);
    expect(task.children.map(({ title }) => title)).toEqual(["Install LIBRARY", "Install NOTES", "Connect"]);
    expect(task.children.map(({ group }) => group)).toEqual([undefined, undefined, LINKS_GROUP]);
    expect(task.children[1]?.children.map(({ hookId }) => hookId)).toEqual(["index"]);
    expect(await isConnected(engine)).toEqual([["library", "connected"]]);
    expect(await engine.upgradePolicies()).toMatchObject(POLICIES);
    const here = readKeptChoices({ store }, "notes");
    expect(here).toEqual({ ...there, answers: { ...there?.answers, folder: "/mnt/pool/films/notes" } });
    expect(host.script.world.instances.get("notes")?.values).toMatchObject({
      ...ANSWERS,
      key: Object.values(there?.randoms ?? {})[0],
    });
    for (const secret of SECRETS) expect(JSON.stringify([task, engine.audit(), preview])).not.toContain(secret);
    await expect(engine.importApps({ file, passphrase })).rejects.toMatchObject({ code: "IMPORT_NONE" });
    const again = await engine.exportApps({ passphrase });
    expect(again).toMatchObject({ apps: ["library", "notes"], links: 1, sealed: true });
  });

  it("leaves what is there as it is, also policies, and takes up the rest over HTTP", async () => {
    const { file } = await house();
    const { engine, store } = await openWorld({ catalog: MOVED_APPS });
    await settledTask(engine, (await engine.install("library")).id);
    await engine.setUpgradePolicies({ all: { mode: "automatic", cron: "0 4 * * *" } });
    const before = readKeptChoices({ store }, "library");
    const http = createHttpApp(engine);
    const post = (path: string) =>
      http.request(`/api/import${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ file, passphrase }),
      });
    const preview = ImportPreview.parse(await (await post("/preview")).json());
    expect(preview).toMatchObject({
      apps: [{ appId: "library", how: "present" }, { how: "install" }],
      policies: "kept",
    });
    const started = await post("");
    expect(started.status).toBe(202);
    const task = await settledTask(engine, Task.parse(await started.json()).id);
    expect(task).toMatchObject({ state: "COMPLETED", result: { done: ["notes", "link.notes.connect"] } });
    expect(Task.parse(task)).toMatchObject({ kind: "import" });
    expect(readKeptChoices({ store }, "library")).toEqual(before);
    expect((await engine.upgradePolicies()).all).toMatchObject({ cron: "0 4 * * *" });
  });

  it("adopts an app that is here by other means as it runs, killed in the middle too, and links it", async () => {
    const { file } = await house();
    const { greeting: _, ...told } = { ...ANSWERS, password: "set here here", folder: "/mnt/pool/films/notes" };
    const world = await openWorld({
      catalog: MOVED_APPS,
      host: { ...HERE, instances: [makeInstance("notes", { ...told, key: "generated here", own: 1 })] },
    });
    const preview = await world.engine.previewImport({ file, passphrase });
    expect(preview).toMatchObject({
      apps: [
        { appId: "library", how: "install" },
        {
          appId: "notes",
          how: "adopt",
          script: { exported: "1.0.0", here: "1.0.0", isSame: true },
          adopted: { fromExport: ["greeting"], other: ["password"], unknown: [] },
        },
      ],
      links: [LINK],
      leftOut: [],
    });
    expect(ImportPreview.parse(preview)).toEqual(preview);
    const given = await world.engine.previewImport({ file, passphrase, answers: { notes: { greeting: "given" } } });
    expect(given.apps[1]).toMatchObject({ how: "adopt", adopted: { fromExport: [], unknown: [] } });
    expect(renderImport(preview)).toContainEqual(
      expect.stringMatching(
        /^ {2}adopt: NOTES \(answered by the export: greeting; stays as it is here, other than in the export: password\)$/,
      ),
    );
    expect(world.engine.tasks()).toEqual([]);
    const look = holdAdoption(world);
    const { id } = await world.engine.importApps({ file, passphrase });
    await look.begun;
    const dying = world.crash();
    look.release();
    const { engine, store, host } = await dying;
    const task = await settledTask(engine, id);
    expect(task).toMatchObject({
      state: "COMPLETED",
      result: { done: ["library", "notes", "link.notes.connect"], notDone: [], failed: [] },
    });
    expect(task.children.map(({ kind, appId, state }) => [kind, appId, state])).toEqual([
      ["install", "library", "COMPLETED"],
      ["adopt", "notes", "COMPLETED"],
      ["link", "notes", "COMPLETED"],
    ]);
    expect(Task.parse(task)).toMatchObject({ kind: "import" });
    expect(host.script.changes().map(({ method }) => method)).toEqual(["app.create"]);
    expect(readKeptChoices({ store }, "notes")).toMatchObject({
      answers: { ...told, greeting: ANSWERS.greeting },
      randoms: { '["app_values","key"]': "generated here" },
    });
    expect(await isConnected(engine)).toEqual([["library", "connected"]]);
    expect((await engine.lookForDrift()).findings).toEqual([]);
    for (const secret of [...SECRETS, told.password]) {
      expect(JSON.stringify([task, engine.audit(), preview])).not.toContain(secret);
    }
    await expect(engine.previewAdopt("notes")).rejects.toMatchObject({ code: "TASK_ADOPT_KNOWN" });
    await expect(engine.importApps({ file, passphrase })).rejects.toMatchObject({ code: "IMPORT_NONE" });
  });

  it("adopts again what it took away itself, leaves out what it can't adopt, and a person stops it", async () => {
    const { file } = await house();
    const world = await openWorld({ catalog: MOVED_APPS });
    const { engine, host } = world;
    await settledTask(engine, (await engine.install("library", { answers: { token: "of this box" } })).id);
    await settledTask(engine, (await engine.uninstall("library")).id);
    host.script.world.instances.set(...makeInstance("library", { token: "of others" }));
    host.script.world.instances.set(...makeInstance("notes", {}, { custom: true }));
    const request = { file, passphrase };
    expect(await engine.previewImport(request)).toMatchObject({
      apps: [{ appId: "library", how: "adopt", adopted: { other: ["token"] } }],
      leftOut: [{ appId: "notes", code: "TASK_ADOPT_CUSTOM" }],
      links: [LINK],
    });
    const given = await engine.previewImport({ ...request, answers: { library: { token: "none of its own" } } });
    expect(given.leftOut[0]).toMatchObject({ appId: "library", code: "ANSWER_NOT_TAKEN", questions: ["token"] });
    const look = holdAdoption(world);
    const { id } = await engine.importApps(request);
    await look.begun;
    await engine.cancel(id);
    look.release();
    const task = await settledTask(engine, id);
    expect(task).toMatchObject({ state: "CANCELLED", result: { notDone: ["library", "link.notes.connect"] } });
    expect(task.children.map(({ kind, state }) => [kind, state])).toEqual([
      ["adopt", "CANCELLED"],
      ["link", "CANCELLED"],
    ]);
  });

  it("goes on after an app that fails, and begins no link that needs it", async () => {
    const { file } = await house();
    const { engine, host } = await openWorld({ catalog: MOVED_APPS });
    host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "no") });
    const task = await settledTask(engine, (await engine.importApps({ file, passphrase })).id);
    expect(task).toMatchObject({
      state: "COMPLETED",
      result: { done: ["notes"], notDone: ["library", "link.notes.connect"], failed: ["library"] },
      remarks: [{ code: "linkDropped", params: { reason: 'link.notes.connect: "library" is not there' } }],
    });
    expect(task.children.map(({ state }) => state)).toEqual(["FAILED", "COMPLETED", "CANCELLED"]);
    expect(findExitCode(task)).toBe(EXIT.failed);
    // What failed is retried alone, and the import played again links it.
    await engine.retry(task.children[0]?.id ?? "");
    await settledTask(engine, task.id);
    const second = await settledTask(engine, (await engine.importApps({ file, passphrase })).id);
    expect(second).toMatchObject({ state: "COMPLETED", result: { done: ["link.notes.connect"] } });
    expect(await isConnected(engine)).toEqual([["library", "connected"]]);
  });

  it("leaves out what can't be set up here, and says which answers it takes", async () => {
    const { openly, file } = await house();
    const { engine } = await openWorld({ catalog: { notes: MOVED_APPS["notes"] ?? {} } });
    const preview = await engine.previewImport({ file: openly });
    expect(preview).toMatchObject({
      apps: [],
      links: [],
      leftOut: [
        { appId: "library", code: "TASK_APP_UNKNOWN" },
        { appId: "notes", code: "ANSWER_REQUIRED", questions: ["password"] },
        { appId: "notes", hookId: "connect", code: "TASK_APP_NOT_INSTALLED" },
      ],
    });
    const answers = { notes: { password: "another one" } };
    const request = { file, withoutSecrets: true, answers };
    expect(await engine.previewImport(request)).toMatchObject({ apps: [{ appId: "notes", how: "install" }] });
    const task = await settledTask(engine, (await engine.importApps(request)).id);
    expect(task).toMatchObject({ state: "COMPLETED", result: { done: ["notes"] } });
    expect(task.remarks.map(({ code }) => code)).toEqual(["leftOut", "linkDropped"]);
    await expect(engine.previewImport({ file })).rejects.toMatchObject({ code: "EXPORT_PASSPHRASE_MISSING" });
  });

  it("goes on where it was after the engine died, and stops where a person says so", async () => {
    const { file } = await house();
    const world = await openWorld({ catalog: MOVED_APPS });
    const release = world.host.script.hold("app.create");
    const { id } = await world.engine.importApps({ file, passphrase });
    await expect(world.engine.importApps({ file, passphrase })).rejects.toMatchObject({ code: "TASK_CONFLICT" });
    await until(world.engine, () => world.store.openEffects().some(({ name }) => name === "host.app.create"));
    const { engine, host } = await world.crash();
    release();
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { notDone: [], failed: [] } });
    expect(host.script.changes().filter(({ method }) => method === "app.create")).toHaveLength(2);
    expect(await engine.upgradePolicies()).toMatchObject(POLICIES);

    const other = await openWorld({ catalog: MOVED_APPS });
    const letGo = other.host.script.hold("app.create");
    const stopped = await other.engine.importApps({ file, passphrase });
    await other.engine.cancel(stopped.id);
    letGo();
    expect(await settledTask(other.engine, stopped.id)).toMatchObject({ state: "CANCELLED" });
    expect(await other.engine.upgradePolicies()).toMatchObject({ all: { mode: "manual" } });
  });

  it("takes what a hostile file says for data: no macro, no way out of a location, no secret of another app", async () => {
    const catalog = {
      ...MOVED_APPS,
      files: {
        requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
        installation_questions: [{ question: "Folder?", type: "text", key: "folder" }],
        ensure_directories_exists: [{ path: "$LOCATION(Media)/$QUESTION(folder)" }],
      },
    };
    const { engine, store } = await openWorld({ catalog, host: HERE });
    await settledTask(engine, (await engine.install("library", { answers: { token: "of this box" } })).id);
    const greeting = "$QUESTION(password) $RANDOM_STRING(9) $QUESTION(token)";
    const file = exportOf("notes", {
      locations: { Media: "/", "../..": "/mnt" },
      apps: [
        { ...exportedApp("files"), answers: { folder: "../../etc" } },
        { ...exportedApp("notes"), answers: { user: "eve", password: "typed by eve", greeting, library: "token" } },
        { ...exportedApp("library"), answers: { token: greeting } },
      ],
    });
    const preview = await engine.previewImport({ file });
    expect(preview).toMatchObject({
      apps: [{ how: "present" }, { appId: "notes", how: "install", unused: ["library"] }],
      leftOut: [{ appId: "files", code: "DIRECTORY_OUTSIDE" }],
    });
    await settledTask(engine, (await engine.importApps({ file })).id);
    expect(readKeptChoices({ store }, "notes")?.answers).toMatchObject({ greeting });
    expect(readKeptChoices({ store }, "library")?.answers).toEqual({ token: "of this box" });
  });

  it("offers the inputs of a link what the app it adopts was set up with", async () => {
    const who = { question: "Who?", type: "text", key: "who", default: "$QUESTION(user)" };
    const hook = rawHook({ conditions: [on("library")], inputs: [{ type: "question", id: "who", question: who }] });
    const { engine } = await openWorld({
      catalog: { ...MOVED_APPS, notes: { ...MOVED_APPS["notes"], hooks: [hook] } },
      host: { ...HERE, instances: [makeInstance("notes", { user: "ada", password: "theirs here", key: "k" })] },
    });
    await settledTask(engine, (await engine.install("library")).id);
    const task = await settledTask(
      engine,
      (await engine.importApps({ file: exportOf("notes", { links: [LINK] }) })).id,
    );
    const link = task.children.find(({ kind }) => kind === "link");
    expect(link?.waitingFor?.detail).toMatchObject({ inputs: [{ question: { default: "ada" } }] });
    await engine.input(link?.id ?? "", {});
    expect(await settledTask(engine, task.id)).toMatchObject({ state: "COMPLETED", result: { notDone: [] } });
  });

  it("tells two links apart whose apps and hooks make one name together", async () => {
    const linking = (id: string) => ({ hooks: [rawHook({ id, conditions: [on("library")] })] });
    const catalog = { library: {}, a: linking("b-c"), "a-b": linking("c"), "link-a-b-c": {} };
    const { engine } = await openWorld({ catalog });
    const links = [
      { runsOnAppId: "a", hookId: "b-c", targets: ["library"] },
      { runsOnAppId: "a-b", hookId: "c", targets: ["library"] },
    ];
    const file = exportOf("a", { apps: Object.keys(catalog).map(exportedApp), links });
    const task = await settledTask(engine, (await engine.importApps({ file })).id);
    expect(task).toMatchObject({ state: "COMPLETED", result: { notDone: [] } });
    expect(task.children.map(({ kind, appId }) => [kind, appId])).toEqual([
      ["install", "library"],
      ["install", "a"],
      ["install", "a-b"],
      ["install", "link-a-b-c"],
      ["link", "a"],
      ["link", "a-b"],
    ]);
  });

  it("begins no link of an app that somebody is changing", async () => {
    const { engine, host, store } = await openWorld({ catalog: MOVED_APPS });
    await settledTask(engine, (await engine.install("library")).id);
    await settledTask(engine, (await engine.install("notes", { answers: ANSWERS })).id);
    const release = host.script.hold("app.update");
    const update = await engine.update("notes", { answers: { greeting: "another" } });
    await until(engine, () => store.openEffects().some(({ name }) => name === "host.app.update"));
    const file = exportOf("notes", { links: [LINK] });
    const conflict = { appId: "notes", code: "TASK_CONFLICT" };
    expect((await engine.previewImport({ file })).leftOut).toMatchObject([
      conflict,
      { ...conflict, hookId: "connect" },
    ]);
    await expect(engine.importApps({ file })).rejects.toMatchObject({ code: "IMPORT_NONE" });
    release();
    await settledTask(engine, update.id);
    const task = await settledTask(engine, (await engine.importApps({ file })).id);
    expect(task).toMatchObject({ result: { done: ["link.notes.connect"] } });
  });

  it("leaves out a link whose hook was dropped", async () => {
    const hook = rawHook({ id: "connect", conditions: [on("library")], scriptContent: "export {" });
    const { engine } = await openWorld({
      catalog: { ...MOVED_APPS, notes: { ...MOVED_APPS["notes"], hooks: [hook] } },
    });
    await settledTask(engine, (await engine.install("library")).id);
    await settledTask(engine, (await engine.install("notes", { answers: ANSWERS })).id);
    const { leftOut } = await engine.previewImport({ file: exportOf("notes", { links: [LINK] }) });
    expect(leftOut).toContainEqual(
      expect.objectContaining({ appId: "notes", hookId: "connect", code: "TASK_HOOK_DROPPED" }),
    );
  });

  it("keeps a generated password the app runs with where its configuration alone does not tell it", async () => {
    const catalog = { store: { app_values: { url: "pg:$RANDOM_STRING(12)@$SERVER_LAN_IP" } } };
    const there = await openWorld({ catalog });
    await settledTask(there.engine, (await there.engine.install("store")).id);
    const { file } = await there.engine.exportApps({ passphrase });
    const url = there.host.script.world.instances.get("store")?.values["url"] ?? null;
    const { engine, host } = await openWorld({ catalog, host: { instances: [makeInstance("store", { url })] } });
    await settledTask(engine, (await engine.importApps({ file, passphrase })).id);
    await settledTask(engine, (await engine.update("store")).id);
    expect(host.script.world.instances.get("store")?.values["url"]).toBe(url);
    expect(url).toMatch(/^pg:.{12}@./);
  });

  it("takes no passphrase for a file whose seal somebody took away, and may have changed the rest", async () => {
    const { openly } = await house();
    const { engine } = await openWorld({ catalog: MOVED_APPS });
    await expect(engine.previewImport({ file: openly, passphrase })).rejects.toMatchObject({
      code: "EXPORT_PASSPHRASE_WRONG",
    });
    expect(await engine.previewImport({ file: openly, passphrase, withoutSecrets: true })).toMatchObject({
      apps: [{ appId: "library" }],
    });
  });

  it("plans a file made to keep the engine busy, and tells of the first it leaves out", async () => {
    const { engine } = await openWorld({ catalog: MOVED_APPS });
    const file = exportOf("library", {
      locations: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`at${at}`, `/${at}`])),
      apps: [
        exportedApp("library"),
        { ...exportedApp("notes"), answers: { user: "eve", password: "typed by eve", unused: Array(20_000).fill("") } },
      ],
      links: Array.from({ length: 1_500 }, (_, at) => ({
        runsOnAppId: "notes",
        hookId: `none${at}`,
        targets: ["library"],
      })),
    });
    expect((await engine.previewImport({ file })).leftOut).toHaveLength(1_500);
    const task = await settledTask(engine, (await engine.importApps({ file })).id);
    expect(task).toMatchObject({ state: "COMPLETED", result: { done: ["library", "notes"] } });
    expect(task.marks).toHaveLength(51);
    expect(task.marks.at(-1)).toBe("leftOut: 1450 more parts of the export, which its preview lists");
    const left = await engine.importApps({ file }).catch((error: Error) => error.message);
    expect(String(left).length).toBeLessThan(10_000);
  });
});
