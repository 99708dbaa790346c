/** Nothing waits for a host that is dead or frozen: what is known is answered, with its age. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenedEngine, openEngine } from "../../src/compose.ts";
import type { HostChoice } from "../../src/compose-host.ts";
import { STANDIN_LOCATIONS } from "../../src/standin/locations.ts";
import { readReady, type StandinAddress } from "../../src/standin/ready.ts";
import { DEMO_CATALOG } from "../support/engine/served-engine.ts";
import { recordingLogger } from "../support/host/host-client.ts";
import { freePort } from "../support/host/loopback-server.ts";

let dir: string;
let db: string;
let logger: ReturnType<typeof recordingLogger>;
const opened: OpenedEngine[] = [];
let standin: StandinAddress | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "slipway-dead-"));
  db = join(dir, "slipway.db");
  logger = recordingLogger();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const signal of ["SIGCONT", "SIGKILL"] as const) signalHost(signal);
  standin = undefined;
  rmSync(dir, { recursive: true, force: true });
});

function signalHost(signal: NodeJS.Signals): void {
  if (standin === undefined) return;
  try {
    process.kill(standin.pid, signal);
  } catch {
    // It has ended.
  }
}

const NOTES = { answers: { admin_user: "ada" }, inputs: { "first-notebook": { notebook: "Logbook" } } };
const STANDIN: HostChoice = { kind: "standin", speed: 20, idleExitS: 30 };

async function open(host: HostChoice = STANDIN): Promise<OpenedEngine["engine"]> {
  const one = await openEngine({
    ...{ host, db, catalog: DEMO_CATALOG, production: false, logger },
    timing: { hostRetry: 100 },
  });
  opened.push(one);
  standin ??= readReady(`${db}.standin`);
  return one.engine;
}

/** The stand-in as a host of the network, with this key. */
function remote(apiKey: string): HostChoice {
  const { url = "", username = "" } = standin ?? {};
  return { kind: "rpc", url, username, apiKey, trustPlaintext: true, locations: STANDIN_LOCATIONS };
}

/** Ms of the fastest of a few calls: what the call takes, and not what the machine does beside it. */
async function fastest(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let tries = 0; tries < 5; tries += 1) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

const stale = { at: expect.stringMatching(/Z$/), ageMs: expect.any(Number) };

describe("a host that was there", () => {
  test.each([
    ["frozen", "SIGSTOP", "HOST_TIMEOUT"],
    ["dead", "SIGKILL", "HOST_UNREACHABLE"],
  ] as const)(
    "and is %s: health says so in 100 ms, apps and forms answer what was last known with its age",
    async (_, signal, code) => {
      const engine = await open();
      await engine.settled((await engine.install("demo-notes", NOTES)).id);
      expect((await engine.health()).host).toMatchObject({ reachable: true, appsService: "RUNNING" });
      const apps = await engine.apps();
      const form = await engine.form("demo-notes", "options");
      expect([apps[0], form]).not.toContainEqual(expect.objectContaining({ lastKnown: expect.anything() }));

      signalHost(signal);
      expect(await fastest(() => engine.health())).toBeLessThan(100);
      await expect
        .poll(async () => (await engine.health()).host)
        .toMatchObject({
          reachable: false,
          code,
          detail: expect.any(String),
          since: expect.any(String),
          lastAttempt: expect.any(String),
          lastAnswer: expect.any(String),
        });
      expect(await fastest(() => engine.health())).toBeLessThan(100);
      expect(await fastest(() => engine.apps())).toBeLessThan(200);
      expect(await fastest(() => engine.form("demo-notes", "options"))).toBeLessThan(400);
      const notes = (await engine.apps()).find(({ appId }) => appId === "demo-notes");
      expect(notes).toMatchObject({ installed: { state: "RUNNING" }, lastKnown: stale });
      expect(await engine.app("demo-notes")).toMatchObject({ installed: { state: "RUNNING" }, lastKnown: stale });
      expect(await engine.form("demo-notes", "options")).toEqual({ ...form, lastKnown: stale });
      expect(await engine.preview("demo-media")).toMatchObject({ lastKnown: stale });
      await expect(engine.install("demo-media")).rejects.toMatchObject({ code });
      expect(logger.lines.filter((line) => line.includes(code))).not.toEqual([]);
      if (signal !== "SIGSTOP") return;

      signalHost("SIGCONT");
      await expect.poll(async () => (await engine.health()).host.reachable).toBe(true);
      await expect
        .poll(async () => (await engine.apps()).filter(({ lastKnown }) => lastKnown !== undefined))
        .toEqual([]);
    },
    60_000,
  );
});

describe("a host that was never there", () => {
  test("is said so in health, and what needs it is refused at once", async () => {
    const url = `ws://127.0.0.1:${await freePort()}`;
    const locations = STANDIN_LOCATIONS;
    const engine = await open({ kind: "rpc", url, username: "u", apiKey: "1-k", trustPlaintext: true, locations });
    await expect
      .poll(async () => (await engine.health()).host)
      .toMatchObject({ reachable: false, code: "HOST_UNREACHABLE", since: expect.any(String) });
    expect(await fastest(() => engine.health())).toBeLessThan(100);
    expect((await engine.apps())[0]).not.toHaveProperty("installed");
    const refused = () =>
      expect(engine.form("demo-notes", "install")).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(await fastest(refused)).toBeLessThan(1_000);
  });
});

describe("a host that refuses the key", () => {
  test("says so in health and the log, and ends no task: it goes on with the right key", async () => {
    const first = await open({ ...STANDIN, speed: 1 });
    const { id } = await first.install("demo-notes", NOTES);
    await opened.pop()?.close();
    const key = standin?.apiKey ?? "";

    const second = await open(remote("1-wrong"));
    await expect
      .poll(async () => (await second.health()).host)
      .toMatchObject({ reachable: false, code: "HOST_AUTH_FAILED", detail: expect.stringContaining("API key") });
    await expect.poll(() => second.task(id)).toMatchObject({ state: "RUNNING", waitingFor: { kind: "network" } });
    expect(logger.lines.filter((line) => line.includes("HOST_AUTH_FAILED"))).not.toEqual([]);
    await opened.pop()?.close();

    const third = await open(remote(key));
    const seen = await third.settled(id);
    expect({ state: seen.state, failure: seen.failure }).toEqual({ state: "COMPLETED" });
  });
});
