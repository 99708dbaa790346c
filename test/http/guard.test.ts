import { describe, expect, it } from "vitest";
import { createGuard, type GuardedRequest, type GuardOptions } from "../../src/http/guard.ts";

const TOKEN = "a-token-of-some-length";

function guard(changes: Partial<GuardOptions> = {}) {
  return createGuard({
    token: null,
    allowedHosts: ["nas.local"],
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
    session: null,
    client: { address: "127.0.0.1" },
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

  it("lets a page of another origin read nothing either, where its browser says no Sec-Fetch-Site", () => {
    expect(guard()(request({ origin: "http://127.0.0.1:9000" }))?.code).toBe("HTTP_ORIGIN_REFUSED");
  });

  it.each(["ftp://nas.local", "http://nas.local:443", "nas.local", "http://nas.local.", "file://nas.local"])(
    "of %s is not that of this host",
    (origin) => {
      const asked = request({ method: "POST", host: "nas.local", origin });
      expect(guard()(asked)?.code).toBe("HTTP_ORIGIN_REFUSED");
    },
  );

  it("is of the scheme a proxy says, and of either where nobody does", () => {
    const code = (origin: string, host: string, scheme?: string) =>
      guard()(request({ method: "POST", host, origin, scheme }))?.code ?? "passed";
    expect([code("https://nas.local", "nas.local"), code("http://nas.local", "NAS.local")]).toEqual([
      "passed",
      "passed",
    ]);
    expect([
      code("https://nas.local", "nas.local:443", "https"),
      code("http://nas.local", "nas.local", "http"),
    ]).toEqual(["passed", "passed"]);
    expect([code("http://nas.local", "nas.local", "https"), code("https://nas.local", "nas.local", "http")]).toEqual([
      "HTTP_ORIGIN_REFUSED",
      "HTTP_ORIGIN_REFUSED",
    ]);
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
  it("passes with a session", () => {
    const check = guard({ token: TOKEN });
    expect(check(request({ session: "a" }))).toBeNull();
    expect(check(request({ session: null }))?.code).toBe("HTTP_UNAUTHORIZED");
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
    const post = (address: string) => check(request({ method: "POST", client: { address } }))?.code ?? "passed";
    expect([post("a"), post("a"), post("a"), post("b")]).toEqual(["passed", "passed", "HTTP_RATE_LIMITED", "passed"]);
    for (let n = 0; n < 10; n++) expect(check(request({ client: { address: "a" } }))).toBeNull();
  });

  it("looks at no more tokens of whoever guesses, and lets its sessions and other addresses in", () => {
    let now = 0;
    const check = guard({ token: TOKEN, now: () => now });
    const guess = (token: string, changes: Partial<GuardedRequest> = {}) =>
      check(request({ authorization: `Bearer ${token}`, ...changes }))?.status ?? "passed";
    expect([guess("wrong"), guess("other"), guess(TOKEN), guess("wrong")]).toEqual([401, 401, 429, 429]);
    expect([guess("wrong", { session: "a" }), guess(TOKEN, { client: { address: "other" } })]).toEqual([
      "passed",
      "passed",
    ]);
    now = 1000;
    expect([guess(TOKEN), guess(TOKEN), guess("wrong"), guess(TOKEN)]).toEqual(["passed", "passed", 401, 429]);
  });

  describe("counts an address of IPv6, and its network as ten of them:", () => {
    const isPublic = (_: string, path: string) => path === "/api/session";
    const uses: readonly (readonly [string, Partial<GuardedRequest>, number | "passed"])[] = [
      ["guesses", { authorization: "Bearer wrong" }, 401],
      ["changes", { method: "POST", authorization: `Bearer ${TOKEN}` }, "passed"],
      ["log-ins", { method: "POST", path: "/api/session" }, "passed"],
    ];

    it.each(uses)("one address takes no %s from the others of its network, however often it asks", (_, changes, ok) => {
      const check = guard({ token: TOKEN, isPublic });
      const ask = (address: string) => check(request({ client: { address }, ...changes }))?.status ?? "passed";
      expect(Array.from({ length: 50 }, () => ask("fe80::1"))).toEqual([ok, ok, ...Array(48).fill(429)]);
      expect([ask("fe80::2"), ask("fe80::2"), ask("fe80::2")]).toEqual([ok, ok, 429]);
    });

    it.each(uses)("all addresses of a network have the %s of ten", (_, changes, ok) => {
      const check = guard({ token: TOKEN, isPublic });
      const ask = (address: string) => check(request({ client: { address }, ...changes }))?.status ?? "passed";
      expect(Array.from({ length: 20 }, (_, at) => ask(`fd00::${at}`))).toEqual(Array(20).fill(ok));
      expect([ask("fd00:0:0:0:ffff::3"), ask("fd00:0:0:1::1")]).toEqual([429, ok]);
    });
  });
});

describe("whatever page the owner of a session has open", () => {
  const isPublic = (method: string, path: string) => method === "POST" && path === "/api/session";
  const change = request({ method: "POST", path: "/api/notifications/read" });
  const logIn = request({ method: "POST", path: "/api/session" });
  const strangers: readonly GuardedRequest[] = [
    request(),
    change,
    { ...logIn, origin: "http://evil.example" },
    { ...logIn, fetchSite: "same-site" },
    { ...request(), origin: "http://127.0.0.1:9000" },
  ];

  it("takes neither a change nor a log-in from them, asking without the session from the same address", () => {
    const check = guard({ token: TOKEN, isPublic });
    for (const stranger of strangers) {
      for (let asked = 0; asked < 10; asked += 1) expect([401, 403]).toContain(check(stranger)?.status);
    }
    expect(check({ ...change, session: "a" })).toBeNull();
    expect(check(logIn)).toBeNull();
    expect(check({ ...change, authorization: `Bearer ${TOKEN}` })).toBeNull();
  });

  it("leaves each session changes of its own, and log-ins theirs", () => {
    const check = guard({ token: TOKEN, isPublic });
    const ask = (changes: Partial<GuardedRequest>) => check({ ...change, ...changes })?.status ?? "passed";
    expect([ask({ session: "a" }), ask({ session: "a" }), ask({ session: "a", client: { address: "b" } })]).toEqual([
      "passed",
      "passed",
      429,
    ]);
    expect([ask({ session: "b" }), ask({ path: "/api/session" })]).toEqual(["passed", "passed"]);
    expect([ask({ path: "/api/session" }), ask({ path: "/api/session" })]).toEqual(["passed", 429]);
  });
});
