import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { createStandinHost } from "../../src/standin/standin.ts";
import {
  at,
  install,
  JELLYFIN,
  login,
  openLoggedIn,
  openRaw,
  type RawClient,
  startStandin,
  temporaryDirectory,
  untilState,
} from "../support/engine/standin-client.ts";

interface Running {
  readonly child: ChildProcess;
  readonly ready: { readonly url: string; readonly username: string; readonly apiKey: string };
  readonly stdout: string[];
  stderr(): string;
  readonly ended: Promise<number | null>;
}

/** Runs `slipway standin` as a process of its own and waits for its ready line; killed when the test ends. */
async function run(dir: string, ...more: string[]): Promise<Running> {
  const args = ["src/cli/bin.ts", "standin", "--dir", dir, "--speed", "50", ...more];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const stdout: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    new Promise<string>((resolve) => {
      lines.on("line", (text) => {
        stdout.push(text);
        resolve(text);
      });
    }),
    ended.then((code) => {
      throw new Error(`ended with ${code}: ${stderr}`);
    }),
  ]);
  return { child, ready: JSON.parse(line), stdout, stderr: () => stderr, ended };
}

describe("slipway standin", () => {
  test("prints one line when ready, its calls without secrets on stderr, and ends on SIGTERM with 0", async () => {
    const dir = temporaryDirectory();
    const running = await run(dir, "--fault", "app-crashed", "job-aborted@app.delete");
    expect(Object.keys(running.ready).sort()).toEqual(["apiKey", "url", "username"]);
    const file: unknown = JSON.parse(readFileSync(join(dir, "standin.json"), "utf8"));
    expect(file).toEqual({ ...running.ready, lanIp: expect.stringMatching(/^127\./), pid: running.child.pid });
    const client = await openRaw(running.ready.url);
    await client.call("auth.login_ex", login(running.ready));
    await client.job("app.create", { ...JELLYFIN, values: { secret: "s3cret-value" } });
    await untilState(client, "jellyfin", "CRASHED");
    running.child.kill("SIGTERM");
    expect(await running.ended).toBe(0);
    expect(running.stderr()).toMatch(/^\d+ app\.create \[\{"app_name":"jellyfin"/m);
    expect(running.stderr()).not.toContain("s3cret-value");
    expect(running.stderr()).not.toContain(running.ready.apiKey);
    expect(running.stdout.length).toBe(1);
    expect(existsSync(join(dir, "standin.json"))).toBe(false);
  });

  test("SIGKILL loses jobs and nothing else: the next one has the key, the apps, their ports and the files", async () => {
    const dir = temporaryDirectory();
    const first = await run(dir);
    const client = await openRaw(first.ready.url);
    await client.call("auth.login_ex", login(first.ready));
    await client.call("pool.dataset.create", { name: "tank/Media/kept" });
    await client.job("filesystem.chown", { path: "/mnt/tank/Media/kept", uid: 568 });
    await client.call("sharing.smb.create", { name: "Media", path: "/mnt/tank/Media" });
    await install(client, JELLYFIN);
    first.child.kill("SIGKILL");
    await first.ended;

    const second = await run(dir);
    expect(second.ready.apiKey).toBe(first.ready.apiKey);
    const later = await openRaw(second.ready.url);
    await later.call("auth.login_ex", login(second.ready));
    expect(await later.call("core.get_jobs")).toEqual([]);
    const entry = await later.call("app.get_instance", "jellyfin");
    expect(entry).toMatchObject({ state: "RUNNING" });
    expect((await fetch(String(at(entry, "portals", "Web UI")))).status).toBe(200);
    expect(await later.call("filesystem.stat", "/mnt/tank/Media/kept")).toMatchObject({ uid: 568 });
    expect(await later.rows("sharing.smb.query")).toMatchObject([{ name: "Media" }]);
  });

  test("ends by itself when nobody has been connected for --idle-exit seconds", async () => {
    const running = await run(temporaryDirectory(), "--idle-exit", "0.3");
    const client = await openRaw(running.ready.url);
    await client.call("core.ping");
    expect(running.child.exitCode).toBeNull();
    client.socket.terminate();
    expect(await running.ended).toBe(0);
  });

  test("reads the apps' answers from a folder", async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, "jellyfin.json"), JSON.stringify([{ path: "/ping", body: "pong" }]));
    const { ready } = await run(temporaryDirectory(), "--answers", folder);
    const client = await openRaw(ready.url);
    await client.call("auth.login_ex", login(ready));
    const entry = await install(client, JELLYFIN);
    expect(await (await fetch(`${at(entry, "portals", "Web UI")}ping`)).text()).toBe("pong");
  });

  test("holds values against the schemas of a file", async () => {
    const file = join(temporaryDirectory(), "schemas.json");
    const questions = [{ variable: "mode", schema: { type: "string", required: true } }];
    writeFileSync(file, JSON.stringify({ any: { app: "jellyfin", train: "community", version: "1.3.12", questions } }));
    const { ready } = await run(temporaryDirectory(), "--schemas", file);
    const client = await openRaw(ready.url);
    await client.call("auth.login_ex", login(ready));
    expect(await client.job("app.create", JELLYFIN)).toMatchObject({
      state: "FAILED",
      exc_info: { type: "VALIDATION", extra: [["mode", "Field required", 22]] },
    });
  });

  test.each([
    ["an unknown fault", ["--fault", "nope"], "CLI_USAGE"],
    ["a bad address", ["--listen", "here"], "argument 'here' is invalid"],
    ["a catalog that is not there", ["--catalog", "/no/such"], "CLI_FILE_UNREADABLE"],
    ["answers that are not there", ["--answers", "/no/such"], "CLI_FILE_UNREADABLE"],
    ["answers of another shape", ["--answers", "test/fixtures/wire"], "CLI_FILE_INVALID"],
    ["schemas that are not there", ["--schemas", "/no/such"], "CLI_FILE_UNREADABLE"],
    ["schemas of another shape", ["--schemas", "package.json"], "CLI_FILE_INVALID"],
    ["a bad speed", ["--speed", "0"], "argument '0' is invalid"],
    ["a file in place of the directory", ["--dir", "package.json"], "HOST_STANDIN_STATE"],
    ["an address this machine does not have", ["--listen", "192.0.2.1:80"], "HTTP_LISTEN_FAILED"],
  ])("%s ends it with 2", async (_title, args, text) => {
    await expect(run(temporaryDirectory(), ...args)).rejects.toThrow(new RegExp(`ended with 2: [^]*${text}`));
  });
});

test("a port in use ends it with 2, its apps too", async () => {
  const dir = temporaryDirectory();
  const host = await createStandinHost({ dir, speed: 100 });
  await install(await openLoggedIn(host), JELLYFIN);
  await host.close();
  const other = await startStandin();
  const { port } = new URL(other.url);
  await expect(run(dir, "--listen", `127.0.0.1:${port}`)).rejects.toThrow(/ended with 2: [\s\S]*HTTP_LISTEN_FAILED/);
});

describe("one stand-in per directory", () => {
  test("a second one is refused while the first runs, and admitted after", async () => {
    const dir = temporaryDirectory();
    const first = await createStandinHost({ dir });
    await expect(createStandinHost({ dir })).rejects.toThrow(expect.objectContaining({ code: "HOST_STANDIN_BUSY" }));
    await first.close();
    await (await startStandin({ dir })).close();
  });

  test.each([
    ["no JSON", "{"],
    ["another format", '{"format":99}'],
  ])("a state file that is %s is refused and left as it is", async (_title, text) => {
    const dir = temporaryDirectory();
    writeFileSync(join(dir, "state.json"), text);
    await expect(createStandinHost({ dir })).rejects.toThrow(expect.objectContaining({ code: "HOST_STANDIN_STATE" }));
    expect(readFileSync(join(dir, "state.json"), "utf8")).toBe(text);
  });
});

describe("control interface", () => {
  test("takes commands with the API key only, and answers with their result", async () => {
    const host = await startStandin();
    const base = host.url.replace(/^ws:(.*)\/api\/current$/, "http:$1/_standin");
    const post = (command: string, args: unknown[], key = host.apiKey) =>
      fetch(`${base}/${command}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(args),
      });
    expect((await post("faults", [], "wrong")).status).toBe(401);
    expect((await post("nothing", [])).status).toBe(404);
    expect((await post("arm", [])).status).toBe(400);
    expect((await post("arm", ["nope"])).status).toBe(400);
    expect((await post("arm", ["app-crashed"])).status).toBe(200);
    expect(await (await post("faults", [])).json()).toEqual([{ name: "app-crashed", times: 1 }]);
    expect(await (await post("release", ["plex"])).json()).toBe("1.3.6");
    const client = await openLoggedIn(host);
    await client.call("core.ping");
    const calls = await (await post("calls", [])).json();
    expect(calls).toMatchObject([
      { method: "auth.login_ex", params: [{ api_key: "********" }] },
      { method: "core.ping" },
    ]);
  });

  test("reset forgets apps, files, shares, jobs, releases and requests but not the key", async () => {
    const host = await startStandin();
    const client = await openLoggedIn(host);
    const latest = async (asked: RawClient) =>
      (await asked.rows("app.available", [["name", "=", "jellyfin"]])).map((row) => row["latest_version"]);
    const before = await latest(client);
    host.control.release("jellyfin");
    expect(await latest(client)).not.toEqual(before);
    await install(client, JELLYFIN);
    await fetch(`http://${host.lanIp}:30013`);
    expect(host.control.requests("jellyfin")).toHaveLength(1);
    await client.call("pool.dataset.create", { name: "tank/Media/x" });
    await host.control.reset();
    const later = await openLoggedIn(host);
    expect(await later.call("app.query")).toEqual([]);
    expect(await latest(later)).toEqual(before);
    expect(host.control.requests("jellyfin")).toEqual([]);
    expect(existsSync(host.localPath("/mnt/tank/Media/x"))).toBe(false);
    expect(existsSync(host.localPath("/mnt/tank/Media"))).toBe(true);
    await install(later, JELLYFIN);
  });

  test("equal seeds give equal ids", async () => {
    const idsOf = async () => {
      const client = await openLoggedIn(await startStandin({ seed: 7 }));
      const subscription = await client.call("core.subscribe", "core.get_jobs");
      const entry = await install(client, JELLYFIN);
      return [
        subscription,
        at(entry, "active_workloads", "container_details", 0, "id"),
        await client.call("system.host_id"),
      ];
    };
    expect(await idsOf()).toEqual(await idsOf());
  });
});
