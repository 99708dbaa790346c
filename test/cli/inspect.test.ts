/** `slipway inspect` as the package has it: a database is shown and never written, to nobody but who may look. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createWebSocketReceiver } from "@statelyai/inspect";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { machines } from "../../machines/index.ts";
import { Session } from "../../src/http/schemas/system/sessions.ts";
import { Trace } from "../../src/http/schemas/tasks.ts";
import { createTestFolder, createWorld } from "../support/engine/runtime-world.ts";
import { endOf, type SlipwayProcess, slipway, startSlipway, untilOutput } from "../support/slipway-process.ts";

const Shown = z.object({ url: z.string(), token: z.string().optional(), relay: z.string().optional() });

let folder: ReturnType<typeof createTestFolder>;
const started: SlipwayProcess[] = [];

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(async () => {
  await stopAll();
  folder.remove();
});

async function stopAll(): Promise<void> {
  for (const child of started.splice(0)) {
    const ended = endOf(child);
    child.kill("SIGTERM");
    expect((await ended).exitCode).toBe(0);
  }
}

async function inspect(...args: readonly string[]) {
  const child = startSlipway(["inspect", ...args]);
  started.push(child);
  const { url, token, relay } = Shown.parse(JSON.parse(await untilOutput(child, /\n/)));
  const { origin, hostname } = new URL(url);
  expect(hostname).toBe("127.0.0.1");
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/api${path}`, {
      ...init,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...init.headers },
    });
  return { origin, token, relay, api };
}

/** A database with the run of a machine every build has; `close` stops its engine. */
function begin() {
  const world = createWorld({
    folder: folder.path,
    registry: [{ ...machines["hook-task"], id: "hook-task" }, machines.checkpoint],
    handlers: {},
  });
  const input = { checkpoint: "c", message: "reached" };
  const { id } = world.runtime.start({ machine: "checkpoint", input, kind: "update", appId: "shop" });
  return { ...world, id, file: join(folder.path, "slipway.db") };
}

function digestFolder(): Record<string, string> {
  const names = readdirSync(folder.path).toSorted();
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder.path, name)))
        .digest("hex"),
    ]),
  );
}

describe("slipway inspect DB", () => {
  test("shows tasks and the way of their machines, and leaves the database as it was", async () => {
    const { runtime, close, id, file } = begin();
    runtime.send(id, { type: "script.completed", message: null });
    await close();
    const before = digestFolder();
    const { origin, api } = await inspect(file);
    const tasks = await (await api("/tasks")).json();
    expect(tasks).toMatchObject({ tasks: [{ id, appId: "shop" }] });
    const trace = Trace.parse(await (await api(`/tasks/${id}/trace`)).json());
    expect(trace).toMatchObject({ machine: "checkpoint", active: ["COMPLETED"] });
    expect(trace.entries.map(({ states }) => states)).toEqual([["REGISTERED"], ["COMPLETED"]]);
    expect(await (await api(`/tasks/${id}/log`)).json()).toMatchObject({ lines: [] });
    expect((await fetch(`${origin}/activity`)).status).toBeLessThan(500);

    for (const [method, path] of [
      ["POST", `/tasks/${id}/cancel`],
      ["POST", "/apps/shop/install"],
      ["POST", "/notifications/read"],
      ["GET", "/apps"],
      ["GET", "/health"],
    ] as const) {
      const refused = await api(path, { method });
      const problem: unknown = await refused.json();
      expect([path, refused.status, problem]).toMatchObject([
        path,
        403,
        { code: "HTTP_READ_ONLY", hint: expect.any(String) },
      ]);
    }
    await stopAll();
    // SQLite's own: shared memory, and a log in which nothing is written.
    const { "slipway.db-shm": _, "slipway.db-wal": log, ...after } = digestFolder();
    expect([after, log]).toEqual([before, createHash("sha256").digest("hex")]);
  });

  test("offers no decision about a task that waits for one, nor says that anything is broken", async () => {
    const { close, id, file } = begin();
    const { api } = await inspect(file);
    const bodies = [await api("/tasks"), await api(`/tasks/${id}`)].map(async (answer) => answer.text());
    for (const body of await Promise.all(bodies)) {
      expect(body).toContain('"commands":[]');
      expect(body).not.toMatch(/"commands":\["/);
    }
    expect((await api("/health")).status).toBe(403);
    await close();
  });

  test("follows a database whose engine is at work", async () => {
    const { runtime, close, id, file } = begin();
    const { api } = await inspect(file);
    const stream = await api("/events?from=0");
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    runtime.send(id, { type: "script.skipped", message: null });
    let seen = "";
    while (!seen.includes("SKIPPED")) seen += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect(await (await api(`/tasks/${id}/trace`)).json()).toMatchObject({ active: ["SKIPPED"] });
    await close();
  });

  test("asks for the token it prints, and refuses pages of other sites and foreign names", async () => {
    const { close, file } = begin();
    await close();
    const { origin, token } = await inspect(file);
    expect(token).toHaveLength(32);
    const status = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${origin}/api/tasks`, { headers }, (response) => resolve(response.resume().statusCode))
          .on("error", reject)
          .end();
      });
    const authorization = `Bearer ${token}`;
    expect(await status({})).toBe(401);
    expect(await status({ authorization })).toBe(200);
    expect(await status({ authorization, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ authorization, host: "rebound.example" })).toBe(403);
    const opened = await fetch(`${origin}/api/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    const { key } = Session.parse(await opened.json());
    const [cookie = ""] = opened.headers.get("set-cookie")?.split(";") ?? [];
    // A browser has one cookie of a name for all ports: that of `slipway serve` stays.
    expect(cookie).toMatch(new RegExp(`^slipway_session_${new URL(origin).port}=`));
    expect(await status({ cookie: `slipway_session_8765=of.serve; ${cookie}`, "x-slipway": key })).toBe(200);
    const open = await inspect(file, "--no-token");
    expect([open.token, (await open.api("/tasks")).status]).toEqual([undefined, 200]);
  });

  test("refuses what is not a database of the engine, with what to do", async () => {
    const refused = async (file: string) => {
      const { exitCode, stdout, stderr } = await slipway("inspect", file);
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/hint: /);
      return /error (\w+):/.exec(stderr)?.[1];
    };
    const path = (name: string) => join(folder.path, name);
    new Database(path("foreign.db")).exec("CREATE TABLE recipes (name TEXT)").close();
    writeFileSync(path("text.db"), "not a database at all, but long enough to look at ".repeat(40));
    writeFileSync(path("empty.db"), "");
    mkdirSync(path("folder.db"));
    expect(await refused(path("foreign.db"))).toBe("STORE_FOREIGN");
    expect(await refused(path("text.db"))).toMatch(/^STORE_(?:FOREIGN|CORRUPT)$/);
    expect(await refused(path("empty.db"))).toMatch(/^STORE_/);
    expect(await refused(path("folder.db"))).toBe("STORE_CANNOT_OPEN");
    expect(await refused(path("missing.db"))).toBe("STORE_CANNOT_OPEN");
    expect(readdirSync(folder.path).toSorted()).toEqual(["empty.db", "folder.db", "foreign.db", "text.db"]);
    expect(readFileSync(path("empty.db"))).toHaveLength(0);
  });

  test.each([
    [["--api", "http://127.0.0.1:1", "--relay", "0"], "has no --relay"],
    [["a.db", "--port", "70000"], "not a port"],
    [["a.db", "--relay", "x"], "not a port"],
    [["--api", "ftp://127.0.0.1"], "not the address of a service"],
  ])("refuses %j", async (args, says) => {
    const { exitCode, stderr } = await slipway("inspect", ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("CLI_USAGE");
    expect(stderr).toContain(says);
  });
});

describe("slipway inspect --relay", () => {
  test("sends a run to Stately's own receiver as it goes on, and nothing to pages elsewhere", async () => {
    const { runtime, close, id, file } = begin();
    const { relay = "" } = await inspect(file, "--relay", "0");
    expect(new URL(relay).hostname).toBe("127.0.0.1");
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      createWebSocketReceiver({ server: relay }).subscribe((event) => {
        seen.push(`${event.type} ${event.sessionId}`);
        if (seen.length === 1) runtime.send(id, { type: "script.completed", message: null });
        if (seen.length === 3) resolve();
      });
    });
    expect(seen).toEqual([`@xstate.actor ${id}`, `@xstate.event ${id}`, `@xstate.snapshot ${id}`]);
    const connect = (headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(relay, { headers });
        socket.once("open", () => resolve("open"));
        socket.once("error", ({ message }) => resolve(message));
        socket.once("open", () => socket.close());
      });
    expect(await connect({ origin: "https://stately.ai" })).toBe("open");
    expect(await connect({ origin: "https://elsewhere.example" })).toContain("401");
    expect(await connect({ host: "rebound.example" })).toContain("401");
    await close();
  });
});
