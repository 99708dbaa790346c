/** What a script reaches on the host is what the host says its apps publish: never a port of its own choice. */
import fc from "fast-check";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { NetworkPolicy } from "../../../sandbox/contract.ts";
import { decide, type Wish } from "../../../src/adapters/network-policy/decide.ts";
import type { NetworkPorts } from "../../../src/adapters/network-policy/decide-hop.ts";
import { openNetwork } from "../../../src/adapters/network-policy/open-network.ts";
import type { EngineChoice } from "../../../src/compose.ts";
import type { TaskView } from "../../../src/engine/api.ts";
import { openStandinEngine, type StandinEngine } from "../../support/engine/standin-engine.ts";
import { openClient } from "../../support/host/host-client.ts";
import { freePort, type LoopbackServer, startLoopbackServer } from "../../support/host/loopback-server.ts";
import { startWireHost } from "../../support/host/wire-host.ts";
import { rawHook } from "../../support/scripts/scripts.ts";
import { WITHIN_MS } from "../../support/within.ts";

let world: StandinEngine | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** An engine on a stand-in, and a service of that host which belongs to no app. */
async function open(choice: Partial<EngineChoice> = {}): Promise<StandinEngine & { readonly service: LoopbackServer }> {
  world = await openStandinEngine(["evil"], choice);
  const service = await startLoopbackServer(undefined, world.lanIp);
  onTestFinished(() => service.close());
  return { ...world, service };
}

/** A hook that asks for this address and goes on, whatever comes of it. */
function asking(event: string, url: string) {
  const scriptContent = `export async function run(ctx) {
    const answer = await fetch(${url}).catch((error) => error);
    ctx.log(answer instanceof Error ? answer.message : "answered " + answer.status);
  }`;
  return rawHook({ id: event, events: [event], rerun: undefined, scriptContent });
}

async function install({ engine }: StandinEngine): Promise<TaskView> {
  const { id } = await engine.install("evil");
  return engine.settled(id, AbortSignal.timeout(WITHIN_MS));
}

const requiring = (port: number) => ({ locations: [], specifications: [], permissions: [], ports: [port] });
const published = (port: number) => ({ network: { web_port: { bind_mode: "published", port_number: port } } });

describe("a script reaches no service of the host", () => {
  it("at a port it requires, neither before its app is there nor after", async () => {
    const it = await open();
    const url = `"http://" + ctx.host + ":${it.service.port}/"`;
    const hooks = [
      asking("onBeforeInstall", url),
      asking("onAfterInstall", url),
      asking("onAfterInstall", "ctx.baseUrl"),
    ];
    await it.publish({
      evil: {
        requirements: requiring(it.service.port),
        app_values: published(await freePort(it.lanIp)),
        hooks: hooks.map((hook, at) => ({ ...hook, id: `hook-${at}` })),
      },
    });
    expect(await install(it)).toMatchObject({ state: "COMPLETED" });
    expect(it.service.connections()).toBe(0);
  });

  it("at a port its app publishes as UDP", async () => {
    const it = await open();
    const { port } = it.service;
    await it.publish({
      evil: {
        app_values: { ports: [{ host_port: port, container_port: port, protocol: "udp", bind_mode: "published" }] },
        hooks: [asking("onAfterInstall", `"http://" + ctx.host + ":${port}/"`)],
      },
    });
    expect((await install(it)).children).toMatchObject([{ state: "COMPLETED" }]);
    expect(it.service.connections()).toBe(0);
  });
});

/** A hook that ends well only where this address answers. */
function needing(url: string) {
  const scriptContent = `export async function run(ctx) { await fetch(${url}); }`;
  return rawHook({ id: "needs", events: ["onAfterInstall"], rerun: undefined, scriptContent });
}

describe("a script reaches", () => {
  it("its own app at the port the host says it publishes", async () => {
    const it = await open();
    const port = await freePort(it.lanIp);
    await it.publish({
      evil: { app_values: published(port), hooks: [needing(`"http://" + ctx.host + ":${port}/"`)] },
    });
    expect(await install(it)).toMatchObject({ state: "COMPLETED" });
  });

  it("an app on the host's own network where the embedder vouches for its port", async () => {
    const port = await freePort();
    const it = await open({ hostNetworkPorts: [port] });
    const app = await startLoopbackServer(undefined, it.lanIp, port);
    onTestFinished(() => app.close());
    await it.publish({
      evil: {
        requirements: requiring(port),
        app_values: { network: { host_network: true } },
        hooks: [needing("ctx.baseUrl")],
      },
    });
    expect(await install(it)).toMatchObject({ state: "COMPLETED" });
    expect(app.requests).toEqual(["GET /"]);
  });

  it("that app from its widget too, and only at a port its script requires", async () => {
    const [port, other] = [await freePort(), await freePort()];
    const it = await open({ hostNetworkPorts: [other, port] });
    const app = await startLoopbackServer(undefined, it.lanIp, port);
    onTestFinished(() => app.close());
    const scriptContent = `export async function run(ctx) {
      await fetch("http://" + ctx.host + ":" + ctx.port + "/");
      return { fields: {} };
    }`;
    await it.publish({
      evil: {
        requirements: requiring(port),
        app_values: { network: { host_network: true } },
        widgetsSchema: 2,
        widgets: [{ id: "tile", title: "Tile", entrypoint: "run", scriptContent }],
      },
    });
    expect(await install(it)).toMatchObject({ state: "COMPLETED" });
    expect(await it.engine.queryWidget("evil", "tile")).toMatchObject({ state: "ready" });
    expect(app.requests).toEqual(["GET /"]);
  });

  it("not that port where the engine itself listens there", async () => {
    const port = await freePort();
    const it = await open({ hostNetworkPorts: [port], ownPorts: [port] });
    const own = await startLoopbackServer(undefined, it.lanIp, port);
    onTestFinished(() => own.close());
    await it.publish({ evil: { requirements: requiring(port), hooks: [asking("onAfterInstall", "ctx.baseUrl")] } });
    await install(it);
    expect(own.connections()).toBe(0);
  });
});

describe("the host's word on ports", () => {
  it("counts for TCP, on the LAN address, and never for its own interfaces", async () => {
    const host = await startWireHost();
    const client = openClient(host.url);
    onTestFinished(async () => {
      await client.close();
      await host.stop();
    });
    const row = (port: number, at = "0.0.0.0", protocol = "tcp") => ({
      container_port: 80,
      protocol,
      host_ports: [{ host_port: port, host_ip: at }],
    });
    const rows = [
      ...[row(8096), row(8097, "::"), row(8098, "192.168.1.20"), row(8099, "127.0.0.1"), row(8100, "10.0.0.9")],
      ...[row(443, "0.0.0.0", "udp"), row(22, "", "sctp"), row(8443), row(81), row(Number(new URL(host.url).port))],
    ];
    host.on("app.query", (call) => call.result([{ name: "app", active_workloads: { used_ports: rows } }]));
    host.on("interface.websocket_local_ip", (call) => call.result("192.168.1.20"));
    host.on("interface.ip_in_use", (call) => call.result([{ type: "INET", address: "192.168.1.20", netmask: 24 }]));
    host.on("system.general.config", (call) => call.result({ ui_port: 81, ui_httpsport: 8443 }));
    expect(await client.appPorts()).toEqual([8096, 8097, 8098]);
  });

  it("are those of the IPv6 address where the host has no other", async () => {
    const host = await startWireHost();
    const client = openClient(host.url);
    onTestFinished(async () => {
      await client.close();
      await host.stop();
    });
    const row = (port: number, at: string) => ({
      container_port: 80,
      protocol: "tcp",
      host_ports: [{ host_port: port, host_ip: at }],
    });
    const rows = [row(8096, "::"), row(8097, ""), row(8098, "fd00:0::20"), row(8099, "0.0.0.0"), row(8100, "fd00::21")];
    host.on("app.query", (call) => call.result([{ name: "app", active_workloads: { used_ports: rows } }]));
    host.on("interface.websocket_local_ip", (call) => call.result("fd00::20"));
    host.on("interface.ip_in_use", (call) => call.result([{ type: "INET6", address: "fd00::20", netmask: 64 }]));
    host.on("system.general.config", (call) => call.error(-32601, "Method does not exist"));
    expect(await client.appPorts()).toEqual([8096, 8097, 8098]);
  });

  it("stands without what it may not tell of itself", async () => {
    const host = await startWireHost();
    const client = openClient(host.url);
    onTestFinished(async () => {
      await client.close();
      await host.stop();
    });
    host.on("app.query", (call) => call.result([{ name: "stopped", active_workloads: null }]));
    host.on("interface.websocket_local_ip", (call) => call.result("192.168.1.20"));
    host.on("interface.ip_in_use", (call) => call.result([{ type: "INET", address: "192.168.1.20", netmask: 24 }]));
    host.on("system.general.config", (call) => call.error(-32601, "Method does not exist"));
    expect(await client.appPorts()).toEqual([]);
  });
});

describe("the policy on an address", () => {
  const LAN = "192.168.1.5";
  const wish = (url: string, addresses: readonly string[], more: Partial<Wish> = {}): Wish => ({
    ...{ method: "GET", url: new URL(url), addresses, lanIp: LAN, lanPorts: [8096], internet: true, readOnly: false },
    ...{ ownAddresses: [LAN, "2606:4700::5"], ownPorts: [8765], loopback: false },
    ...more,
  });

  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "::1",
    "0.0.0.0",
    "169.254.169.254",
    "::ffff:127.0.0.1",
    "224.0.0.1",
    "fe80::1",
    "",
  ])("takes no host's word that %j is its LAN address", (lanIp) => {
    const host = lanIp.includes(":") ? `[${lanIp}]` : lanIp || "127.0.0.1";
    const address = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "");
    expect(decide(wish(`http://${host}:8096/`, [address], { lanIp }))).toMatchObject({ allowed: false });
  });

  it("refuses the engine's own port though an app is said to publish it", () => {
    expect(decide(wish(`http://${LAN}:8765/`, [LAN], { lanPorts: [8765] }))).toMatchObject({ allowed: false });
  });

  it("refuses the host's other addresses, public ones too", () => {
    expect(decide(wish("https://[2606:4700::5]/", ["2606:4700::5"]))).toMatchObject({ allowed: false });
  });

  it.each([
    ["the router's", "2606:4700:0:0::1"],
    ["a printer's, in another network of the same home", "2606:4700:0:ffff::1"],
  ])("refuses an address that is public and behind the same firewall: %s", (_, neighbour) => {
    const decision = decide(wish("http://router.test/", [neighbour]));
    expect(decision).toMatchObject({ allowed: false, reason: expect.stringContaining("the network this machine") });
  });

  it("refuses the neighbours of a LAN address that is itself public, and allows other sites", () => {
    const lanIp = "141.1.2.3";
    const at = (address: string) => decide(wish("https://a.test/", [address], { lanIp })).allowed;
    expect(at("141.1.2.250")).toBe(false);
    expect(at("141.1.3.1")).toBe(true);
    expect(at("2606:4700:1::1")).toBe(true);
  });

  it.each([
    `http://user:word@${LAN}:8096/`,
    `http://${LAN}:0/`,
    "http://0.0.0.0:8096/",
    "http://[::]:8096/",
    "http://[::ffff:192.168.1.5]:8096/",
    "http://[::192.168.1.5]:8096/",
    "http://0x7f000001:8096/",
    "http://2130706433:8096/",
    "http://017700000001:8096/",
    "http://127.1:8096/",
    "http://\uff11\uff12\uff17.0.0.1:8096/",
  ])("refuses %s", (text) => {
    const url = new URL(text);
    const literal = url.hostname.replace(/^\[|\]$/g, "");
    expect(decide(wish(text, [literal]))).toMatchObject({ allowed: false });
  });

  /** Addresses nobody may be led to, in every spelling a URL takes. */
  const denied = fc.oneof(
    fc.ipV4().filter((address) => /^(0|10|127|169\.254|172\.1[6-9]|192\.168|22[4-9]|24\d)\./.test(address)),
    fc
      .tuple(fc.constantFrom(10, 127, 0, 224, 255), fc.nat(255), fc.nat(255), fc.nat(255))
      .map((bytes) => bytes.join(".")),
  );
  const spelled = fc
    .tuple(denied, fc.constantFrom("plain", "number", "hex", "octal", "mapped", "compatible", "nat64", "dot"))
    .map(([address, form]) => {
      const bytes = address.split(".").map(Number);
      const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
      switch (form) {
        case "number":
          return `${value}`;
        case "hex":
          return `0x${value.toString(16)}`;
        case "octal":
          return bytes.map((byte) => `0${byte.toString(8)}`).join(".");
        case "mapped":
          return `[::ffff:${address}]`;
        case "compatible":
          return `[::${address}]`;
        case "nat64":
          return `[64:ff9b::${address}]`;
        case "dot":
          return `${address}.`;
        default:
          return address;
      }
    });

  it("leads nowhere but to a public address and to the LAN address's own apps, however it is spelled", () => {
    fc.assert(
      fc.property(spelled, fc.integer({ min: 0, max: 65_535 }), fc.boolean(), (host, port, secure) => {
        const url = URL.parse(`${secure ? "https" : "http"}://${host}:${port}/`);
        if (url === null) return;
        const literal = url.hostname.replace(/^\[|\]$/g, "");
        if (literal === LAN) return;
        const decision = decide(wish(url.href, [literal], { lanPorts: [port] }));
        expect(decision.allowed, url.href).toBe(false);
      }),
    );
  });

  it("dials of mixed addresses the allowed one, and of denied ones none", async () => {
    const decision = decide(wish("http://nas.local:8096/", ["127.0.0.1", LAN, "10.0.0.1"]));
    expect(decision).toMatchObject({ allowed: true, address: LAN });
    expect(decide(wish("http://nas.local:8096/", ["127.0.0.1", "10.0.0.1"]))).toMatchObject({ allowed: false });
  });

  it("is asked at every hop of a redirect: an app leads nobody to the engine's port", async () => {
    const own = await startLoopbackServer();
    const app = await startLoopbackServer((_, response) => response.writeHead(302, { location: own.url }).end());
    onTestFinished(async () => {
      await own.close();
      await app.close();
    });
    const policy: NetworkPolicy = {
      lanIp: "127.0.0.1",
      lanPorts: async () => [app.port, own.port],
      internet: true,
      readOnly: false,
    };
    const network: NetworkPorts = {
      resolve: async () => ["127.0.0.1"],
      ownAddresses: () => [],
      ownPorts: () => [own.port],
    };
    const session = openNetwork({ policy, loopback: true, responseBytes: 1_000, audit: () => {} }, network);
    onTestFinished(() => session.close());
    const request = { method: "GET", url: app.url, headers: [], redirect: "follow", body: null } as const;
    const answer = await session.fetch(request, new AbortController().signal);
    expect(answer).toMatchObject({ error: { code: "policy_denied" } });
    expect(own.connections()).toBe(0);
  });
});
