import { describe, expect, it } from "vitest";
import { createGuard, type GuardedRequest, type GuardOptions } from "../../src/http/guard.ts";

const TOKEN = "a-token-of-some-length";

function guard(changes: Partial<GuardOptions> = {}) {
  return createGuard({
    token: null,
    allowedHosts: ["nas.local"],
    trustProxy: false,
    rate: { burst: 2, perSecond: 1 },
    now: () => 0,
    ...changes,
  });
}

function request(changes: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    method: "GET",
    path: "/api/tasks",
    host: "127.0.0.1:8765",
    origin: undefined,
    fetchSite: undefined,
    authorization: undefined,
    cookies: undefined,
    forwardedFor: undefined,
    remoteAddress: "127.0.0.1",
    ...changes,
  };
}

describe("the Host header must be an IP address, localhost or a listed name", () => {
  it.each(["127.0.0.1", "127.0.0.1:8765", "[::1]:8765", "localhost:8765", "192.168.1.9:8765", "NAS.local:8765"])(
    "passes %s",
    (host) => {
      expect(guard()(request({ host }))).toBeNull();
    },
  );

  it.each([
    undefined,
    "",
    "evil.example",
    "evil.example:8765",
    "127.0.0.1.evil.example",
    "nas.local.evil.example",
    "a:b",
  ])("refuses %s", (host) => {
    expect(guard()(request({ host }))?.code).toBe("HTTP_HOST_REFUSED");
  });
});

describe("the Origin header", () => {
  it("lets a page of another origin read nothing it may change", () => {
    const foreign = request({ method: "POST", origin: "http://evil.example" });
    expect(guard()(foreign)?.code).toBe("HTTP_ORIGIN_REFUSED");
    expect(guard()(request({ method: "POST", origin: "null" }))?.code).toBe("HTTP_ORIGIN_REFUSED");
  });

  it("lets a page of the same origin call", () => {
    expect(guard()(request({ method: "POST", origin: "http://127.0.0.1:8765" }))).toBeNull();
  });
});

describe("a page of another origin", () => {
  it.each(["cross-site", "same-site", "", "else"])("may not even ask for a read (%j)", (fetchSite) => {
    expect(guard()(request({ fetchSite }))?.code).toBe("HTTP_ORIGIN_REFUSED");
  });

  it.each(["same-origin", "none"])("is not one of %j", (fetchSite) => {
    expect(guard()(request({ fetchSite }))).toBeNull();
  });
});

describe("the bearer token", () => {
  it.each([undefined, "", "Bearer", "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`])(
    "refuses %s",
    (authorization) => {
      expect(guard({ token: TOKEN })(request({ authorization }))?.code).toBe("HTTP_UNAUTHORIZED");
    },
  );

  it("passes the right token, whatever the case of the scheme", () => {
    expect(guard({ token: TOKEN })(request({ authorization: `bearer ${TOKEN}` }))).toBeNull();
  });
});

describe("a request without the token", () => {
  it("passes with a session of its own address", () => {
    const check = guard({ token: TOKEN, hasSession: (cookies, client) => cookies === "a" && client === "10.0.0.1" });
    const code = (changes: Partial<GuardedRequest>) => check(request(changes))?.code ?? "passed";
    expect(code({ cookies: "a", remoteAddress: "10.0.0.1" })).toBe("passed");
    expect(code({ cookies: "b", remoteAddress: "10.0.0.1" })).toBe("HTTP_UNAUTHORIZED");
    expect(code({ cookies: "a", remoteAddress: "10.0.0.2" })).toBe("HTTP_UNAUTHORIZED");
  });

  it("passes where anybody may ask, unless a page of another origin does", () => {
    const check = guard({ token: TOKEN, isPublic: (method, path) => method === "GET" && path === "/app.js" });
    const code = (changes: Partial<GuardedRequest>) => check(request(changes))?.code ?? "passed";
    expect(code({ path: "/app.js" })).toBe("passed");
    expect(code({ path: "/app.js", method: "POST" })).toBe("HTTP_UNAUTHORIZED");
    expect(code({ path: "/api/tasks" })).toBe("HTTP_UNAUTHORIZED");
    expect(code({ path: "/app.js", host: "evil.example" })).toBe("HTTP_HOST_REFUSED");
    expect(code({ path: "/app.js", fetchSite: "cross-site" })).toBe("HTTP_ORIGIN_REFUSED");
  });
});

describe("the rate limit", () => {
  it("lets an address change things in a burst, then at the steady rate", () => {
    let now = 0;
    const check = guard({ now: () => now });
    const post = () => check(request({ method: "POST" }))?.code ?? "passed";
    expect([post(), post(), post()]).toEqual(["passed", "passed", "HTTP_RATE_LIMITED"]);
    now = 1000;
    expect([post(), post()]).toEqual(["passed", "HTTP_RATE_LIMITED"]);
  });

  it("counts each address apart and reads not at all", () => {
    const check = guard();
    const post = (remoteAddress: string) => check(request({ method: "POST", remoteAddress }))?.code ?? "passed";
    expect([post("a"), post("a"), post("a"), post("b")]).toEqual(["passed", "passed", "HTTP_RATE_LIMITED", "passed"]);
    for (let n = 0; n < 10; n++) expect(check(request({ remoteAddress: "a" }))).toBeNull();
  });

  it("looks at no more tokens of whoever guesses, and lets its sessions and other addresses in", () => {
    let now = 0;
    const check = guard({ token: TOKEN, now: () => now, hasSession: (cookies) => cookies === "session" });
    const guess = (token: string, changes: Partial<GuardedRequest> = {}) =>
      check(request({ authorization: `Bearer ${token}`, ...changes }))?.status ?? "passed";
    for (let n = 0; n < 3; n++) expect(check(request())?.status).toBe(n < 2 ? 401 : 429);
    expect([guess("wrong"), guess("other"), guess(TOKEN), guess("wrong")]).toEqual([401, 401, 429, 429]);
    expect([guess("wrong", { cookies: "session" }), guess(TOKEN, { remoteAddress: "other" })]).toEqual([
      "passed",
      "passed",
    ]);
    now = 1000;
    expect([guess(TOKEN), guess(TOKEN), guess("wrong"), guess(TOKEN)]).toEqual(["passed", "passed", 401, 429]);
  });

  it("ignores X-Forwarded-For unless the proxy is trusted", () => {
    const check = guard();
    const post = (forwardedFor: string) => check(request({ method: "POST", forwardedFor }))?.code ?? "passed";
    expect([post("1"), post("2"), post("3")]).toEqual(["passed", "passed", "HTTP_RATE_LIMITED"]);
    const trusting = guard({ trustProxy: true });
    const through = (forwardedFor: string) => trusting(request({ method: "POST", forwardedFor }))?.code ?? "passed";
    expect([through("9, 1"), through("9, 2"), through("9, 1"), through("9, 1")]).toEqual([
      "passed",
      "passed",
      "passed",
      "HTTP_RATE_LIMITED",
    ]);
  });
});
