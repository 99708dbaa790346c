/** A browser logs in with the token: a cookie no script and no other address can use, and no page of another origin. */
import { createHmac, scryptSync } from "node:crypto";
import { describe, expect } from "vitest";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { type HttpServerOptions, startHttpServer } from "../../src/http/server.ts";
import { Sessions } from "../../src/http/sessions.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";
import { checkResponsesOf, readOpenApi } from "../support/http/described-responses.ts";

const TOKEN = "a-token-of-some-length";
const BEARER = { headers: { authorization: `Bearer ${TOKEN}` } };

async function serve(options: Partial<HttpServerOptions> = {}) {
  const { engine } = await openWorld({ catalog: { a: {} } });
  const server = await startHttpServer(engine, {
    address: "127.0.0.1",
    port: 0,
    token: TOKEN,
    trustProxy: true,
    logger: SILENT_LOGGER,
    ...options,
  });
  closeAfterTest(server);
  const check = checkResponsesOf(await readOpenApi(server.url, BEARER));
  /** Asks as a browser at an address does; every response has to be one that is described. */
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const url = `${server.url}/api${path}`;
    const type = body === undefined ? undefined : { "content-type": "application/json" };
    const text = body === undefined ? null : JSON.stringify(body);
    // As the page asks, and programs that use a cookie have to.
    const sent = { ...type, ...("cookie" in headers && { "x-slipway": "1" }), ...headers };
    const response = await fetch(url, { method, headers: sent, body: text });
    expect([path, (await check(method, url, response)).faults]).toEqual([path, []]);
    return response;
  };
  const logIn = (token: unknown, headers: Record<string, string> = {}) => ask("POST", "/session", headers, { token });
  return { server, ask, logIn };
}

const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";

describe("a session", () => {
  it("lets its browser in until it ends, and is nothing a script or another site has", async () => {
    const { server, ask, logIn } = await serve();
    expect((await ask("GET", "/tasks")).status).toBe(401);
    const opened = await logIn(TOKEN);
    expect(opened.status).toBe(200);
    const set = opened.headers.get("set-cookie") ?? "";
    expect(set.split("; ").slice(1)).toEqual(["Max-Age=2592000", "Path=/", "HttpOnly", "SameSite=Strict"]);
    expect(opened.headers.get("cache-control")).toBe("no-store");
    expect(`${set}${await opened.text()}`).not.toContain(TOKEN);
    const cookie = `theme=dark; ${cookieOf(opened)}`;
    expect((await ask("GET", "/tasks", { cookie })).status).toBe(200);
    expect((await ask("POST", "/catalog/sync", { cookie })).status).toBe(200);
    const ended = await ask("DELETE", "/session", { cookie });
    expect([ended.status, cookieOf(ended)]).toEqual([204, `slipway_session_${new URL(server.url).port}=`]);
    expect((await ask("GET", "/tasks", { cookie })).status).toBe(401);
    expect((await ask("GET", "/tasks", { cookie: cookieOf(await logIn(TOKEN)) })).status).toBe(200);
  });

  it("that ends hears no more of what changes, whoever has its cookie", async () => {
    const { server, ask, logIn } = await serve();
    const cookies = [cookieOf(await logIn(TOKEN)), cookieOf(await logIn(TOKEN))];
    const follow = async (cookie: string) => {
      const { body } = await fetch(`${server.url}/api/events`, { headers: { cookie, "x-slipway": "1" } });
      const reader = body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("stream.opened");
      return reader;
    };
    const [ending, staying] = await Promise.all(cookies.map(follow));
    await ask("DELETE", "/session", { cookie: cookies[0] ?? "" });
    await expect(ending?.read()).rejects.toThrow("terminated");
    await ask("PUT", "/dashboard", { cookie: cookies[1] ?? "" }, { tiles: [] });
    let heard = "";
    while (!heard.includes("dashboard.changed")) heard += new TextDecoder().decode((await staying?.read())?.value);
    await staying?.cancel();
  });

  it("is Secure where the browser came by https", async () => {
    const { logIn } = await serve();
    const opened = await logIn(TOKEN, { "x-forwarded-proto": "https" });
    expect(opened.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  it("is worth nothing at another address: an app on another port gets to see it", async () => {
    const { ask, logIn } = await serve();
    const cookie = cookieOf(await logIn(TOKEN, { "x-forwarded-for": "10.0.0.7" }));
    expect((await ask("GET", "/tasks", { cookie, "x-forwarded-for": "10.0.0.7" })).status).toBe(200);
    expect((await ask("GET", "/tasks", { cookie, "x-forwarded-for": "10.0.0.8" })).status).toBe(401);
  });

  it("is opened, used and ended by no page of another origin", async () => {
    const { server, ask, logIn } = await serve();
    const cookie = cookieOf(await logIn(TOKEN));
    const other = server.url.replace(/\d+$/, "1");
    for (const foreign of [{ origin: "http://evil.example" }, { origin: other }, { "sec-fetch-site": "same-site" }]) {
      const refused = [
        await logIn(TOKEN, foreign),
        await ask("POST", "/catalog/sync", { cookie, ...foreign }),
        await ask("DELETE", "/session", { cookie, ...foreign }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(refused.map(cookieOf)).toEqual(["", "", ""]);
    }
    expect((await ask("GET", "/tasks", { cookie, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await ask("GET", "/tasks", { cookie, origin: server.url, "sec-fetch-site": "same-origin" })).status).toBe(
      200,
    );
  });

  it("is not guessed: after ten wrong tokens the right one has to wait too, at this address alone", async () => {
    const { logIn } = await serve();
    const guess = async (token: string, from: string) => (await logIn(token, { "x-forwarded-for": from })).status;
    for (let wrong = 0; wrong < 10; wrong += 1) expect(await guess(`wrong ${wrong}`, "10.0.0.7")).toBe(401);
    const refused = await logIn(TOKEN, { "x-forwarded-for": "10.0.0.7" });
    expect([refused.status, refused.headers.get("retry-after"), cookieOf(refused)]).toEqual([429, "10", ""]);
    expect(await guess(TOKEN, "10.0.0.8")).toBe(200);
  });

  it("lets in beside a header of the page alone, which no page of another origin can send unasked", async () => {
    const { server, logIn } = await serve();
    const cookie = cookieOf(await logIn(TOKEN));
    const status = async (method: string, path: string, headers: Record<string, string>) =>
      (await fetch(`${server.url}/api${path}`, { method, headers })).status;
    for (const [method, path] of [
      ["GET", "/tasks"],
      ["GET", "/events"],
      ["POST", "/notifications/read"],
    ] as const) {
      expect([path, await status(method, path, { cookie })]).toEqual([path, 401]);
      expect([path, await status(method, path, { cookie, "x-slipway": "1", origin: "null" })]).toEqual([path, 403]);
    }
    expect(await status("GET", "/tasks", { cookie, "x-slipway": "" })).toBe(200);
  });

  it("is kept from nobody by what others ask from its address, without it or with another", async () => {
    const { server, ask, logIn } = await serve();
    const cookie = cookieOf(await logIn(TOKEN));
    const foreign = { method: "POST", headers: { origin: "http://evil.example", "content-type": "application/json" } };
    for (let asked = 0; asked < 150; asked += 1) {
      await fetch(`${server.url}/api/tasks`);
      await fetch(`${server.url}/api/notifications/read`, { method: "POST" });
      await fetch(`${server.url}/api/session`, { ...foreign, body: JSON.stringify({ token: "wrong" }) });
    }
    expect((await ask("POST", "/notifications/read", { cookie })).status).toBe(200);
    expect((await logIn(TOKEN)).status).toBe(200);
    expect((await ask("POST", "/notifications/read", BEARER.headers)).status).toBe(200);
  });

  it("is not guessed from the many addresses of one network, and one of them keeps the others from nothing", async () => {
    const { logIn } = await serve();
    const guess = async (from: string) => (await logIn("wrong", { "x-forwarded-for": from })).status;
    // One of them has ten, and takes none from the others by asking on.
    const ofOne = [];
    for (let wrong = 0; wrong < 30; wrong += 1) ofOne.push(await guess("fd00::a"));
    expect(ofOne).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
    for (let wrong = 0; wrong < 90; wrong += 1) expect(await guess(`fd00::1:${wrong}`)).toBe(401);
    // One comes again each second by now.
    const ofOthers = [];
    for (let wrong = 0; wrong < 20; wrong += 1) ofOthers.push(await guess(`fd00::2:${wrong}`));
    expect(ofOthers).toContain(429);
    expect(await guess("fd00:0:0:1::1")).toBe(401);
  });

  it("counts for the address of whom a trusted proxy names, and of no other peer", async () => {
    const { ask, logIn } = await serve({ trustProxy: ["10.0.0.0/8"] });
    const opened = await logIn(TOKEN, { "x-forwarded-for": "10.0.0.7", "x-forwarded-proto": "https" });
    expect(opened.headers.get("set-cookie")).not.toContain("Secure");
    const elsewhere = { cookie: cookieOf(opened), "x-forwarded-for": "10.0.0.8" };
    expect((await ask("GET", "/tasks", elsewhere)).status).toBe(200);
  });

  it("ends none of another server of the machine: browsers have one cookie of a name for all of its ports", async () => {
    const [one, two] = [await serve(), await serve()];
    const cookies = [cookieOf(await one.logIn(TOKEN)), cookieOf(await two.logIn(TOKEN))];
    const names = [one, two].map(({ server }) => `slipway_session_${new URL(server.url).port}`);
    expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual(names);
    const cookie = cookies.join("; ");
    for (const { ask } of [one, two]) expect((await ask("GET", "/tasks", { cookie })).status).toBe(200);
    const named = cookieOf(await (await serve({ sessionCookie: "own" })).logIn(TOKEN));
    expect(named).toMatch(/^own=/);
  });

  it("is found among the cookies that pages of other ports have set", async () => {
    const { ask, logIn } = await serve();
    const others = Array.from({ length: 40 }, (_, at) => `c${at}=${"x".repeat(1_000)}`);
    const cookie = [...others, cookieOf(await logIn(TOKEN))].join("; ");
    expect((await ask("GET", "/tasks", { cookie })).status).toBe(200);
  });

  it("takes a token and nothing else", async () => {
    const { ask, logIn } = await serve();
    for (const token of [1, null, "x".repeat(4_097)]) expect((await logIn(token)).status).toBe(400);
    expect((await ask("POST", "/session", {}, { token: TOKEN, more: 1 })).status).toBe(400);
    expect((await ask("GET", "/session")).status).toBe(401);
    expect((await ask("GET", "/session", BEARER.headers)).status).toBe(405);
  });
});

describe("the cookie of a session", () => {
  const open = (token: string, now = 0) =>
    new Sessions({
      token,
      now: () => now,
      monotonic: () => now,
      createId: () => "id",
      cookieName: () => "slipway_session",
    });
  const cookieFor = async (sessions: Sessions) => (await sessions.open(TOKEN, "a", false)).cookie.split(";")[0] ?? "";

  it("outlives a restart of the server, and ends with its token and its time", async () => {
    const cookie = await cookieFor(open(TOKEN));
    const isOpen = async (sessions: Sessions) => {
      await sessions.prepare(cookie);
      return sessions.findId(cookie, "a") !== null;
    };
    expect(await isOpen(open(TOKEN, 29 * 24 * 3_600_000))).toBe(true);
    expect(await isOpen(open(TOKEN, 31 * 24 * 3_600_000))).toBe(false);
    expect(await isOpen(open("another-token"))).toBe(false);
  });

  it("is signed by a key that takes the work of scrypt to try a token, done once somebody comes with one", async () => {
    const cookie = await cookieFor(open(TOKEN));
    const [expires, id, mac] = cookie.replace("slipway_session=", "").split(".");
    const key = scryptSync(TOKEN, "slipway session", 32, { N: 2 ** 15, maxmem: 64 * 1024 * 1024 });
    expect(mac).toBe(createHmac("sha256", key).update(`${expires}.${id}.a`).digest("base64url"));
    const later = open(TOKEN);
    expect(later.prepare("theme=dark")).toBeNull();
    await Promise.all([later.prepare(cookie), later.prepare("slipway_session=junk")]);
    expect(later.prepare(cookie)).toBeNull();
  });

  it("counts beside others of its name, which the page of any app on the machine can set", async () => {
    const sessions = open(TOKEN);
    const cookie = await cookieFor(sessions);
    // browsers send the one with the longer path first
    const tossed = `slipway_session=junk; slipway_session=1.id.${"A".repeat(43)}; ${cookie}`;
    expect(sessions.findId(tossed, "a")).toBe("id");
    sessions.end(tossed, "a");
    expect(sessions.findId(cookie, "a")).toBeNull();
  });

  it("counts as it was given and in no other form", async () => {
    const sessions = open(TOKEN);
    const cookie = await cookieFor(sessions);
    const later = cookie.replace(/=\d+/, "=9999999999999");
    const forms = [
      `${cookie}A`,
      cookie.slice(0, -1),
      later,
      cookie.toUpperCase(),
      `x${cookie}`,
      "slipway_session=",
      undefined,
    ];
    expect(forms.map((form) => sessions.findId(form, "a"))).toEqual(forms.map(() => null));
    expect(sessions.findId(` a=b;  ${cookie} `, "a")).toBe("id");
  });
});
