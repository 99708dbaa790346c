import { createServer, type Server } from "node:http";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AuditRecord, NetworkPolicy, ScriptIoRequest } from "../../sandbox/contract.ts";
import { isPublicUnicast } from "../../src/adapters/network-policy/addresses.ts";
import { decide, type Wish } from "../../src/adapters/network-policy/decide.ts";
import type { NetworkPorts } from "../../src/adapters/network-policy/decide-hop.ts";
import { type NetworkSession, openNetwork } from "../../src/adapters/network-policy/open-network.ts";
import { followRedirect } from "../../src/adapters/network-policy/redirect.ts";

describe("an address is public unicast", () => {
  test.each(["1.1.1.1", "93.184.215.14", "172.15.255.255", "172.32.0.0", "100.128.0.0", "2606:4700::1111", "2a00::1"])(
    "%s",
    (address) => {
      expect(isPublicUnicast(address)).toBe(true);
    },
  );
});

describe("an address is not public unicast", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["private 10/8", "10.1.2.3"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["loopback", "127.0.0.1"],
    ["link-local and metadata", "169.254.169.254"],
    ["container bridge", "172.17.0.1"],
    ["IETF protocol assignments", "192.0.0.1"],
    ["documentation", "192.0.2.1"],
    ["6to4 relay", "192.88.99.1"],
    ["private 192.168/16", "192.168.1.1"],
    ["benchmarks", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["IPv6 unspecified", "::"],
    ["IPv6 loopback", "::1"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["IPv4-mapped", "::ffff:8.8.8.8"],
    ["IPv4-mapped in hexadecimal", "::ffff:808:808"],
    ["NAT64", "64:ff9b::808:808"],
    ["local NAT64", "64:ff9b:1::1"],
    ["discard", "100::1"],
    ["Teredo", "2001::1"],
    ["IPv6 documentation", "2001:db8::1"],
    ["6to4", "2002:808:808::1"],
    ["unique local", "fd00::1"],
    ["IPv6 link-local", "fe80::1"],
    ["IPv6 link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["IPv6 multicast", "ff02::1"],
    ["unassigned", "4000::1"],
    ["no literal", "localhost"],
    ["nothing", ""],
  ])("%s (%s)", (_, address) => {
    expect(isPublicUnicast(address)).toBe(false);
  });

  test("when it carries any IPv4 address inside IPv6", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom("::", "::ffff:", "64:ff9b::"), (address, prefix) => {
        expect(isPublicUnicast(prefix + address)).toBe(false);
      }),
    );
  });
});

describe("a request is decided", () => {
  const wish = (more: Partial<Wish> & { at?: string }): Wish => ({
    method: "GET",
    url: new URL(more.at ?? "http://192.168.1.5:8096/x"),
    addresses: ["192.168.1.5"],
    lanIp: "192.168.1.5",
    lanPorts: [8096],
    internet: true,
    readOnly: false,
    ownAddresses: ["192.168.1.5", "2606:4700::5"],
    ownPorts: [],
    loopback: true,
    ...more,
  });

  test.each<[string, Wish, boolean]>([
    ["the app's own port on the LAN address", wish({}), true],
    ["another port of the LAN address", wish({ at: "http://192.168.1.5:22/" }), false],
    ["a management port of the LAN address", wish({ at: "https://192.168.1.5/" }), false],
    ["another private address", wish({ addresses: ["192.168.1.6"] }), false],
    ["loopback", wish({ addresses: ["127.0.0.1"] }), false],
    ["loopback where it is the LAN address", wish({ addresses: ["127.0.0.1"], lanIp: "127.0.0.1" }), true],
    [
      "the rest of loopback where loopback is the LAN address",
      wish({ addresses: ["127.0.0.2"], lanIp: "127.0.0.1" }),
      false,
    ],
    ["a public address on 443", wish({ at: "https://plex.tv/", addresses: ["1.1.1.1"] }), true],
    ["a public address on 80", wish({ at: "http://plex.tv/", addresses: ["1.1.1.1"] }), true],
    ["a public address on another port", wish({ at: "https://plex.tv:8443/", addresses: ["1.1.1.1"] }), false],
    [
      "a public address with the internet switched off",
      wish({ at: "https://plex.tv/", addresses: ["1.1.1.1"], internet: false }),
      false,
    ],
    ["a public address of this machine", wish({ at: "https://[2606:4700::5]/", addresses: ["2606:4700::5"] }), false],
    ["the same in another spelling", wish({ at: "https://x.test/", addresses: ["2606:4700:0::5"] }), false],
    ["a POST of a widget", wish({ method: "POST", readOnly: true }), false],
    ["a GET of a widget", wish({ readOnly: true }), true],
    ["a HEAD of a widget", wish({ method: "HEAD", readOnly: true }), true],
    ["another scheme", wish({ at: "ftp://192.168.1.5:8096/" }), false],
    ["a name without addresses", wish({ addresses: [] }), false],
  ])("%s", (_, { ...row }, allowed) => {
    expect(decide(row).allowed).toBe(allowed);
  });

  test("TLS is verified everywhere but on the LAN address", () => {
    expect(decide(wish({}))).toMatchObject({ verifyTls: false });
    expect(decide(wish({ at: "https://plex.tv/", addresses: ["1.1.1.1"] }))).toMatchObject({ verifyTls: true });
  });

  test("a name with a denied and an allowed address leads to the allowed one", () => {
    const decision = decide(wish({ at: "https://plex.tv/", addresses: ["10.0.0.1", "1.1.1.1"] }));
    expect(decision).toMatchObject({ allowed: true, address: "1.1.1.1" });
  });
});

describe("a redirect", () => {
  const post: ScriptIoRequest = {
    method: "POST",
    url: "http://a.test/x",
    headers: [
      ["Cookie", "c"],
      ["Authorization", "t"],
      ["X-Plex-Token", "t"],
      ["Content-Type", "text/plain"],
      ["Accept", "*/*"],
    ],
    redirect: "follow",
    body: new Uint8Array([1]),
  };

  test.each([
    [301, "GET"],
    [302, "GET"],
    [303, "GET"],
    [307, "POST"],
    [308, "POST"],
  ])("of status %i makes a POST a %s", (status, method) => {
    const next = followRedirect(post, status, "/y");
    expect(next).toMatchObject({ method, url: "http://a.test/y" });
    expect(next?.body === null).toBe(method === "GET");
  });

  test("keeps every header within the origin and only harmless ones across", () => {
    const names = (location: string) => followRedirect(post, 307, location)?.headers.map(([name]) => name);
    expect(names("/y")).toEqual(["Cookie", "Authorization", "X-Plex-Token", "Content-Type", "Accept"]);
    for (const other of ["http://b.test/", "https://a.test/", "http://a.test:81/"]) {
      expect(names(other)).toEqual(["Content-Type", "Accept"]);
    }
  });

  test("to what is no URL leads nowhere", () => {
    expect(followRedirect(post, 302, "http://")).toBeNull();
  });
});

describe("a session", () => {
  let server: Server;
  let port: number;
  let hosts: string[];
  let connections: number;
  let session: NetworkSession;
  let audit: AuditRecord[];
  let controller: AbortController;
  let names: Record<string, string[][]>;

  beforeAll(async () => {
    server = createServer((request, response) => {
      hosts.push(request.headers.host ?? "");
      const to = new URL(request.url ?? "/", "http://x").searchParams.get("to");
      if (to !== null) response.writeHead(302, { location: to }).end();
      else response.writeHead(200, { "set-cookie": ["a=1", "b=2"] }).end(JSON.stringify(request.headers));
    });
    server.on("connection", () => connections++);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    port = address.port;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  beforeEach(() => {
    hosts = [];
    connections = 0;
    audit = [];
    controller = new AbortController();
    names = {};
    const ports: NetworkPorts = {
      resolve: async (name) => {
        const answers = names[name] ?? [];
        const next = answers.length > 1 ? answers.shift() : answers[0];
        if (next === undefined) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
        return next;
      },
      ownAddresses: () => [],
      ownPorts: () => [],
    };
    const policy: NetworkPolicy = { lanIp: "127.0.0.1", lanPorts: async () => [port], internet: true, readOnly: false };
    session = openNetwork(
      { policy, loopback: true, responseBytes: 1024 * 1024, audit: (record) => audit.push(record) },
      ports,
    );
  });

  afterEach(() => session.close());

  const get = (url: string, more: Partial<ScriptIoRequest> = {}) =>
    session.fetch(
      { method: "GET", url, headers: [], redirect: "follow", body: null, ...more },
      new AbortController().signal,
    );

  test("dials the address that was decided on, under the name that was asked for", async () => {
    names["app.test"] = [["127.0.0.1"]];
    const answer = await get(`http://app.test:${port}/`);
    expect(answer).toMatchObject({ ok: { head: { status: 200, redirected: false } } });
    expect(hosts).toEqual([`app.test:${port}`]);
  });

  test("asks the policy again at each request: a name that has moved to a denied address is refused", async () => {
    names["flip.test"] = [["127.0.0.1"], ["127.0.0.2"]];
    expect(await get(`http://flip.test:${port}/`)).toHaveProperty("ok");
    expect(await get(`http://flip.test:${port}/`)).toMatchObject({ error: { code: "policy_denied" } });
    expect(connections).toBe(1);
  });

  test("opens no connection for what is refused", async () => {
    for (const url of ["http://127.0.0.2/", "http://[::1]/", "http://0x7f.2/", "http://169.254.169.254/"]) {
      expect(await get(url)).toMatchObject({ error: { name: "TypeError", code: "policy_denied" } });
    }
    expect(connections).toBe(0);
  });

  test("checks every hop of a redirect and leaves a record of each, without query and headers", async () => {
    const answer = await get(`http://127.0.0.1:${port}/a?to=${encodeURIComponent("http://10.0.0.1/secret?token=1")}`);
    expect(answer).toMatchObject({ error: { code: "policy_denied" } });
    expect(audit).toEqual([
      { kind: "fetch", method: "GET", target: `127.0.0.1:${port}`, allowed: true, status: 302 },
      {
        kind: "fetch",
        method: "GET",
        target: "10.0.0.1:80",
        allowed: false,
        reason: "the address is neither the host's LAN address nor a public one",
      },
    ]);
  });

  test("follows at most 5 redirects", async () => {
    const circle = `http://127.0.0.1:${port}/?to=${encodeURIComponent("/")}`;
    const chain = (hops: number): string => (hops === 0 ? "/" : `/?to=${encodeURIComponent(chain(hops - 1))}`);
    expect(await get(circle)).toHaveProperty("ok");
    expect(await get(`http://127.0.0.1:${port}${chain(5)}`)).toMatchObject({ ok: { head: { redirected: true } } });
    expect(await get(`http://127.0.0.1:${port}${chain(6)}`)).toMatchObject({ error: { name: "TypeError" } });
  });

  test("hands a redirect over where the script wants to see it, and fails where it wants none", async () => {
    const url = `http://127.0.0.1:${port}/?to=%2F`;
    expect(await get(url, { redirect: "manual" })).toMatchObject({ ok: { head: { status: 302 } } });
    expect(await get(url, { redirect: "error" })).toMatchObject({ error: { name: "TypeError" } });
  });

  test("sends Cookie, Origin, Referer and Authorization as given, and no header that frames the message", async () => {
    const given: [string, string][] = [
      ["Cookie", "a=b"],
      ["Origin", "http://x"],
      ["Referer", "http://x/y"],
      ["Authorization", "Bearer t"],
      ["Host", "evil.test"],
      ["Content-Length", "99"],
      ["Transfer-Encoding", "chunked"],
      ["Connection", "upgrade"],
    ];
    const answer = await get(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: given,
      body: new Uint8Array([1, 2]),
    });
    if ("error" in answer) throw new Error(answer.error.message);
    expect(JSON.parse(Buffer.from(answer.ok.body).toString())).toMatchObject({
      cookie: "a=b",
      origin: "http://x",
      referer: "http://x/y",
      authorization: "Bearer t",
      host: `127.0.0.1:${port}`,
      "content-length": "2",
    });
    expect(answer.ok.head.headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
  });

  test("answers an unknown name and a closed port with Node's codes", async () => {
    expect(await get("http://unknown.test/")).toMatchObject({ error: { name: "TypeError", code: "ENOTFOUND" } });
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const address = closed.address();
    await new Promise((resolve) => closed.close(resolve));
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    const policy: NetworkPolicy = {
      lanIp: "127.0.0.1",
      lanPorts: async () => [address.port],
      internet: true,
      readOnly: false,
    };
    const other = openNetwork(
      { policy, loopback: true, responseBytes: 1, audit: () => {} },
      { resolve: async () => [], ownAddresses: () => [], ownPorts: () => [] },
    );
    const request = {
      method: "GET",
      url: `http://127.0.0.1:${address.port}/`,
      headers: [],
      redirect: "follow",
      body: null,
    } as const;
    expect(await other.fetch(request, new AbortController().signal)).toMatchObject({ error: { code: "ECONNREFUSED" } });
    await other.close();
  });

  test("does not wait for a resolver that keeps silent once the request is aborted", async () => {
    const asked = Promise.withResolvers<void>();
    const policy: NetworkPolicy = { lanIp: "127.0.0.1", lanPorts: async () => [port], internet: true, readOnly: false };
    const silent = openNetwork(
      { policy, loopback: true, responseBytes: 1, audit: (record) => audit.push(record) },
      {
        resolve: () => {
          asked.resolve();
          return new Promise(() => {});
        },
        ownAddresses: () => [],
        ownPorts: () => [],
      },
    );
    const request = { method: "GET", url: "http://slow.test/", headers: [], redirect: "follow", body: null } as const;
    const answer = silent.fetch(request, controller.signal);
    await asked.promise;
    controller.abort();
    expect(await answer).toMatchObject({ error: { name: "AbortError" } });
    expect(audit).toHaveLength(1);
    await silent.close();
  });

  test.each<[string, () => Promise<boolean>]>([
    ["can't say whether its app starts", () => Promise.reject(new Error("the host is gone"))],
    ["keeps silent until the request is aborted", () => new Promise(() => controller.abort())],
  ])("notes a refused request once if the host %s", async (_, isStarting) => {
    const policy = { lanIp: "127.0.0.1", lanPorts: async () => [], internet: true, readOnly: false, isStarting };
    const refusing = openNetwork(
      { policy, loopback: true, responseBytes: 1, audit: (record) => audit.push(record) },
      { resolve: async () => [], ownAddresses: () => [], ownPorts: () => [] },
    );
    const request = { method: "GET", url: "http://127.0.0.1:1/", headers: [], redirect: "follow", body: null } as const;
    expect(await refusing.fetch(request, controller.signal)).toMatchObject({ error: { code: "policy_denied" } });
    expect(audit).toMatchObject([{ allowed: false }]);
    await refusing.close();
  });

  test("answers an aborted request with an AbortError", async () => {
    const request = {
      method: "GET",
      url: `http://127.0.0.1:${port}/`,
      headers: [],
      redirect: "follow",
      body: null,
    } as const;
    expect(await session.fetch(request, AbortSignal.abort())).toMatchObject({ error: { name: "AbortError" } });
  });
});
