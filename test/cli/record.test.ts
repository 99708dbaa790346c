/** `slipway record`: a real app's answers become a fake that plays the same, and no secret is in it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { startApp } from "../sandbox/app-server.ts";
import { openCommandTerminal, runCommand } from "../support/command-line.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();
const fakeFile = () => join(folder.path, "standin", "real.json");
const readFake = () => readFileSync(fakeFile(), "utf8");

const record = (app: string, ...args: readonly string[]) =>
  runCommand("record", "real", "--app", app, "--catalog", folder.path, ...args);

/** An app with one hook of this source. */
function writeApp(source: string, changes: Record<string, unknown> = {}): void {
  const hook = rawHook({ id: "set-up", scriptContent: undefined, script: "real/set-up.ts", ...changes });
  folder.write("real/set-up.ts", source);
  folder.write("real.json", rawScript({ hooks: [hook] }));
}

const LOGS_IN = `export async function run(ctx) {
  const password = ctx.inputs.password;
  while (!(await fetch(ctx.baseUrl + "/health")).ok);
  const login = await fetch(ctx.baseUrl + "/login", { method: "POST", body: JSON.stringify({ user: "ada", password }) });
  const { accessToken, user } = await login.json();
  const headers = { authorization: "Bearer " + accessToken, cookie: login.headers.get("set-cookie") ?? "" };
  const items = await fetch(ctx.baseUrl + "/items/" + user.id + "?api_key=" + accessToken, { headers });
  const { list } = await items.json();
  const missing = await fetch(ctx.baseUrl + "/missing");
  return { items: list, cookies: login.headers.getSetCookie().length, missing: missing.status, moved: (await fetch(ctx.baseUrl + "/old")).status };
}`;

const PASSWORD_INPUT = {
  type: "question",
  id: "password",
  question: { question: "Password?", type: "password", key: "password", required: true },
};

/** None of them may stand in a fake. */
const MARKERS = {
  password: "Pass-Marker-1",
  token: "TokenMarker2zzzz",
  cookie: "CookieMarker3",
  uuid: "0b7c2f1e-9a54-4c7e-8d21-3f5a6b7c8d9e",
  key: "k4",
};

it("writes rows without a secret or a time, which play the same in run-hook and check", async () => {
  const healths = [503, 503, 200].values();
  await using app = await startApp({
    "GET /health": () => ({ status: healths.next().value ?? 200, body: { ok: true } }),
    "POST /login": ({ body }) => ({
      headers: {
        "set-cookie": [`sid=${MARKERS.cookie}; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT`, "theme=; HttpOnly"],
        "x-request": "drop",
      },
      body: {
        accessToken: MARKERS.token,
        exp: 4_000_000_000,
        iat: 1_700_000_000,
        user: { id: MARKERS.uuid, created: "1700000000", seen: new Date().toISOString() },
        settings: { apiKey: MARKERS.key },
        echo: body.toString(),
      },
    }),
    [`GET /items/${MARKERS.uuid}`]: ({ headers }) => ({
      body: { list: [1, 2], note: `you sent ${headers.authorization} and ${headers.cookie}` },
    }),
    "GET /old": () => ({ status: 302, headers: { location: "/health" } }),
  });
  writeApp(LOGS_IN, { inputs: [PASSWORD_INPUT] });
  const context = folder.write("context.json", { inputs: { password: MARKERS.password } });
  const recorded = await record(app.url, "--context", context, "--format", "json");
  expect([recorded.exitCode, JSON.parse(recorded.stdout)]).toEqual([
    0,
    expect.objectContaining({
      written: true,
      removed: [],
      result: { items: [1, 2], cookies: 2, missing: 404, moved: 200 },
    }),
  ]);

  const fake = readFake();
  for (const marker of Object.values(MARKERS)) expect(fake).not.toContain(marker);
  expect(fake).not.toMatch(/1700000000|20(?!00|99)\d\d-|2099|x-request/);
  expect(recorded.stdout).not.toContain(MARKERS.token);
  const { answers } = JSON.parse(fake);
  const rowsOf = (path: string) => answers.filter((row: { path: string }) => row.path === path);
  expect(rowsOf("/health")).toEqual([
    { method: "GET", path: "/health", status: 503, body: { ok: true }, times: 2 },
    { method: "GET", path: "/health", body: { ok: true } },
  ]);
  expect(rowsOf("/login")[0].headers["set-cookie"]).toEqual([
    expect.stringMatching(/^sid=SECRET_\d; Path=\/; Expires=/),
    "theme=; HttpOnly",
  ]);
  expect(rowsOf("/items/*")).toHaveLength(1);
  expect(rowsOf("/missing")).toEqual([{ method: "GET", path: "/missing", status: 404, body: "no such route" }]);

  const desk = folder.write("desk.json", { baseUrl: "http://127.0.0.1:9", inputs: { password: "another" } });
  const played = await runCommand(
    ...["run-hook", join(folder.path, "real/set-up.ts"), "--entrypoint", "run", "--context", desk],
    ...["--answers-http", fakeFile(), "--format", "json"],
  );
  expect(JSON.parse(played.stdout)).toMatchObject({ result: { items: [1, 2], cookies: 2, missing: 404, moved: 200 } });
});

it("a hook and then a widget are recorded, and with that fake the app passes level 4", async () => {
  await using app = await startApp({
    "GET /health": () => ({ body: { ok: true } }),
    "PUT /api/settings": () => ({ body: { saved: true } }),
    "GET /api/status": () => ({ body: { items: 3 } }),
  });
  const made = ["--port", "30100", "--hook", "--widget", "--location", "none"];
  await runCommand("new", "real", "--catalog", folder.path, ...made);
  rmSync(fakeFile());
  expect(await record(app.url)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("name what to record") });
  expect(await record(app.url, "--hook", "set-up")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await record(app.url, "--widget", "overview", "--update", "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
  const checked = await runCommand("check", "--catalog", folder.path, "--level", "4", "--limit", "600");
  expect([checked.exitCode, checked.stdout]).toEqual([0, expect.stringContaining("level 4")]);
});

it("--update shows what changes, writes it with --yes alone, and leaves the other rows", async () => {
  let version = 1;
  await using app = await startApp({ "GET /version": () => ({ body: { version } }) });
  writeApp(`export const run = async (ctx) => (await fetch(ctx.baseUrl + "/version")).json();`);
  expect(await record(app.url)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("+ {") });
  expect(await record(app.url)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--update shows") });
  expect(await record(app.url, "--update")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("nothing changes"),
  });

  const other = { method: "GET", path: "/mine", body: "kept" };
  const before = JSON.stringify({ startMs: 7, answers: [other, ...JSON.parse(readFake()).answers] });
  folder.write("standin/real.json", before);
  version = 2;
  const shown = await record(app.url, "--update");
  expect(shown.stdout).toContain('- {"method":"GET","path":"/version","body":{"version":1}}');
  expect(shown.stdout).toContain('+ {"method":"GET","path":"/version","body":{"version":2}}');
  expect(shown.stdout).toContain("not written");
  expect(readFake()).toBe(before);

  expect(await record(app.url, "--update", "--yes")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("wrote "),
  });
  expect(JSON.parse(readFake())).toEqual({
    startMs: 7,
    answers: [{ method: "GET", path: "/version", body: { version: 2 } }, other],
  });
});

it.each([
  ["ftp://127.0.0.1/", "not an http(s) address"],
  ["http://ada:secret@127.0.0.1:1/", "a user name or a password"],
  ["http://192.168.1.20:8096", "--allow-lan lets"],
  ["http://[::ffff:192.168.1.20]:8096", "never recorded from"],
  ["http://169.254.169.254/latest", "never recorded from"],
])("refuses %s", async (app, message) => {
  writeApp("export async function run() {}");
  const { exitCode, stderr } = await record(app);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).toContain("hint: ");
});

it.each(["http://169.254.169.254/", "http://[fd00:ec2::254]/", "http://100.100.100.200/", "http://0.0.0.0:80/"])(
  "--allow-lan does not reach %s",
  async (app) => {
    writeApp("export async function run() {}");
    expect(await record(app, "--allow-lan")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("never recorded from"),
    });
  },
);

/** A server that answers as it likes; closed with all its connections. */
async function startHostile(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ASKS = `export const run = async (ctx) => (await fetch(ctx.baseUrl + "/")).text().then(({ length }) => length);`;

it("a body that does not end stops the script at the sandbox's limit, and nothing is written", async () => {
  await using app = await startHostile((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      response.once("drain", more);
    };
    more();
  });
  writeApp(ASKS);
  const { exitCode, stderr } = await record(app.url);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("failed quota_")]);
  expect(stderr).toContain("nothing is written");
  expect(existsSync(fakeFile())).toBe(false);
});

it.each<readonly [string, string, RequestListener]>([
  [
    "metadata",
    "is not allowed",
    (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
  ],
  [
    "another port",
    "belongs to no installed app",
    (_, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  ],
])("a redirect to %s is not followed", async (_name, reason, listener) => {
  await using app = await startHostile(listener);
  writeApp(ASKS);
  const { exitCode, stderr } = await record(app.url);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect(existsSync(fakeFile())).toBe(false);
});

it("binary answers, odd headers and deep JSON become rows the stand-in reads, with a note", async () => {
  await using app = await startHostile((request, response) => {
    if (request.url === "/binary") return response.end(Buffer.from([0xff, 0xfe, 0x00, 0x01]));
    response.setHeader("content-disposition", "ma\u00e9\u00ff");
    return response.end("[".repeat(5_000) + "]".repeat(5_000));
  });
  writeApp(`export async function run(ctx) {
    for (const path of ["/binary", "/deep"]) await (await fetch(ctx.baseUrl + path)).arrayBuffer();
  }`);
  const { exitCode, stdout } = await record(app.url);
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringContaining("note: GET /binary: 4 bytes that are not text are left out"),
  ]);
  expect(JSON.parse(readFake()).answers).toEqual([
    { method: "GET", path: "/binary" },
    { method: "GET", path: "/deep", body: expect.stringMatching(/^\[{5000}\]{5000}$/) },
  ]);
});

it("an answer that begins many tokens is read at once", async () => {
  await using app = await startHostile((_request, response) => response.end("eyJaaaaaaaa-".repeat(20_000)));
  writeApp(ASKS);
  const from = performance.now();
  expect(await record(app.url)).toMatchObject({ exitCode: 0 });
  // it took minutes
  expect(performance.now() - from).toBeLessThan(60_000);
});

it("a place under a secret one is answered before what is beside it", async () => {
  await using app = await startApp({
    [`GET /${MARKERS.uuid}`]: () => ({ body: { at: "top" } }),
    [`GET /items/${MARKERS.uuid}`]: () => ({ body: { at: "item" } }),
  });
  writeApp(`export async function run(ctx) {
    for (const path of ["/", "/items/"]) await fetch(ctx.baseUrl + path + "${MARKERS.uuid}");
  }`);
  expect(await record(app.url)).toMatchObject({ exitCode: 0 });
  const { answers } = JSON.parse(readFake());
  expect(answers.map(({ path }: { path: string }) => path)).toEqual(["/items/*", "/*"]);
});

it("a fake that can't be read is told before anything is asked of the app", async () => {
  let asked = 0;
  await using app = await startHostile((_request, response) => {
    asked += 1;
    response.end();
  });
  writeApp(ASKS);
  folder.write("standin/real.json", "{");
  expect(await record(app.url, "--update")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("CLI_FILE_INVALID"),
  });
  expect(asked).toBe(0);
});

it("what is more than a fake may hold is refused in one line", async () => {
  await using app = await startHostile((_request, response) => response.end("a ".repeat(600_000)));
  writeApp(ASKS);
  const { exitCode, stderr } = await record(app.url);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/^error CLI_RECORDING_TOO_LARGE: .*allowed are 1000000\n/),
  ]);
  expect(existsSync(fakeFile())).toBe(false);
});

it("10,000 requests end at the sandbox's limit", async () => {
  await using app = await startApp({});
  folder.write(
    "real/overview.ts",
    `export async function query(ctx) {
      for (let n = 0; n < 10_000; n += 1) await (await fetch(ctx.baseUrl + "/" + n)).text();
    }`,
  );
  const sizes = { small: { slots: [{ type: "stat", field: "items" }] } };
  const conditions = [{ role: "availability", type: "appRunning", app: "real" }];
  const source = { script: "real/overview.ts", entrypoint: "query" };
  const widget = { id: "busy", title: "Busy", refresh: 60, conditions, sizes, ...source };
  folder.write("real.json", rawScript({ widgetsSchema: 2, widgets: [widget] }));
  const { exitCode, stderr } = await record(app.url);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("failed quota_")]);
});

it("interrupted, it stops the script and writes nothing", async () => {
  const stop = new AbortController();
  await using app = await startHostile(() => stop.abort());
  writeApp(ASKS);
  const { terminal, ended } = openCommandTerminal(stop.signal);
  await main(["record", "real", "--app", app.url, "--catalog", folder.path], terminal);
  expect(await ended()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("CLI_INTERRUPTED") });
  expect(existsSync(fakeFile())).toBe(false);
});

it.each([
  [["--hook", "none"], 'has no hook "none"; there are --hook set-up'],
  [["--hook", "set-up", "--widget", "w"], "not both"],
  [["--yes"], "--yes is for --update"],
])("%j is refused", async (args, message) => {
  writeApp("export async function run() {}");
  expect(await record("http://127.0.0.1:9", ...args)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(message),
  });
});

it("an input without a default has to be given", async () => {
  writeApp("export async function run() {}", { inputs: [PASSWORD_INPUT] });
  expect(await record("http://127.0.0.1:9")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('the input "password" has no default'),
  });
});

it.each([
  ["its folder is a link out", (outside: string) => symlinkSync(outside, join(folder.path, "standin"))],
  [
    "its file is a link out",
    (outside: string) => {
      mkdirSync(join(folder.path, "standin"));
      symlinkSync(join(outside, "real.json"), fakeFile());
    },
  ],
])("writes no fake where %s", async (_, link) => {
  await using app = await startApp({ "GET /health": () => ({ body: { ok: true } }) });
  writeApp("export async function run(ctx) { await fetch(ctx.baseUrl + '/health'); }");
  const outside = join(folder.path, "..", "outside-record");
  rmSync(outside, { recursive: true, force: true });
  mkdirSync(outside);
  link(outside);
  const { exitCode, stderr } = await record(app.url);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error CLI_FILE_UNWRITABLE: .*is a link/m)]);
  expect(readdirSync(outside)).toEqual([]);
});

it("writes through no link that stands where its own unfinished file could", async () => {
  await using app = await startApp({ "GET /health": () => ({ body: { ok: true } }) });
  writeApp("export async function run(ctx) { await fetch(ctx.baseUrl + '/health'); }");
  const victim = folder.write("profile", "the author's own");
  mkdirSync(join(folder.path, "standin"));
  symlinkSync(victim, `${fakeFile()}.${process.pid}.new`);
  expect(await record(app.url)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(victim, "utf8")).toBe("the author's own");
  expect(readFake()).toContain("/health");
});
