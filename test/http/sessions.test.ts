/** A browser logs in with the token: a cookie that counts for nothing without its key, at another address or elsewhere. */
import { createHmac, scryptSync } from "node:crypto";
import { describe, expect } from "vitest";
import { EngineError } from "../../src/core/codes/problems.ts";
import type { Clock } from "../../src/engine/ports/environment.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { Session } from "../../src/http/schemas/system/sessions.ts";
import { type HttpServerOptions, startHttpServer } from "../../src/http/server.ts";
import { readShown, Sessions } from "../../src/http/sessions.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";
import { checkResponsesOf, readOpenApi } from "../support/http/described-responses.ts";

const TOKEN = "a-token-of-some-length";
const PROXY = "a-secret-of-some-length";
const BEARER = { headers: { authorization: `Bearer ${TOKEN}` } };

async function serve(options: Partial<HttpServerOptions> = {}) {
  const { engine } = await openWorld({ catalog: { a: {} } });
  const server = await startHttpServer(engine, {
    address: "127.0.0.1",
    port: 0,
    token: TOKEN,
    proxySecret: PROXY,
    logger: SILENT_LOGGER,
    ...options,
  });
  closeAfterTest(server);
  const check = checkResponsesOf(await readOpenApi(server.url, BEARER));
  /** Asks as a browser does; a forwarded address comes through the proxy. Every response has to be one that is described. */
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const url = `${server.url}/api${path}`;
    const type = body === undefined ? undefined : { "content-type": "application/json" };
    const text = body === undefined ? null : JSON.stringify(body);
    const proxied = Object.keys(headers).some((name) => name.startsWith("x-forwarded"));
    const sent = { ...type, ...(proxied && { "x-slipway-proxy": PROXY }), ...headers };
    const response = await fetch(url, { method, headers: sent, body: text });
    expect([path, (await check(method, url, response)).faults]).toEqual([path, []]);
    return response;
  };
  const logIn = (token: unknown, headers: Record<string, string> = {}) => ask("POST", "/session", headers, { token });
  return { server, ask, logIn };
}

const cookieOf = (response: Response) => response.headers.get("set-cookie")?.split(";")[0] ?? "";
/** The headers of a page with that session. */
const sessionOf = async (response: Response) => ({
  cookie: cookieOf(response),
  "x-slipway": Session.parse(await response.json()).key,
});

describe("a session", () => {
  it("lets its browser in until it ends, and is nothing a script or another site has", async () => {
    const { server, ask, logIn } = await serve();
    expect((await ask("GET", "/tasks")).status).toBe(401);
    const opened = await logIn(TOKEN);
    expect(opened.status).toBe(200);
    const set = opened.headers.get("set-cookie") ?? "";
    expect(set.split("; ").slice(1)).toEqual(["Max-Age=2592000", "Path=/", "HttpOnly", "SameSite=Strict"]);
    expect(opened.headers.get("cache-control")).toBe("no-store");
    const session = await sessionOf(opened);
    expect(`${set}${session["x-slipway"]}`).not.toContain(TOKEN);
    expect(set).not.toContain(session["x-slipway"]);
    const own = { ...session, cookie: `theme=dark; ${session.cookie}` };
    expect((await ask("GET", "/tasks", own)).status).toBe(200);
    expect((await ask("POST", "/catalog/sync", own)).status).toBe(200);
    const ended = await ask("DELETE", "/session", own);
    expect([ended.status, cookieOf(ended)]).toEqual([204, `slipway_session_${new URL(server.url).port}=`]);
    expect((await ask("GET", "/tasks", own)).status).toBe(401);
    expect((await ask("GET", "/tasks", await sessionOf(await logIn(TOKEN)))).status).toBe(200);
  });

  it("counts beside its own key alone: apps on other ports see the cookie, and never the key", async () => {
    const { ask, logIn } = await serve();
    const [one, two] = [await sessionOf(await logIn(TOKEN)), await sessionOf(await logIn(TOKEN))];
    expect(one["x-slipway"]).not.toBe(two["x-slipway"]);
    for (const key of [undefined, "", "1", two["x-slipway"], `${one["x-slipway"]}A`, one["x-slipway"].slice(1)]) {
      const stolen = { cookie: one.cookie, ...(key !== undefined && { "x-slipway": key }) };
      expect([key, (await ask("GET", "/tasks", stolen)).status]).toEqual([key, 401]);
      expect((await ask("POST", "/catalog/sync", stolen)).status).toBe(401);
      await ask("DELETE", "/session", stolen);
    }
    expect((await ask("GET", "/tasks", one)).status).toBe(200);
  });

  it("that ends hears no more of what changes, whoever has its cookie", async () => {
    const { server, ask, logIn } = await serve();
    const [one, two] = [await sessionOf(await logIn(TOKEN)), await sessionOf(await logIn(TOKEN))];
    const follow = async (headers: Record<string, string>, path: string) => {
      const { body } = await fetch(`${server.url}${path}`, { headers });
      const reader = body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("stream.opened");
      return { read: async () => reader?.read(), cancel: async () => reader?.cancel() };
    };
    const spellings = ["/api/events", "/api/event%73", "/api/%65vents?from=0", "/./api/events"];
    const ending = await Promise.all(spellings.map((path) => follow(one, path)));
    const staying = await follow(two, "/api/events");
    await ask("DELETE", "/session", one);
    for (const { read } of ending) await expect(read()).rejects.toThrow("terminated");
    await ask("PUT", "/dashboard", two, { tiles: [] });
    let heard = "";
    while (!heard.includes("dashboard.changed")) heard += new TextDecoder().decode((await staying.read())?.value);
    await staying.cancel();
  });

  it("is Secure where the browser came by https", async () => {
    const { logIn } = await serve();
    const opened = await logIn(TOKEN, { "x-forwarded-proto": "https" });
    expect(opened.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  it("is worth nothing at another address", async () => {
    const { ask, logIn } = await serve();
    const session = await sessionOf(await logIn(TOKEN, { "x-forwarded-for": "10.0.0.7" }));
    expect((await ask("GET", "/tasks", { ...session, "x-forwarded-for": "10.0.0.7" })).status).toBe(200);
    expect((await ask("GET", "/tasks", { ...session, "x-forwarded-for": "10.0.0.8" })).status).toBe(401);
  });

  it("is opened, used and ended by no page of another origin", async () => {
    const { server, ask, logIn } = await serve();
    const session = await sessionOf(await logIn(TOKEN));
    const other = server.url.replace(/\d+$/, "1");
    for (const foreign of [{ origin: "http://evil.example" }, { origin: other }, { "sec-fetch-site": "same-site" }]) {
      const refused = [
        await logIn(TOKEN, foreign),
        await ask("POST", "/catalog/sync", { ...session, ...foreign }),
        await ask("DELETE", "/session", { ...session, ...foreign }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(refused.map(cookieOf)).toEqual(["", "", ""]);
    }
    expect((await ask("GET", "/tasks", { ...session, "sec-fetch-site": "cross-site" })).status).toBe(403);
    const own = { ...session, origin: server.url, "sec-fetch-site": "same-origin" };
    expect((await ask("GET", "/tasks", own)).status).toBe(200);
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
    const session = await sessionOf(await logIn(TOKEN));
    const { cookie } = session;
    const status = async (method: string, path: string, headers: Record<string, string>) =>
      (await fetch(`${server.url}/api${path}`, { method, headers })).status;
    for (const [method, path] of [
      ["GET", "/tasks"],
      ["GET", "/events"],
      ["POST", "/notifications/read"],
    ] as const) {
      expect([path, await status(method, path, { cookie })]).toEqual([path, 401]);
      expect([path, await status(method, path, { ...session, origin: "null" })]).toEqual([path, 403]);
    }
    expect(await status("GET", "/tasks", session)).toBe(200);
  });

  it("is kept from nobody by what others ask from its address, without it or with another", async () => {
    const { server, ask, logIn } = await serve();
    const session = await sessionOf(await logIn(TOKEN));
    const foreign = { method: "POST", headers: { origin: "http://evil.example", "content-type": "application/json" } };
    for (let asked = 0; asked < 150; asked += 1) {
      await fetch(`${server.url}/api/tasks`);
      await fetch(`${server.url}/api/notifications/read`, { method: "POST" });
      await fetch(`${server.url}/api/session`, { ...foreign, body: JSON.stringify({ token: "wrong" }) });
    }
    expect((await ask("POST", "/notifications/read", session)).status).toBe(200);
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

  it("believes no address that comes without the proxy's secret, from whichever peer", async () => {
    const { ask, logIn } = await serve();
    for (const secret of ["", "wrong", `${PROXY}x`]) {
      const claimed = { "x-forwarded-for": "10.0.0.7", "x-forwarded-proto": "https", "x-slipway-proxy": secret };
      const opened = await logIn(TOKEN, claimed);
      expect(opened.headers.get("set-cookie")).not.toContain("Secure");
      expect((await ask("GET", "/tasks", await sessionOf(opened))).status).toBe(200);
    }
  });

  it("ends none of another server of the machine: browsers have one cookie of a name for all of its ports", async () => {
    const [one, two] = [await serve(), await serve()];
    const opened = [await one.logIn(TOKEN), await two.logIn(TOKEN)];
    const cookies = opened.map(cookieOf);
    const names = [one, two].map(({ server }) => `slipway_session_${new URL(server.url).port}`);
    expect(cookies.map((cookie) => cookie.split("=")[0])).toEqual(names);
    const cookie = cookies.join("; ");
    for (const [at, { ask }] of [one, two].entries()) {
      const session = await sessionOf(opened[at] ?? Response.error());
      expect((await ask("GET", "/tasks", { ...session, cookie })).status).toBe(200);
    }
    const named = cookieOf(await (await serve({ sessionCookie: "own" })).logIn(TOKEN));
    expect(named).toMatch(/^own=/);
  });

  it("is found among the cookies that pages of other ports have set", async () => {
    const { ask, logIn } = await serve();
    const others = Array.from({ length: 40 }, (_, at) => `c${at}=${"x".repeat(1_000)}`);
    const session = await sessionOf(await logIn(TOKEN));
    const cookie = [...others, session.cookie].join("; ");
    expect((await ask("GET", "/tasks", { ...session, cookie })).status).toBe(200);
  });

  it("costs little to look for, whatever cookies and keys strangers send, and nothing for a foreign host", async () => {
    const { server, ask, logIn } = await serve();
    const session = await sessionOf(await logIn(TOKEN));
    const name = session.cookie.split("=")[0];
    const forged = Array.from({ length: 600 }, (_, at) => `${name}=9${at}.a.${"A".repeat(43)}`).join("; ");
    const headers = { cookie: forged, "x-slipway": "k".repeat(20_000) };
    const median = async (sent: Record<string, string>) => {
      const took: number[] = [];
      for (let asked = 0; asked < 21; asked += 1) {
        const before = process.cpuUsage();
        await (await fetch(`${server.url}/api/tasks`, { headers: sent })).body?.cancel();
        const { user, system } = process.cpuUsage(before);
        took.push((user + system) / 1000);
      }
      return took.sort((one, two) => one - two)[10] ?? Number.NaN;
    };
    const plain = await median({});
    expect((await median(headers)) - plain).toBeLessThan(4);
    expect((await median({ ...headers, "x-slipway": session["x-slipway"] })) - plain).toBeLessThan(4);
    // Eight that are well formed may stand before it.
    const eight = forged.split("; ").slice(0, 7).join("; ");
    const tossed = { ...session, cookie: `${name}=junk; ${eight}; ${session.cookie}` };
    expect((await ask("GET", "/tasks", tossed)).status).toBe(200);
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
  const secret = "s".repeat(43);
  const open = (token: string, now = 0, clock: Partial<Clock> = {}) =>
    new Sessions({
      token,
      clock: { now: () => now, monotonic: () => now, after: () => () => undefined, ...clock },
      createSecret: () => secret,
      cookieName: () => "slipway_session",
    });
  const client = { address: "a" };
  const cookieFor = async (sessions: Sessions) =>
    (await sessions.open(TOKEN, client, false)).cookie.split(";")[0] ?? "";
  const show = (cookie: string | undefined) => readShown({ cookie, "x-slipway": secret }, client);

  it("outlives a restart of the server, and ends with its token and its time", async () => {
    const cookie = await cookieFor(open(TOKEN));
    const isOpen = async (sessions: Sessions) => {
      await sessions.prepare(show(cookie));
      return sessions.find(show(cookie)) !== null;
    };
    expect(await isOpen(open(TOKEN, 29 * 24 * 3_600_000))).toBe(true);
    expect(await isOpen(open(TOKEN, 31 * 24 * 3_600_000))).toBe(false);
    expect(await isOpen(open("another-token"))).toBe(false);
  });

  it("is signed by a key that takes the work of scrypt to try a token, done once somebody comes with one", async () => {
    const cookie = await cookieFor(open(TOKEN));
    const [expires, id, mac] = cookie.replace("slipway_session=", "").split(".");
    const key = scryptSync(TOKEN, "slipway session", 32, { N: 2 ** 15, maxmem: 64 * 1024 * 1024 });
    const digest = createHmac("sha256", "session key").update(secret).digest("base64url");
    expect(mac).toBe(createHmac("sha256", key).update(`${expires}.${id}.${digest}.a`).digest("base64url"));
    const later = open(TOKEN);
    expect(later.prepare(show("theme=dark"))).toBeNull();
    await Promise.all([later.prepare(show(cookie)), later.prepare(show("slipway_session=junk"))]);
    expect(later.prepare(show(cookie))).toBeNull();
  });

  it("is not guessed through a proxy that names another address each time", async () => {
    const sessions = open(TOKEN);
    const codes = [];
    for (let from = 0; from <= 1_000; from += 1) {
      const guess = sessions.open("wrong", { address: `10.0.${from >> 8}.${from & 255}`, proxy: "172.17.0.3" }, false);
      codes.push(await guess.catch((error: unknown) => (error instanceof EngineError ? error.code : error)));
    }
    expect(codes).toEqual([...Array(1_000).fill("HTTP_UNAUTHORIZED"), "HTTP_RATE_LIMITED"]);
    const elsewhere = { address: "10.0.0.1", proxy: "172.17.0.4" };
    expect(await sessions.open(TOKEN, elsewhere, false)).toHaveProperty("key");
  });

  it("counts beside others of its name, which the page of any app on the machine can set", async () => {
    const sessions = open(TOKEN);
    const cookie = await cookieFor(sessions);
    // browsers send the one with the longer path first
    const tossed = `slipway_session=junk; slipway_session=1.${secret}.${"A".repeat(43)}; ${cookie}`;
    expect(sessions.find(show(tossed))?.id).toBe(secret);
    sessions.end(show(tossed));
    expect(sessions.find(show(cookie))).toBeNull();
  });

  it("is sent beside a key of its form alone", () => {
    for (const key of ["", "secret", `${secret}s`, `${secret.slice(1)}!`, undefined]) {
      expect(readShown({ cookie: "slipway_session=a", "x-slipway": key }, client)).toBeNull();
    }
  });

  it("takes what was open for it along when its time is over, and no timer stays behind", async () => {
    let now = 0;
    const timers = new Set<{ readonly at: number; readonly run: () => void }>();
    const after = (ms: number, run: () => void) => {
      const timer = { at: now + Math.min(ms, 2 ** 31 - 1), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    };
    const sessions = open(TOKEN, 0, { now: () => now, after });
    const found = sessions.find(show(await cookieFor(sessions)));
    if (found === null) throw new Error("no session was found");
    const ended: string[] = [];
    sessions.endWith(found, () => ended.push("cancelled"))();
    expect(timers.size).toBe(0);
    sessions.endWith(found, () => ended.push("one"));
    sessions.endWith(found, () => ended.push("two"));
    for (let [timer] = timers; timer !== undefined; [timer] = timers) {
      timers.delete(timer);
      expect(ended).toEqual([]);
      now = timer.at;
      timer.run();
    }
    expect([now, ended]).toEqual([found.expires, ["one", "two"]]);
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
    expect(forms.map((form) => sessions.find(show(form)))).toEqual(forms.map(() => null));
    expect(sessions.find(show(` a=b;  ${cookie} `))?.id).toBe(secret);
  });
});
