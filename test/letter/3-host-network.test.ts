/** The letter, row 3: hooks of apps on the host's network, and requests the policy refuses. */
import { describe, expect, onTestFinished } from "vitest";
import type { EngineChoice } from "../../src/compose.ts";
import type { JsonObject } from "../../src/core/json/json.ts";
import type { TaskView } from "../../src/engine/api.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask, until } from "../support/engine/engine-world.ts";
import { openStandinEngine } from "../support/engine/standin-engine.ts";
import { openClient } from "../support/host/host-client.ts";
import { freePort, startLoopbackServer } from "../support/host/loopback-server.ts";
import { type Handler, startWireHost } from "../support/host/wire-host.ts";
import { rawHook } from "../support/scripts/scripts.ts";
import { WITHIN_MS } from "../support/within.ts";

const requiring = (port: number) => ({ locations: [], specifications: [], permissions: [], ports: [port] });
const portal = (port: number) => ({ name: "Web UI", scheme: "http", port, path: "/" });

/** A hook after the install that runs these statements. */
const afterInstall = (body: string) =>
  rawHook({
    id: "after",
    events: ["onAfterInstall"],
    rerun: undefined,
    scriptContent: `export async function run(ctx) { ${body} }`,
  });

const TELL = `ctx.fail(JSON.stringify([ctx.baseUrl, "port" in ctx]));`;

/** Installs an app on a stand-in; `port` is free there. */
async function install(
  script: (port: number) => Record<string, unknown>,
  choose: (port: number) => Partial<EngineChoice> = () => ({}),
): Promise<{ readonly port: number; readonly lanIp: string; readonly view: TaskView; readonly said: string }> {
  const port = await freePort();
  const { engine, lanIp, publish, close } = await openStandinEngine(["radio"], choose(port));
  onTestFinished(close);
  await publish({ radio: script(port) });
  const { id } = await engine.install("radio");
  const view = await engine.settled(id, AbortSignal.timeout(WITHIN_MS));
  return { port, lanIp, view, said: view.children[0]?.failure?.message ?? "" };
}

describe("Hooks of an app on the host's own network", () => {
  it("reach it at the port its portal names", async () => {
    const { view } = await install((port) => ({
      app_values: { host_network: true, portals: [portal(port)] },
      hooks: [afterInstall(`await ctx.waitForApp("/"); if (ctx.port !== ${port}) ctx.fail("port " + ctx.port);`)],
    }));
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ state: "COMPLETED" }] });
  });

  it("have no address of it if it has no portal, whatever port the script requires", async () => {
    const { said } = await install((port) => ({
      requirements: requiring(port),
      app_values: { network: { host_network: true } },
      hooks: [afterInstall(TELL)],
    }));
    expect(said).toBe('["",false]');
  });

  it("have no address of it if the engine itself serves at the port", async () => {
    const { said } = await install(
      (port) => ({ app_values: { host_network: true, portals: [portal(port)] }, hooks: [afterInstall(TELL)] }),
      (port) => ({ ownPorts: [port] }),
    );
    expect(said).toBe('["",false]');
  });
});

describe("A request the policy refuses ends `waitForApp` at once with its reason:", () => {
  it("at a port nobody publishes", async () => {
    const { port, lanIp, said } = await install(() => ({
      hooks: [afterInstall(`await ctx.waitForApp("http://" + ctx.host + ":1");`)],
    }));
    expect(port).not.toBe(1);
    expect(said).toBe(`TypeError: "http://${lanIp}:1" is not allowed: port 1 of the host belongs to no installed app`);
  });

  it("where the app has no address", async () => {
    const { said } = await install(() => ({
      app_values: { network: { host_network: true } },
      hooks: [afterInstall(`await ctx.waitForApp("/");`)],
    }));
    expect(said).toContain("the app has no port that its hooks may reach");
  });

  it("however often it comes, the host is not asked for its apps each time", async () => {
    const body = `for (let times = 0; times < 100; times++) await fetch("http://127.0.0.1:1/").catch(() => {});`;
    const { engine, host } = await openWorld({ catalog: { demo: { hooks: [afterInstall(body)] } } });
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [{ state: "COMPLETED" }] });
    expect(host.script.calls.filter(({ method }) => method === "app.query").length).toBeLessThan(60);
  });

  it("not while its own app starts, whose ports may still come", async () => {
    const server = await startLoopbackServer();
    onTestFinished(() => server.close());
    const url = `http://127.0.0.1:${server.port}/`;
    const body = `await ctx.registerCheckpoints([{ id: "wait", message: "Waits" }]);
      await ctx.waitForApp("${url}", { initialDelayMs: 100, maxDelayMs: 100, retries: 1000 });`;
    const { engine, host } = await openWorld({
      catalog: { demo: { hooks: [afterInstall(body)] } },
      engine: { timing: { runningDeadline: 20 } },
      host: { deployingFor: 1_000_000 },
    });
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.children[0]?.checkpoints.length === 1);
    host.script.setApp("demo", { state: "RUNNING", publishedPorts: [server.port] });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", children: [{ state: "COMPLETED" }] });
  });
});

describe("The ports of an app on the host's own network", () => {
  const published = (port: number): JsonObject => ({
    protocol: "tcp",
    host_ports: [{ host_port: port, host_ip: "0.0.0.0" }],
  });
  const radio = (config: JsonObject, ...ports: readonly number[]): JsonObject => ({
    name: "radio",
    state: "RUNNING",
    version: "1.0.0",
    config,
    portals: Object.fromEntries(ports.map((port, at) => [`P${at}`, `http://0.0.0.0:${port}/`])),
    active_workloads: { used_ports: [], container_details: [] },
  });
  const other: JsonObject = {
    name: "other",
    state: "RUNNING",
    version: "1.0.0",
    active_workloads: { used_ports: [published(8096)], container_details: [] },
  };

  const known: Handler = (call) => call.result({ ui_port: 8081, ui_httpsport: 8443 });

  async function portsOf(app: JsonObject, tellOwn = known, others: readonly JsonObject[] = [other]) {
    const host = await startWireHost();
    const client = openClient(host.url);
    onTestFinished(async () => {
      await client.close();
      await host.stop();
    });
    host.on("docker.status", (call) => call.result({ status: "RUNNING", description: "" }));
    host.on("app.query", (call) =>
      call.result(JSON.stringify(call.params).includes('"name","="') ? [app] : [app, ...others]),
    );
    host.on("system.general.config", tellOwn);
    const session = Number(new URL(host.url).port);
    const ports = (await client.apps()).find(({ name }) => name === "radio")?.hostNetworkPorts;
    return { session, ports, host, client };
  }

  it.each([{ host_network: true }, { network: { host_network: true } }])(
    "are those from 1024 on that its portals name, less those of other apps and of the host's interfaces: %j",
    async (config) => {
      const { ports } = await portsOf(radio(config, 80, 443, 1023, 1024, 8096, 8081, 8443, 9000));
      expect(ports).toEqual([1024, 9000]);
    },
  );

  it("are none that another app on that network names too: it may be the other's", async () => {
    const named = { ...radio({ host_network: true }, 9000), name: "evil" };
    const rivals = { ...radio({ host_network: true }, 8123, 9000), name: "radio" };
    expect((await portsOf(rivals, undefined, [named])).ports).toEqual([8123]);
  });

  it.each(["STOPPED", "CRASHED"])("are none of an app that is %s: another program may listen there", async (state) => {
    expect((await portsOf({ ...radio({ host_network: true }, 9000), state })).ports).toEqual([]);
  });

  it("are none of an app asked for by its name, for which no other app is asked", async () => {
    const { host, client } = await portsOf(radio({ host_network: true }, 9000));
    const before = host.calls.length;
    expect((await client.app("radio"))?.hostNetworkPorts).toEqual([]);
    expect(host.calls.slice(before).map(({ method }) => method)).toEqual(["app.query", "docker.status"]);
  });

  it.each<[string, Handler]>([
    ["knows no such question", (call) => call.error(-32601, "Method does not exist")],
    ["gives the account no role for it", (call) => call.raise(13, "EACCES", "Not authorized")],
    ["fails to answer", (call) => call.raise(14, "EFAULT", "no")],
    ["answers in another form", (call) => call.result({ ui_port: "80", ui_httpsport: [443] })],
  ])("are none if the host %s about its own interface", async (_, refuse) => {
    expect((await portsOf(radio({ host_network: true }, 9000), refuse)).ports).toEqual([]);
  });

  it("are not asked of an app the host does not say it of", async () => {
    expect((await portsOf(radio({ network: { host_network: false } }, 9000))).ports).toBeUndefined();
  });
});
