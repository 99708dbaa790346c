/** `slipway dev`: a catalog is served while it is edited, and every save is looked at. */
import { once } from "node:events";
import { readFileSync, renameSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { Trials } from "../../src/cli/dev/trials.ts";
import { openCommandTerminal } from "../support/command-line.ts";
import { isAlive, listDescendants } from "../support/descendants.ts";
import { rawApp, rawSetup } from "../support/scripts/bad-scripts.ts";
import { dictionaryOf, rawHook, rawScript } from "../support/scripts/scripts.ts";
import { createSlipwayFolder, endOf, slipway, startSlipway } from "../support/slipway-process.ts";

const Ready = z.object({ url: z.string(), tokenFile: z.string().exactOptional() });

function makeFolder(files: Readonly<Record<string, unknown>>) {
  const folder = createSlipwayFolder(files);
  onTestFinished(() => folder.remove());
  const save = (name: string, content: unknown): void =>
    renameSync(folder.write(join("saved", name), content), join(folder.catalog, name));
  return { ...folder, save };
}

/** Starts it; `until` waits for a text that comes after the one waited for before. */
async function startDev(folder: ReturnType<typeof makeFolder>, ...more: readonly string[]) {
  const child = startSlipway(["dev", ...folder.engine, "--listen", "127.0.0.1:0", ...more]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  let [shown, seen] = ["", 0];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      shown += chunk;
    });
  }
  const until = async (text: string): Promise<string> => {
    await expect.poll(() => shown.slice(seen), { message: text }).toContain(text);
    const from = seen;
    seen = shown.indexOf(text, seen) + text.length;
    return shown.slice(from, seen);
  };
  const ready = Ready.parse(JSON.parse((await until("}\n")).split("\n").at(-2) ?? ""));
  await until("waiting for changes\n");
  return { child, ended, until, ready };
}

const HOOK = rawHook({
  id: "set-up",
  rerun: undefined,
  scriptContent: undefined,
  script: "app/set-up.ts",
  events: ["onAfterInstall"],
});
const SOURCE = `import { greet } from "./greet";
export async function run(ctx) { console.log(greet((await (await fetch(ctx.baseUrl + "/name")).json()).name)); }`;
const HANGS = "await new Promise(() => {});";
const APP = {
  "app.json": rawScript({ hooks: [HOOK] }),
  "app/set-up.ts": SOURCE,
  "app/greet.ts": 'export const greet = (name: string) => "hello " + name;',
  "standin/app.json": [{ method: "GET", path: "/name", body: { name: "ada" } }],
};

it("shows problems at line and column, serves what is saved, and runs the hook that is edited", async () => {
  const folder = makeFolder(APP);
  const { child, ended, until, ready } = await startDev(folder);
  const headers = { authorization: `Bearer ${readFileSync(ready.tokenFile ?? "", "utf8").trim()}` };
  expect((await fetch(`${ready.url}/api/apps`)).status).toBe(401);
  const readApps = async () => JSON.parse(await (await fetch(`${ready.url}/api/apps`, { headers })).text()).apps;

  folder.save("app/greet.ts", 'export const greet = (name: string) => "good day " + name;');
  await until("✓ app: no problem\n");
  await until("▸ app: hook set-up, against its fake\n");
  await until("good day ada\n");
  await until("completed (");

  folder.save("standin/app.json", [{ method: "GET", path: "/name", body: { name: "grace" } }]);
  await until("good day grace\n");

  folder.save("app/greet.ts", "export const greet = (name: string) => {");
  await until(`${join(folder.catalog, "app/greet.ts")}:1:`);
  await until("error SANDBOX_");
  await expect.poll(readApps).toMatchObject([{ appId: "app" }]);

  folder.save("app/greet.ts", 'export const greet = () => { throw new Error("oops"); }');
  await until("failed script_error: oops\n");
  await until("app/greet.ts:1:");

  folder.save("standin/app.json", '[{ "path": "/name",\n  "status": "x" }]');
  await until(`${join(folder.catalog, "standin/app.json")}:2:`);

  folder.save("app.check.ts", 'export default {\n  scenarios: [{ name: "a", answers: { whom: 1 } }] };');
  await until(`${join(folder.catalog, "app.check.ts")}:2:`);
  await until('the script has no question "whom"');

  folder.save("app.json", '{\n  "version": 6,\n  "script": 5\n}');
  await until(`${join(folder.catalog, "app.json")}:3:13: error `);
  await expect.poll(async () => (await readApps())[0]).toMatchObject({ appId: "app", usable: false });
  folder.save("other.json", rawScript());
  await until("✓ other: no problem\n");
  await expect.poll(readApps).toMatchObject([{ appId: "app" }, { appId: "other", usable: true }]);

  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("runs against the installed app where there is no fake, and says so where there is neither", async () => {
  const hook = rawSetup({ events: ["userAction"], rerun: "converge", scriptContent: undefined, script: "a.ts" });
  const network = { web_port: { bind_mode: "published", port_number: 30_177 } };
  const script = rawScript({ requirements: { ports: [30_177] }, app_values: { network }, hooks: [hook] });
  const other = createServer().listen(0, "0.0.0.0");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = z.object({ port: z.number() }).parse(other.address());
  const portals = [{ name: "Web UI", scheme: "http", port, path: "/" }];
  const folder = makeFolder({
    "lone.json": script,
    "a.ts": "export async function run() {}",
    "sly.json": rawScript({ app_values: { portals }, hooks: [{ ...hook, script: "b.ts" }] }),
    "b.ts": "export async function run() {}",
  });
  const { child, ended, until, ready } = await startDev(folder, "--no-token");
  folder.save("a.ts", "export async function run() { console.log(1); }");
  await until("lone: hook setup is not tried: the app has no fake, and none is installed that has an address\n");
  for (const app of ["lone", "sly"]) {
    const installed = await fetch(`${ready.url}/api/apps/${app}/install`, { method: "POST" });
    const { id } = z.object({ id: z.string() }).parse(await installed.json());
    const stateOf = async () =>
      z.object({ state: z.string() }).parse(await (await fetch(`${ready.url}/api/tasks/${id}`)).json());
    await expect.poll(stateOf).toEqual({ state: "COMPLETED" });
  }
  folder.save("a.ts", 'export async function run(ctx) { console.log("at " + (await fetch(ctx.baseUrl)).status); }');
  await until("▸ lone: hook setup, against the installed app\n");
  await until("at ");
  // a port its script names, and no app of the host has, is another program's of this machine
  folder.save("b.ts", "export async function run(ctx) { await fetch(ctx.baseUrl); }");
  await until("sly: hook setup is not tried");
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});

it("a save ends what is being tried, and a signal leaves nothing", async () => {
  const folder = makeFolder(APP);
  const { child, ended, until } = await startDev(folder);
  folder.save("app/set-up.ts", `export async function run() { console.log("begun"); ${HANGS} }`);
  await until("begun\n");
  folder.save("app/set-up.ts", `export async function run() { console.log("again"); ${HANGS} }`);
  await until("again\n");
  const started = listDescendants(child.pid ?? 0);
  expect(started.length).toBeGreaterThan(1);
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
});

it("a second signal ends it at once, and nothing goes on", async () => {
  const LONG = `export async function run() {
    const timer = () => new Promise((resolve) => setTimeout(resolve, 0));
    for (let round = 0; round < 42; round += 1) await Promise.all(Array.from({ length: 50 }, timer));
    await new Promise((resolve) => setTimeout(resolve, 50_000));
  }`;
  const folder = makeFolder({ "long.json": rawApp("long", { hooks: [rawSetup({ scriptContent: LONG })] }) });
  const { child, ended, ready } = await startDev(folder, "--no-token");
  const read = async (path: string, method = "GET") => (await fetch(`${ready.url}/api/${path}`, { method })).text();
  const { id } = z.object({ id: z.string() }).parse(JSON.parse(await read("apps/long/install", "POST")));
  await expect.poll(() => read(`tasks/${id}`)).toContain("notResumable");
  const started = listDescendants(child.pid ?? 0);
  child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${ready.url}/api/health/ready`)).status).toBe(503);
  child.kill("SIGINT");
  expect(await ended).toEqual([null, "SIGINT"]);
  await expect.poll(() => started.filter(isAlive)).toEqual([]);
});

const shared = createSlipwayFolder(APP);
afterAll(() => shared.remove());

it.each([
  ["CATALOG_UNREADABLE", ["--catalog", join(shared.path, "none")]],
  ["CATALOG_UNREADABLE", ["--catalog", join(shared.catalog, "app.json")]],
  ["HTTP_TOKEN_REQUIRED", ["--listen", "0.0.0.0:0"]],
  ["CLI_USAGE", ["--listen", "nowhere"]],
])("%s: %j", async (code, args) => {
  const { exitCode, stderr } = await slipway("dev", ...shared.engine, ...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error ${code}: `)]);
  expect(stderr).toContain("hint: ");
});

it("a taken port is told", async () => {
  const taken = createServer();
  taken.listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const { port } = z.object({ port: z.number() }).parse(taken.address());
  const { exitCode, stderr } = await slipway("dev", ...shared.engine, "--listen", `127.0.0.1:${port}`);
  expect(exitCode).toBeGreaterThan(0);
  expect(stderr).toContain("error HTTP_LISTEN_FAILED: ");
});

it("a database in use is told with who uses it", async () => {
  const store = openStore({ file: shared.db, command: "the other one" });
  onTestFinished(() => store.close());
  const { stderr } = await endOf(startSlipway(["dev", ...shared.engine, "--listen", "127.0.0.1:0"]));
  expect(stderr).toMatch(/error STORE_\w+: .*the other one/);
});

it("a catalog that goes away ends it", async () => {
  const folder = makeFolder(APP);
  const { child, ended, until } = await startDev(folder);
  renameSync(folder.catalog, join(folder.path, "elsewhere"));
  await until("error CATALOG_UNREADABLE: ");
  expect(await ended).toEqual([2, null]);
  expect(child.exitCode).toBe(2);
});

it("a fault while a script is tried is told, and ends nothing by itself", async () => {
  const dictionary = dictionaryOf("app", { hooks: [rawHook()] });
  const [script] = dictionary.hooks;
  if (script === undefined) throw new Error("no hook");
  const { promise: told, resolve } = Promise.withResolvers<unknown>();
  const trials = new Trials(openCommandTerminal().terminal, resolve);
  const fault = new Error("the host is gone");
  const findApp = () => Promise.reject(fault);
  trials.take([{ root: "/nowhere", file: "app.json", dictionary, edited: { kind: "hook", script }, findApp }]);
  expect(await told).toBe(fault);
  await trials.close();
});
