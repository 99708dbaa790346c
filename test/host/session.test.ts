import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createHostRpc } from "../../src/adapters/host-rpc/create-host-rpc.ts";
import { CODES } from "../../src/core/codes/codes.ts";
import type { Host } from "../../src/engine/ports/host.ts";
import { openClient, recordingClock, recordingLogger } from "../support/host/host-client.ts";
import { startLoopbackServer } from "../support/host/loopback-server.ts";
import { API_KEY, startWireHost, type WireHost, type WireHostOptions } from "../support/host/wire-host.ts";

const started: { stop(): Promise<void> }[] = [];
const clients: Host[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const host of started.splice(0)) await host.stop();
});

async function wire(options: WireHostOptions = {}): Promise<WireHost> {
  const host = await startWireHost(options);
  started.push({
    stop: async () => {
      await host.stop();
      expect(host.violations).toEqual([]);
    },
  });
  return host;
}

function client(url: string, more: Parameters<typeof openClient>[1] = {}): Host {
  const made = openClient(url, more);
  clients.push(made);
  return made;
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  );
}

describe("connecting", () => {
  test("an API key is refused for ws:// before anything connects, unless the host is vouched for", async () => {
    const host = await wire();
    const options = { url: host.url, username: "svc", apiKey: API_KEY, locations: {} };
    const own = { clock: recordingClock(), logger: recordingLogger() };
    expect(() => createHostRpc({ ...options, ...own })).toThrow(
      expect.objectContaining({ code: "HOST_PLAINTEXT_REFUSED" }),
    );
    expect(host.connections()).toBe(0);
  });

  test.each(["not an address", "ftp://nas.local", "nas"])("the address %j is refused", (url) => {
    expect(() => client(url)).toThrow(expect.objectContaining({ code: "HOST_ADDRESS_INVALID" }));
  });

  test("a host that was never reached is reported at once, as undelivered and retryable", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    const port = typeof address === "object" ? address?.port : undefined;
    closed.close();
    await once(closed, "close");
    expect(await rejection(client(`ws://127.0.0.1:${port}`).usedPorts())).toMatchObject({
      code: "HOST_UNREACHABLE",
      delivery: "no",
      fault: { retryable: true },
    });
  });

  test("a wrong key is one clear error, and no second login within the pause", async () => {
    const host = await wire();
    const it = client(host.url, { apiKey: "7-wrongSecretKey" });
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await rejection(it.usedPorts())).toMatchObject({
        code: "HOST_AUTH_FAILED",
        delivery: "no",
        fault: { retryable: false },
      });
    expect(host.named("auth.login_ex")).toHaveLength(1);
    expect(host.named("app.used_ports")).toHaveLength(0);
  });

  test.each([
    ["EXPIRED", "HOST_KEY_EXPIRED"],
    ["OTP_REQUIRED", "HOST_AUTH_FAILED"],
    ["REDIRECT", "HOST_AUTH_FAILED"],
    ["DENIED", "HOST_AUTH_FAILED"],
    ["SOMETHING_NEW", "HOST_AUTH_FAILED"],
  ])("the login answer %s is %s", async (response_type, code) => {
    const host = await wire();
    host.on("auth.login_ex", (call) => call.result({ response_type }));
    expect(await rejection(client(host.url).usedPorts())).toMatchObject({ code, delivery: "no" });
  });

  test("a login mechanism that is not allowed is a refused login, a rate limit is retryable", async () => {
    const host = await wire();
    host.on("auth.login_ex", (call) =>
      call.raise(95, "EOPNOTSUPP", "[EOPNOTSUPP] API_KEY_PLAIN: mechanism not allowed"),
    );
    expect(await rejection(client(host.url).usedPorts())).toMatchObject({ code: "HOST_AUTH_FAILED" });
    host.on("auth.login_ex", (call) => call.raise(16, "EBUSY", "[EBUSY] Rate Limit Exceeded"));
    expect(await rejection(client(host.url).usedPorts())).toMatchObject({
      code: "HOST_RATE_LIMITED",
      delivery: "no",
      fault: { retryable: true },
    });
  });

  test("a client address the host refuses is said so", async () => {
    const host = await wire({ closeWith: 1008 });
    expect(await rejection(client(host.url).usedPorts())).toMatchObject({ code: "HOST_ACCESS_DENIED", delivery: "no" });
  });

  test("a host of unknown releases only is refused with what it offers", async () => {
    const host = await wire({ versions: ["v24.10.2", "v31.0.0"] });
    expect(await rejection(client(host.url).usedPorts())).toMatchObject({
      code: "HOST_VERSION_UNSUPPORTED",
      message: expect.stringContaining("v24.10.2, v31.0.0"),
    });
  });

  test("a host of 24.10 sends every unknown address to its pages: its release is named as unsupported", async () => {
    const host = await startLoopbackServer((_, response) => void response.writeHead(302, { location: "/ui/" }).end());
    started.push({ stop: host.close });
    expect(await rejection(client(host.url.replace("http:", "ws:")).usedPorts())).toMatchObject({
      code: "HOST_VERSION_UNSUPPORTED",
      message: expect.stringMatching(/release 24\.10.*supported are releases 25\.04, 25\.10, 26\.0, 27\.0/),
      delivery: "no",
    });
    expect(CODES.HOST_VERSION_UNSUPPORTED.hint).toMatch(/25\.04, 25\.10, 26\.0 or 27\.0/);
  });
});

describe("calls", () => {
  test("at most 8 are in flight, and each is answered in the end", async () => {
    const host = await wire();
    const held: (() => void)[] = [];
    let most = 0;
    host.on("filesystem.stat", (call) => {
      held.push(() => call.result({ realpath: String(call.params[0]), type: "SYMLINK", uid: 0, gid: 0, new_key: 1 }));
      most = Math.max(most, held.length);
    });
    const it = client(host.url);
    const all = Promise.all(Array.from({ length: 30 }, (_, at) => it.stat(`/mnt/tank/${at}`)));
    for (let answered = 0; answered < 30; answered++) {
      await expect.poll(() => held.length).toBe(Math.min(8, 30 - answered));
      held.pop()?.();
    }
    expect((await all).map((found) => found?.target)).toEqual(Array.from({ length: 30 }, (_, at) => `/mnt/tank/${at}`));
    expect(most).toBe(8);
  });

  test("a message over 65536 bytes is refused before it is sent, with its size", async () => {
    const host = await wire();
    const it = client(host.url);
    const values = { text: "x".repeat(65_536) };
    expect(await rejection(it.startJob({ method: "updateApp", name: "jellyfin", values }, "r1"))).toMatchObject({
      code: "HOST_MESSAGE_TOO_LARGE",
      delivery: "no",
      message: expect.stringMatching(/"app.update" needs 65\d{3} bytes/),
    });
    expect(host.named("app.update")).toHaveLength(0);
  });

  test("a read whose answer is lost is asked again on a new connection", async () => {
    const host = await wire();
    host.on("app.used_ports", (call) => (call.connection === 1 ? call.cut() : call.result([80])));
    expect(await client(host.url).usedPorts()).toEqual([80]);
    expect(host.named("auth.login_ex")).toHaveLength(2);
    expect(host.named("core.subscribe")).toHaveLength(2);
  });

  test("a create whose answer is lost is sent once and reported as unknown", async () => {
    const host = await wire();
    host.on("filesystem.mkdir", (call) => call.cut());
    expect(await rejection(client(host.url).makeDirectory("/mnt/tank/apps/x"))).toMatchObject({
      code: "HOST_ANSWER_LOST",
      delivery: "unknown",
      fault: { retryable: true },
    });
    expect(host.named("filesystem.mkdir")).toHaveLength(1);
  });

  test.each([
    ["ENOTAUTHENTICATED", 207, "[ENOTAUTHENTICATED] Not authenticated"],
    ["EACCES", 13, "[EACCES] Session is expired"],
  ])("%s on any call leads to one login and the call again, also a create", async (errname, errno, reason) => {
    const host = await wire();
    let expired = true;
    host.on("auth.login_ex", (call) => {
      if (host.named("auth.login_ex").length > 1) expired = false;
      call.result({ response_type: "SUCCESS" });
    });
    host.on("filesystem.mkdir", (call) => (expired ? call.raise(errno, errname, reason) : call.result({})));
    const it = client(host.url);
    await Promise.all([it.makeDirectory("/mnt/tank/apps/a"), it.makeDirectory("/mnt/tank/apps/b")]);
    expect(host.named("auth.login_ex")).toHaveLength(2);
    expect(host.connections()).toBe(1);
    expect(host.named("filesystem.mkdir")).toHaveLength(4);
  });

  test("a connection lost during that login is built anew for the call", async () => {
    const host = await wire();
    host.on("auth.login_ex", (call) => {
      if (host.named("auth.login_ex").length === 2) call.cut();
      else call.result({ response_type: "SUCCESS" });
    });
    host.on("filesystem.mkdir", (call) => {
      if (call.connection === 1) call.raise(207, "ENOTAUTHENTICATED", "[ENOTAUTHENTICATED] Not authenticated");
      else call.result({});
    });
    await client(host.url).makeDirectory("/mnt/tank/apps/a");
    expect(host.connections()).toBe(2);
    expect(host.named("filesystem.mkdir")).toHaveLength(2);
  });

  test("a session that is refused again and again is an error that the host has not acted on", async () => {
    const host = await wire();
    host.on("filesystem.mkdir", (call) =>
      call.raise(207, "ENOTAUTHENTICATED", "[ENOTAUTHENTICATED] Not authenticated"),
    );
    expect(await rejection(client(host.url).makeDirectory("/mnt/tank/apps/a"))).toMatchObject({
      code: "HOST_SESSION_ENDED",
      delivery: "no",
    });
  });

  test("a call refused as one too many is sent again after a pause, also a create", async () => {
    const host = await wire();
    host.on("filesystem.mkdir", (call) => {
      const first = host.named("filesystem.mkdir").length === 1;
      if (first) call.error(-32000, "Maximum number of concurrent calls (20) has exceeded");
      else call.result({});
    });
    await client(host.url).makeDirectory("/mnt/tank/apps/a");
    expect(host.named("filesystem.mkdir")).toHaveLength(2);
  });

  test("a slow answer is given up after its time, and ignored when it comes late", async () => {
    const host = await wire();
    let late = () => {};
    host.on("filesystem.mkdir", (call) => {
      late = () => call.result({});
    });
    host.on("app.used_ports", (call) => {
      late();
      call.result([443]);
    });
    const logger = recordingLogger();
    const it = client(host.url, { timing: { callMs: 100 }, logger });
    expect(await rejection(it.makeDirectory("/mnt/tank/apps/x"))).toMatchObject({
      code: "HOST_TIMEOUT",
      delivery: "unknown",
    });
    expect(await it.usedPorts()).toEqual([443]);
    expect(logger.lines.join("\n")).toContain("late answer");
    expect(host.connections()).toBe(1);
  });

  test("an answer of another form names the method and the place", async () => {
    const host = await wire();
    host.on("interface.ip_in_use", (call) => call.result([{ type: "INET", address: 5 }]));
    expect(await rejection(client(host.url).addresses())).toMatchObject({
      code: "HOST_PROTOCOL",
      message: expect.stringMatching(/"interface.ip_in_use" is not understood: 0\.address: /),
    });
  });

  test("a method the host lacks is HOST_METHOD_UNKNOWN", async () => {
    const host = await wire();
    expect(await rejection(client(host.url).usedPorts())).toMatchObject({ code: "HOST_METHOD_UNKNOWN" });
  });

  test("the API key in the host's words is masked, in errors and in the log", async () => {
    const host = await wire();
    host.on("app.used_ports", (call) => call.raise(14, "EFAULT", `[EFAULT] bad key ${API_KEY} or ${API_KEY.slice(2)}`));
    const logger = recordingLogger();
    const error = await rejection(client(host.url, { logger }).usedPorts());
    expect(error).toMatchObject({ code: "HOST_CALL_FAILED", message: "[EFAULT] bad key ******** or ********" });
    expect(JSON.stringify(error) + logger.lines.join("\n")).not.toContain(API_KEY.slice(2));
  });
});

describe("a connection that is lost", () => {
  test("is waited for with growing, jittered pauses, and calls made meanwhile go through", async () => {
    const first = await startWireHost();
    first.on("app.used_ports", (call) => call.result([1]));
    const clock = recordingClock();
    const it = client(first.url, {
      clock,
      random: () => 0.5,
      timing: { backoffMs: [16, 64], pingMs: 60_001, pollMs: 60_002 },
    });
    expect(await it.usedPorts()).toEqual([1]);
    await first.stop();
    const asked = it.usedPorts();
    const paused = () => clock.waits.filter((ms) => ms < 1_000);
    await expect.poll(() => paused().length).toBeGreaterThanOrEqual(5);
    const again = await wire({ port: Number(new URL(first.url).port) });
    again.on("app.used_ports", (call) => call.result([2]));
    expect(await asked).toEqual([2]);
    expect(it.connection?.()).toMatchObject({ connected: true, connections: 2 });
    // Drawn between half and all of 16, 32, 64, 64, ... ms.
    expect(paused().slice(0, 5)).toEqual([12, 24, 48, 48, 48]);
  });

  test("is given up by a call after the time it waits", async () => {
    const host = await startWireHost();
    host.on("app.used_ports", (call) => call.result([1]));
    const it = client(host.url, { timing: { reconnectWaitMs: 100 } });
    await it.usedPorts();
    await host.stop();
    expect(await rejection(it.usedPorts())).toMatchObject({ code: "HOST_UNREACHABLE", delivery: "no" });
  });

  test("shows by a ping that is not answered, when the host hangs", async () => {
    const host = await wire();
    host.on("core.ping", () => {});
    host.on("app.used_ports", (call) => (call.connection === 1 ? undefined : call.result([7])));
    const it = client(host.url, { timing: { pingMs: 20, pongMs: 50 } });
    expect(await it.usedPorts()).toEqual([7]);
    expect(host.connections()).toBe(2);
  });

  test("does not happen while idle: pings go on", async () => {
    const host = await wire();
    host.on("app.used_ports", (call) => call.result([]));
    const it = client(host.url, { timing: { pingMs: 5 } });
    await it.usedPorts();
    await expect.poll(() => host.named("core.ping").length).toBeGreaterThan(3);
    expect(host.connections()).toBe(1);
  });
});

describe("close", () => {
  test("rejects what is open, leaves no socket and no wait behind", async () => {
    const host = await wire();
    host.on("app.used_ports", () => {});
    const it = openClient(host.url);
    const open = rejection(it.usedPorts());
    await expect.poll(() => host.named("app.used_ports").length).toBe(1);
    await it.close();
    expect(await open).toMatchObject({ code: "HOST_CLOSED", delivery: "unknown" });
    expect(await rejection(it.usedPorts())).toMatchObject({ code: "HOST_CLOSED", delivery: "no" });
    await expect.poll(() => host.open()).toBe(0);
  });

  test("ends an attempt to connect", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const it = openClient(`ws://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
    const open = rejection(it.usedPorts());
    const connected = once(silent, "connection");
    await connected;
    await it.close();
    expect(await open).toMatchObject({ delivery: "no" });
    silent.close();
  });
});
