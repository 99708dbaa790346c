/** A sign-in's addresses, headers and answers are an author's and a provider's words: none of them opens a way in. */
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { NetworkPorts } from "../../../src/adapters/network-policy/decide-hop.ts";
import { createProviders } from "../../../src/adapters/network-policy/oauth-providers.ts";
import type { TaskView } from "../../../src/engine/api.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../../src/http/server.ts";
import { openStandinEngine, type StandinEngine } from "../../support/engine/standin-engine.ts";
import { fuzz } from "../../support/fuzz.ts";
import { startLoopbackServer } from "../../support/host/loopback-server.ts";
import { PIN_FLOW, rawHook } from "../../support/scripts/scripts.ts";
import { WITHIN_MS } from "../../support/within.ts";

let world: StandinEngine | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** An app whose hook signs in by this flow after the install. */
function signingIn(flow: Record<string, unknown>): Record<string, unknown> {
  const input = { type: "oauth", id: "account", name: "Account", provider: "test", flow: { ...PIN_FLOW, ...flow } };
  const after = { title: "Set up", events: ["onAfterInstall"], rerun: undefined, entrypoint: "run" };
  return { hooks: [rawHook({ ...after, id: "setup", inputs: [input] })] };
}

async function open(production: boolean): Promise<StandinEngine> {
  world = await openStandinEngine(["victim", "evil", "evil2", "good"], { production });
  return world;
}

async function serve({ engine }: StandinEngine): Promise<string> {
  const server = await startHttpServer(engine, { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER });
  onTestFinished(() => server.close());
  return server.url;
}

/** The provider of a test on loopback. */
async function provider(...args: Parameters<typeof startLoopbackServer>) {
  const server = await startLoopbackServer(...args);
  onTestFinished(() => server.close());
  return server;
}

/** Installs the app and waits until its sign-in has come to this. */
async function signIn({ engine }: StandinEngine, appId: string, words: string): Promise<TaskView> {
  const { id } = await engine.install(appId);
  const seen = () => JSON.stringify(engine.task(id)).includes(words);
  if (!seen()) for await (const _ of engine.watch(0, AbortSignal.timeout(WITHIN_MS))) if (seen()) break;
  const task = engine.task(id);
  if (task === null || !seen()) throw new Error(`"${words}" never came: ${JSON.stringify(task)}`);
  return task;
}

describe("a sign-in whose provider is the engine's own API", () => {
  it("is refused in production, and installs nothing", async () => {
    const it = await open(true);
    const api = await serve(it);
    const flow = { pinUrl: `${api}/api/apps/victim/install`, headers: { "content-type": "application/json" } };
    await it.publish({ victim: {}, evil: signingIn(flow) });
    const task = await signIn(it, "evil", "TASK_OAUTH_");
    expect(it.engine.tasks({ appId: "victim" })).toEqual([]);
    expect(JSON.stringify(task)).toContain("TASK_OAUTH_REFUSED");
  });

  it("is refused in development, where other providers on loopback are reached", async () => {
    const it = await open(false);
    const api = await serve(it);
    const pins = await provider((_, response) => response.end(JSON.stringify({ id: 1, code: "AB12" })));
    await it.publish({
      victim: {},
      evil: signingIn({ pinUrl: `${api}/api/apps/victim/install` }),
      evil2: signingIn({ pinUrl: `${api.replace("127.0.0.1", "localhost")}/api/apps/victim/install` }),
      good: signingIn({ pinUrl: `${pins.url}/pins`, pollUrl: `${pins.url}/pins/{pinId}` }),
    });
    await signIn(it, "evil", "is the engine's own");
    await signIn(it, "evil2", "is the engine's own");
    expect(it.engine.tasks({ appId: "victim" })).toEqual([]);
    await signIn(it, "good", "AB12");
    expect(pins.requests[0]).toBe("POST /pins");
  });
});

describe("a provider on loopback", () => {
  it("is not connected to in production", async () => {
    const it = await open(true);
    const pins = await provider();
    await it.publish({ evil: signingIn({ pinUrl: `${pins.url}/pins` }) });
    await signIn(it, "evil", "TASK_OAUTH_REFUSED");
    expect(pins.connections()).toBe(0);
  });

  it("that sends without end is cut at 64 KB", async () => {
    const it = await open(false);
    let sent = 0;
    const gone = Promise.withResolvers<void>();
    const pins = await provider((_, response) => {
      const more = () => {
        for (let wrote = true; wrote && !response.destroyed; ) {
          sent += 65_536;
          wrote = response.write(Buffer.alloc(65_536, 32));
        }
      };
      response.on("drain", more).on("close", gone.resolve);
      more();
    });
    await it.publish({ evil: signingIn({ pinUrl: `${pins.url}/pins` }) });
    await signIn(it, "evil", "larger than the allowed 65536 bytes");
    await gone.promise;
    // What the kernel's buffers of both ends take, and no more.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(64 * 1024 * 1024))],
    ["gzip, gzip", gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)))],
  ])("that answers a bomb in %s is cut by what comes out of it", async (encoding, bomb) => {
    const pins = await provider((_, response) => response.setHeader("content-encoding", encoding).end(bomb));
    const asked = createProviders({ loopback: true }).ask(
      { method: "GET", url: pins.url, headers: {} },
      new AbortController().signal,
    );
    await expect(asked).rejects.toMatchObject({
      code: "TASK_OAUTH_FAILED",
      message: expect.stringContaining("larger than the allowed 65536 bytes"),
    });
  });

  it("is not followed elsewhere", async () => {
    const it = await open(false);
    const api = await serve(it);
    const pins = await provider((_, response) =>
      response.writeHead(307, { location: `${api}/api/apps/victim/install` }).end(),
    );
    await it.publish({ victim: {}, evil: signingIn({ pinUrl: `${pins.url}/pins` }) });
    await signIn(it, "evil", "TASK_OAUTH_FAILED");
    expect(it.engine.tasks({ appId: "victim" })).toEqual([]);
  });

  it.each([
    ["a head that never ends", (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\n")],
    ["a body that never ends", (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{")],
    ["nothing", () => {}],
  ])("that sends %s is given up at the deadline", async (_, trickle) => {
    const { url } = await rawServer(trickle);
    const asked = createProviders({ loopback: true, exchangeMs: 300 }).ask(
      { method: "GET", url, headers: {} },
      new AbortController().signal,
    );
    await expect(asked).rejects.toMatchObject({
      code: "TASK_OAUTH_FAILED",
      message: expect.stringContaining("no whole answer within 0.3 s"),
    });
  });

  it("whose id, or an author whose client id, is half a character breaks no task", async () => {
    const it = await open(false);
    const half = '"\\ud800"';
    const pins = await provider((request, response) =>
      response.end(request.method === "POST" ? `{"id":${half},"code":"AB12"}` : '{"authToken":"granted-token"}'),
    );
    const clientId = JSON.parse(half);
    await it.publish({
      evil: signingIn({
        ...{ clientId, headers: {}, tokenField: "authToken" },
        ...{ pinUrl: `${pins.url}/pins`, pollUrl: `${pins.url}/pins/{pinId}` },
        authUrl: "https://provider.test/{clientId}/{code}",
      }),
    });
    await signIn(it, "evil", '"state":"COMPLETED"');
    expect(pins.requests).toContain("GET /pins/%EF%BF%BD");
  });

  it("whose code would hide something from the person who reads it is refused", async () => {
    const it = await open(false);
    const pins = await provider((_, response) => response.end(JSON.stringify({ id: 1, code: "AB\u001b[2J\u202e12" })));
    await it.publish({ evil: signingIn({ pinUrl: `${pins.url}/pins` }) });
    expect(JSON.stringify(await signIn(it, "evil", "TASK_OAUTH_FAILED"))).not.toContain("u001b");
  });

  fuzz("may answer any bytes: the engine has a text, or an error with a code, and nothing else", 100, async () => {
    const head = fc.oneof(
      fc.constantFrom("HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.0 600 x\r\n\r\n", ""),
      fc
        .tuple(fc.integer({ min: 0, max: 999 }), fc.string(), fc.string())
        .map(([status, name, value]) => `HTTP/1.1 ${status} x\r\n${name}: ${value}\r\n\r\n`),
      fc
        .constantFrom("content-encoding: gzip", "transfer-encoding: chunked", "content-length: 5", "location: /x")
        .map((line) => `HTTP/1.1 ${line.startsWith("location") ? 302 : 200} x\r\n${line}\r\n\r\n`),
    );
    let answer: Buffer = Buffer.alloc(0);
    const { url } = await rawServer((socket) => socket.end(answer));
    const providers = createProviders({ loopback: true, exchangeMs: 2_000 });
    return fc.asyncProperty(head, fc.uint8Array({ maxLength: 200_000 }), async (start, rest) => {
      answer = Buffer.concat([Buffer.from(start), rest]);
      const outcome = await providers
        .ask({ method: "GET", url, headers: {} }, new AbortController().signal)
        .catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "TASK_OAUTH_FAILED" });
      else expect(Buffer.byteLength(JSON.stringify(outcome))).toBeLessThan(500_000);
    });
  });
});

describe("the way to providers", () => {
  const asks = { method: "GET", headers: {} } as const;

  /** A network whose every name leads to these addresses. */
  function leadingTo(addresses: readonly string[], seen: string[] = []): NetworkPorts {
    return {
      resolve: async (name) => {
        seen.push(name);
        return addresses;
      },
      ownAddresses: () => ["2606:4700::5"],
      ownPorts: () => [],
    };
  }

  it.each([
    ["loopback", ["127.0.0.1"], false],
    ["loopback, in development", ["127.0.0.1"], true],
    ["a private address", ["10.0.0.1"], true],
    ["the metadata service", ["169.254.169.254"], true],
    ["an address of this machine", ["2606:4700::5"], true],
    ["loopback inside IPv6", ["::ffff:127.0.0.1", "64:ff9b::7f00:1"], true],
  ])("is shut where a public name leads to %s", async (_, addresses, loopback) => {
    const providers = createProviders({ loopback, network: leadingTo(addresses) });
    const asked = providers.ask({ ...asks, url: "https://provider.test/pins" }, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ code: "TASK_OAUTH_REFUSED" });
  });

  it.each([
    "http://provider.test/pins",
    "https://user:word@provider.test/pins",
    "https://provider.test:0/pins",
    "ftp://provider.test/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://",
    `https://provider.test/${"x".repeat(3_000)}`,
  ])("looks no name up for %s", async (url) => {
    const seen: string[] = [];
    const providers = createProviders({ loopback: true, network: leadingTo(["127.0.0.1"], seen) });
    const asked = providers.ask({ ...asks, url }, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ code: "TASK_OAUTH_REFUSED" });
    expect(seen).toEqual([]);
  });

  it.each(["Host", "Cookie", "Proxy-Authorization", "Transfer-Encoding", "Sec-Fetch-Site", "X-HTTP-Method-Override"])(
    "sends no header %s",
    async (name) => {
      const pins = await provider();
      const headers = { [name]: "x" };
      const asked = createProviders({ loopback: true }).ask(
        { method: "GET", url: pins.url, headers },
        new AbortController().signal,
      );
      await expect(asked).rejects.toMatchObject({ code: "TASK_OAUTH_REFUSED" });
      expect(pins.connections()).toBe(0);
    },
  );

  it("sends no value that would begin another line", async () => {
    const pins = await provider();
    const headers = { "x-plex-product": "a\r\nCookie: b" };
    const asked = createProviders({ loopback: true }).ask(
      { method: "GET", url: pins.url, headers },
      new AbortController().signal,
    );
    await expect(asked).rejects.toMatchObject({ code: "TASK_OAUTH_REFUSED" });
    expect(pins.connections()).toBe(0);
  });
});

describe("what the author is told of a sign-in", () => {
  it.each([
    ["a header that is not allowed", { headers: { Cookie: "a=b" } }, "HOOK_OAUTH_HEADER"],
    ["an address to open that is script", { authUrl: "javascript:alert('{clientId}{code}')" }, "SCRIPT_"],
    ["an address to open without TLS", { authUrl: "http://127.0.0.1/{clientId}/{code}" }, "SCRIPT_"],
    ["an address to open as somebody", { authUrl: "https://plex.tv@evil.test/{clientId}/{code}" }, "SCRIPT_"],
    ["an address with a line break", { authUrl: "https://plex.test/\n{clientId}/{code}" }, "SCRIPT_"],
    ["a provider as somebody", { pinUrl: "https://a:b@plex.test/" }, "SCRIPT_"],
  ])("%s is an error at its line", async (_, flow, code) => {
    const it = await open(true);
    await it.publish({ evil: signingIn(flow) });
    const problems = (await it.engine.app("evil"))?.problems ?? [];
    expect(problems).toContainEqual(
      expect.objectContaining({ code: expect.stringContaining(code), severity: "error", line: expect.any(Number) }),
    );
  });

  it("is nothing where the headers are those real providers ask for", async () => {
    const it = await open(true);
    const headers = {
      Accept: "application/json",
      "X-Plex-Client-Identifier": "{clientId}",
      "X-Plex-Product": "Slipway",
    };
    await it.publish({ good: signingIn({ headers }) });
    expect((await it.engine.app("good"))?.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

/** A server on loopback that is no HTTP server: each connection is answered as the test says, after its first bytes. */
async function rawServer(answer: (socket: Socket) => unknown): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}/` };
}
