/** Every cell of the README's table of calls: the engine dies while a hook runs, and another one goes on with the hook. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, vi } from "vitest";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { listChildren } from "../../../sandbox/process/use.ts";
import { createSandbox, type SandboxOptions } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import { type AppServer, startApp } from "../../sandbox/app-server.ts";
import { closeAfterTest, it, openWorld, sandbox } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask, until } from "../../support/engine/engine-world.ts";

const WENT_ON = "[slipway] went on after a restart";
const HOUR_MS = 3_600_000;
/** What `/kept` answers, and nothing else says. */
const KEPT = "kept-5b1f0c";
const METHODS = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "POST", "PATCH"];

interface StandingApp extends AppServer {
  /** Requests to this path so far. */
  count(path: string): number;
}

/** `/kept` answers; `/open` answers all but its first request, which is under way when the engine dies. */
async function startStandingApp(): Promise<StandingApp> {
  let wasAsked = false;
  const open = () => {
    const reply = wasAsked ? { body: "opened" } : null;
    wasAsked = true;
    return reply;
  };
  const routes = METHODS.flatMap((method) => [
    [`${method} /open`, open],
    [`${method} /kept`, () => ({ body: KEPT })],
  ]);
  const app = await startApp(Object.fromEntries(routes));
  closeAfterTest({ close: async () => app[Symbol.asyncDispose]() });
  return { ...app, count: (path) => app.received.filter((request) => request.path === path).length };
}

interface Pressed {
  readonly world: EngineWorld;
  readonly id: string;
  readonly app: StandingApp;
}

interface Around {
  readonly rerun?: string;
  readonly sandbox?: Partial<SandboxOptions>;
  /** What the sandbox is given in place of the script's code. */
  readonly code?: (code: string) => string;
  /** Folder that stands for the host's root. */
  readonly localRoot?: string;
}

/** A hook with this body, pressed on an installed app. */
async function press(body: string, { rerun = "refuse", localRoot, code, ...around }: Around = {}): Promise<Pressed> {
  const app = await startStandingApp();
  const own =
    around.sandbox &&
    createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }), ...around.sandbox });
  if (own !== undefined) closeAfterTest(own);
  const used = own ?? sandbox;
  const world = await openWorld({
    catalog: {
      demo: {
        requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [app.port] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)/data" }],
        app_values: {
          network: { web_port: { port_number: app.port } },
          storage: { data: "$MOUNTED_HOST_PATH($LOCATION(Media)/data, /data)" },
        },
        hooks: [
          {
            id: "setup",
            title: "Set up",
            events: ["userAction"],
            rerun,
            entrypoint: "run",
            scriptContent: `import fs from "node:fs"; import { Database } from "bun:sqlite";
              export async function run(ctx) { ${body} }`,
          },
        ],
      },
      other: {},
    },
    host: { datasets: ["tank", "tank/media"], ...(localRoot !== undefined && { localRoot }) },
    engine: { sandbox: code === undefined ? used : { ...used, run: recode(used, code) } },
  });
  await settledTask(world.engine, (await world.engine.install("demo")).id);
  const { id } = await world.engine.runAction("demo", "setup");
  return { world, id, app };
}

function recode({ run }: Sandbox, code: (code: string) => string): Sandbox["run"] {
  return (request, scriptHost) =>
    run({ ...request, script: { ...request.script, code: code(request.script.code) } }, scriptHost);
}

/** Waits until the request that stays open is under way, and as many lines are on disk, then has the engine die. */
async function crashAtOpen({ world, app, id }: Pressed, lines: number): Promise<EngineWorld> {
  const standing = () => [app.count("/open"), linesOf(world, id).length];
  await expect.poll(standing).toEqual([1, lines]);
  return world.crash();
}

/** Has the engine die once an event of this type is on disk, and nothing after it. */
async function crashAfter({ store, copy }: EngineWorld, type: string): Promise<EngineWorld> {
  const { commit } = store;
  const copied = Promise.withResolvers<() => Promise<EngineWorld>>();
  const committing = vi.spyOn(store, "commit").mockImplementation((turn) => {
    const committed = commit(turn);
    if (turn.log.some(({ event }) => event.type === type)) {
      copied.resolve(copy());
      // neither would the rollback witness know of it
      committing.mockReturnValue({ logged: [] });
      vi.spyOn(store, "writeJournals").mockReturnValue();
    }
    return committed;
  });
  return (await copied.promise)();
}

function isBundler(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("bundler");
}

function linesOf({ store }: EngineWorld, id: string): readonly string[] {
  return store.hookLog(id, 100).map(({ line }) => line);
}

function eventsOf({ store }: EngineWorld, id: string, type: string): number {
  return store.taskLog(id).filter(({ event }) => event.type === type).length;
}

describe("a hook that ran when the engine died", () => {
  it.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])(
    "has the outcome of a %s, and sends one again that was under way",
    async (method) => {
      const pressed = await press(`
        const ask = async (path) => (await fetch(ctx.baseUrl + path, { method: "${method}" })).status;
        ctx.log("kept " + await ask("/kept"));
        ctx.log("open " + await ask("/open"));`);
      const world = await crashAtOpen(pressed, 1);
      const { app, id } = pressed;
      expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
      expect([app.count("/kept"), app.count("/open")]).toEqual([1, 2]);
      expect(linesOf(world, id)).toEqual(["kept 200", WENT_ON, "open 200"]);
      expect(["run.started", "run.resumed"].map((type) => eventsOf(world, id, type))).toEqual([1, 1]);
    },
  );

  const SENDS = (method: string) => `
    const send = (path) => fetch(ctx.baseUrl + path, { method: "${method}", body: "x" });
    ctx.log("kept " + (await send("/kept")).status);
    ctx.log("open " + await send("/open").then(({ status }) => status, ({ code }) => code));
    await ctx.awaitCheckpointRetry("end", "is it so?");`;

  it.each([
    ["POST", "idempotent"],
    ["PATCH", "converge"],
  ])("has the outcome of a %s, and sends one again that was under way where rerun is %s", async (method, rerun) => {
    const pressed = await press(SENDS(method), { rerun });
    const world = await crashAtOpen(pressed, 1);
    const { app, id } = pressed;
    await settledTask(world.engine, id);
    expect([app.count("/kept"), app.count("/open")]).toEqual([1, 2]);
    expect(linesOf(world, id)).toEqual(["kept 200", WENT_ON, "open 200"]);
    expect(eventsOf(world, id, "run.uncertain")).toBe(0);
  });

  it.each([
    ["POST", "retry", "open 200", 2],
    ["PATCH", "skip", "open outcome_unknown", 1],
  ] as const)(
    "asks about a %s that was under way, shown with method, address and time, and keeps the %s",
    async (method, choice, line, sent) => {
      const pressed = await press(SENDS(method));
      const world = await crashAtOpen(pressed, 1);
      const { app, id } = pressed;
      const url = `${app.url}/open`;
      const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
      expect(await settledTask(world.engine, id)).toMatchObject({
        state: "AWAITING_RETRY",
        failure: { code: "TASK_REQUEST_UNCERTAIN" },
        waitingFor: { detail: { request: { method, url, at } } },
      });
      expect([app.count("/kept"), app.count("/open")]).toEqual([1, 1]);
      await world.engine[choice](id);
      await until(world.engine, () => linesOf(world, id).includes(line));
      expect([app.count("/kept"), app.count("/open")]).toEqual([1, sent]);
      const again = await world.crash();
      await until(again.engine, () => again.engine.task(id)?.waitingFor?.kind === "person");
      await again.engine.skip(id);
      expect(await settledTask(again.engine, id)).toMatchObject({ state: "COMPLETED" });
      expect([app.count("/kept"), app.count("/open")]).toEqual([1, sent]);
      expect(eventsOf(again, id, "run.uncertain")).toBe(1);
    },
  );

  it("has told checkpoints, messages and progress once", async () => {
    const pressed = await press(`
      await ctx.registerCheckpoints([{ id: "a", message: "A" }, { id: "b", message: "B" }]);
      await ctx.emitCheckpoint("a");
      await ctx.updateCheckpointMessage("b", "B at work");
      await ctx.setProgress(60);
      await fetch(ctx.baseUrl + "/open");
      await ctx.emitCheckpoint("b");`);
    const { world: before, id } = pressed;
    await until(before.engine, () => before.engine.task(id)?.progress === 60);
    const world = await crashAtOpen(pressed, 0);
    expect(await settledTask(world.engine, id)).toMatchObject({
      state: "COMPLETED",
      checkpoints: [
        { id: "a", message: "A", state: "COMPLETED" },
        { id: "b", message: "B at work", state: "COMPLETED" },
      ],
    });
    const told = ["script.registered", "script.message", "script.completed", "script.progress"];
    expect(told.map((type) => eventsOf(world, id, type))).toEqual([2, 1, 2, 1]);
  });

  it.each([
    ["registerCheckpoints", `await ctx.registerCheckpoints(["a", "b"].map((id) => ({ id: id + now, message: id })));`],
    ["emitCheckpoint", `await ctx.emitCheckpoint("a" + now);`],
    ["skipCheckpoint", `await ctx.skipCheckpoint("a" + now);`],
    ["updateCheckpointMessage", `await ctx.updateCheckpointMessage("a" + now, "at work");`],
    ["awaitCheckpointRetry", `await ctx.awaitCheckpointRetry("a" + now, "is it so?");`],
  ])(
    "knows the checkpoints that only the first event of %s had told, though their names come of the time",
    async (name, call) => {
      const { world: before, id } = await press(`const now = Date.now() + crypto.randomUUID(); ${call}`);
      const world = await crashAfter(before, "script.registered");
      const told = (await settledTask(world.engine, id)).checkpoints;
      if (name === "awaitCheckpointRetry") await world.engine.retry(id);
      expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
      expect(told.map((checkpoint) => checkpoint.id[0])).toEqual(name === "registerCheckpoints" ? ["a", "b"] : ["a"]);
      expect(eventsOf(world, id, "script.registered")).toBe(told.length);
    },
  );

  it.each([
    ["script.message", `await ctx.updateCheckpointMessage("a", "at " + Date.now());`],
    ["script.progress", `await ctx.setProgress(Date.now() % 97);`],
  ])("tells a %s once that comes of the time", async (type, call) => {
    const { world: before, id } = await press(`await ctx.registerCheckpoints([{ id: "a", message: "A" }]); ${call}`);
    const world = await crashAfter(before, type);
    expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(eventsOf(world, id, type)).toBe(1);
  });

  it("waits the rest of a sleep, and beside a request what was left when the engine stopped", async () => {
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    const alone = await press(`ctx.log("sleeps"); await ctx.sleep(${HOUR_MS}); ctx.log("woke");`, { sandbox: clock });
    await expect.poll(() => linesOf(alone.world, alone.id)).toEqual(["sleeps"]);
    const beside = await press(
      `ctx.log("asks"); const slept = ctx.sleep(${HOUR_MS}).then(() => "woke");
      ctx.log(await Promise.race([slept, fetch(ctx.baseUrl + "/open").then((response) => response.text())]));`,
      { sandbox: clock },
    );
    await expect.poll(() => beside.app.count("/open")).toBe(1);
    // what is told is on the disk, and with it the time of before
    await expect.poll(() => linesOf(beside.world, beside.id)).toEqual(["asks"]);
    ahead = HOUR_MS;
    const [first, second] = [await alone.world.crash(), await beside.world.crash()];
    await settledTask(first.engine, alone.id);
    expect(linesOf(first, alone.id)).toEqual(["sleeps", WENT_ON, "woke"]);
    await settledTask(second.engine, beside.id);
    expect(linesOf(second, beside.id)).toEqual(["asks", WENT_ON, "opened"]);
  });

  it("has what waitForApp, getInstalledAppUrl, files and SQLite answered, and asks again what they had not", async () => {
    const localRoot = mkdtempSync(join(tmpdir(), "slipway-after-"));
    onTestFinished(() => rmSync(localRoot, { recursive: true }));
    const data = join(localRoot, "mnt/tank/media/data");
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "text"), "before");
    const database = new Database(join(data, "x.db"));
    database.exec("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('before')");
    const pressed = await press(
      `const path = (name) => ctx.mounts[0].localPath + "/" + name;
      const told = [(await ctx.waitForApp("/kept")).status, await ctx.getInstalledAppUrl("demo") === ctx.baseUrl];
      told.push(fs.readFileSync(path("text"), "utf8"), await fs.promises.readFile(path("text"), "utf8"));
      const db = new Database(path("x.db"), { readonly: true });
      told.push(db.query("SELECT v FROM t").get().v);
      ctx.log(JSON.stringify(told));
      await ctx.waitForApp("/open", { initialDelayMs: 50, timeoutMs: 60000 });
      ctx.log(JSON.stringify(told));
      ctx.log(JSON.stringify([fs.readFileSync(path("text"), "utf8"), db.query("SELECT v FROM t").get().v]));`,
      { localRoot },
    );
    const { world: before, app, id } = pressed;
    await expect.poll(() => linesOf(before, id).length).toBe(1);
    writeFileSync(join(data, "text"), "after");
    database.exec("UPDATE t SET v = 'after'");
    database.close();
    const world = await crashAtOpen(pressed, 1);
    expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
    const told = JSON.stringify([200, true, "before", "before", "before"]);
    expect(linesOf(world, id)).toEqual([told, WENT_ON, told, JSON.stringify(["after", "after"])]);
    expect([app.count("/kept"), app.count("/open")]).toEqual([1, 2]);
  });

  it("has the time and the chance it had, and the values of crypto", async () => {
    const pressed = await press(`
      const had = [Date.now(), new Date().toISOString(), performance.now(), Math.random(), crypto.randomUUID()];
      ctx.log(JSON.stringify(had));
      await fetch(ctx.baseUrl + "/open");
      ctx.log(JSON.stringify(had));
      ctx.log(String(Date.now() > had[0] && Math.random() !== had[3] && crypto.randomUUID() !== had[4]));`);
    const world = await crashAtOpen(pressed, 1);
    await settledTask(world.engine, pressed.id);
    const [had, wentOn, still, goesOn] = linesOf(world, pressed.id);
    expect([still, wentOn, goesOn]).toEqual([had, WENT_ON, "true"]);
  });

  it("keeps no process while it waits for a person, and goes on with the press after restarts", async () => {
    let others: readonly number[] = [];
    const own = () => listChildren(process.pid).filter((pid) => !others.includes(pid) && !isBundler(pid));
    const pressed = await press(
      `const had = Math.random();
      ctx.log("asks " + had);
      ctx.log(await ctx.awaitCheckpointRetry("a", "is it so?") + " " + had);`,
      {
        sandbox: { parkMs: 0, keepWarmChild: false },
        // not before: the file's own sandbox may still be starting a child for the tests to come
        code: (code) => {
          others = listChildren(process.pid);
          return code;
        },
      },
    );
    const { world: first, id } = pressed;
    await until(first.engine, () => first.engine.task(id)?.state === "AWAITING_RETRY");
    await expect.poll(own).toEqual([]);
    const second = await first.crash();
    const third = await second.restart();
    expect(await settledTask(third.engine, id)).toMatchObject({ state: "AWAITING_RETRY" });
    await third.engine.retry(id);
    expect(await settledTask(third.engine, id)).toMatchObject({ state: "COMPLETED" });
    const had = linesOf(third, id)[0]?.replace("asks ", "");
    expect(linesOf(third, id).filter((line) => line !== WENT_ON)).toEqual([`asks ${had}`, `retry ${had}`]);
  });

  it.each([
    ["the engine that asked", async (world: EngineWorld) => world],
    ["the next one, where it stands again,", (world: EngineWorld) => world.crash()],
  ])(
    "asks once at a checkpoint two parts of it wait at, and a press brought to %s answers both",
    async (_who, reach) => {
      const { world, id } = await press(`
      const ask = async (part) => ctx.log(part + " " + await ctx.awaitCheckpointRetry("a", part + " is locked"));
      await Promise.all([ask("first"), ask("second")]);`);
      expect(await settledTask(world.engine, id)).toMatchObject({
        state: "AWAITING_RETRY",
        failure: { message: "first is locked" },
      });
      const reached = await reach(world);
      await until(reached.engine, () => reached === world || linesOf(reached, id).includes(WENT_ON));
      await reached.engine.retry(id);
      expect(await settledTask(reached.engine, id)).toMatchObject({ state: "COMPLETED" });
      expect(linesOf(reached, id).filter((line) => line !== WENT_ON)).toEqual(["first retry", "second retry"]);
      expect(eventsOf(reached, id, "script.failed")).toBe(1);
    },
  );

  it("goes on once the disk answers again, whose error it met when its journal was to be read", async () => {
    const { world, id } = await press(`ctx.log(await ctx.awaitCheckpointRetry("a", "is it so?"));`, {
      sandbox: { alwaysReplay: true },
    });
    await until(world.engine, () => world.engine.task(id)?.state === "AWAITING_RETRY");
    const reading = vi.spyOn(world.store, "journal").mockImplementationOnce(() => {
      throw new EngineError("STORE_LOCKED", "database is locked");
    });
    await world.engine.retry(id);
    expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(linesOf(world, id)).toEqual(["retry"]);
    expect(reading.mock.settledResults.map(({ type }) => type)).toContain("rejected");
  });

  it("begins again where its journal was given up, as it was marked", async () => {
    const pressed = await press(`
      ctx.log("begins");
      for (let call = 0; call < 2000; call++) {
        crypto.randomUUID();
        if (call % 100 === 0) await ctx.sleep(0);
      }
      await fetch(ctx.baseUrl + "/open");`);
    const { world: before, app, id } = pressed;
    await until(before.engine, () => before.engine.task(id)?.marks.includes("notResumable") === true);
    const world = await crashAtOpen(pressed, 2);
    expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
    const lines = ["begins", "[slipway] a restart from now on begins this hook again: more than 2000 calls"];
    expect(linesOf(world, id)).toEqual([...lines, ...lines]);
    expect(["run.started", "run.resumed"].map((type) => eventsOf(world, id, type))).toEqual([2, 0]);
    expect(app.count("/open")).toBe(2);
  });

  it("shows nobody what was kept of it", async () => {
    const { world, id } = await press(`
      const token = await (await fetch(ctx.baseUrl + "/kept")).text();
      await ctx.awaitCheckpointRetry("a", "is it so, of " + token.length + " characters?");`);
    const { engine, store } = world;
    const task = await settledTask(engine, id);
    const [{ id: effectId = "" } = {}] = store.openEffects(id);
    const kept = Buffer.concat(store.journal(effectId).rows.map(({ bytes }) => bytes));
    expect(kept.toString()).toContain(KEPT);
    const shown = [task, engine.history(id), await engine.trace(id), engine.log(id), engine.audit(), world.log];
    expect(JSON.stringify([shown, store.taskLog(id)])).not.toContain(KEPT);
  });

  it("stops before anything reaches anybody where its script goes another way, and begins again on Retry", async () => {
    let isOther = false;
    const pressed = await press(
      `ctx.log("begins");
      await fetch(ctx.baseUrl + "/kept");
      await fetch(ctx.baseUrl + "/open", { method: "PUT" });`,
      { code: (code) => (isOther ? code.replace('"/kept"', '"/other"') : code) },
    );
    const { app, id } = pressed;
    await expect.poll(() => app.count("/open")).toBe(1);
    isOther = true;
    const world = await crashAtOpen(pressed, 1);
    expect(await settledTask(world.engine, id)).toMatchObject({
      state: "AWAITING_RETRY",
      failure: {
        code: "TASK_REPLAY_DIVERGED",
        message: expect.stringMatching(/call \d+ is GET http:\S+\/other, and was/),
      },
    });
    expect([app.count("/kept"), app.count("/other"), app.count("/open")]).toEqual([1, 0, 1]);
    expect(eventsOf(world, id, "run.started")).toBe(1);
    await world.engine.retry(id);
    expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(linesOf(world, id)).toEqual(["begins", "begins"]);
    expect([app.count("/kept"), app.count("/other"), app.count("/open")]).toEqual([1, 1, 2]);
  });
});
