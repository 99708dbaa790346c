/** What the engine gives a script (docs/decisions.md, section 5). */
import { dirname } from "node:path/posix";
import { describe, expect } from "vitest";
import type { ActionRequest, InstallRequest } from "../../../src/engine/api.ts";
import { DEFAULT_TIMING } from "../../../src/engine/runtime/timing.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, addFile } from "../../support/engine/scripted-world.ts";

/** A hook that writes down what its expression is. */
const telling = (expression: string, changes: Record<string, unknown> = {}) => ({
  id: "tell",
  title: "Tell",
  events: ["onAfterInstall"],
  entrypoint: "run",
  scriptContent: `export async function run(ctx) { ctx.log(JSON.stringify(${expression})); }`,
  ...changes,
});
const pressed = { events: ["userAction"], rerun: "converge" };

const SCRIPT = {
  requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [30_100, 30_200] },
  ensure_directories_exists: [{ path: "$LOCATION(Media)/config" }, { path: "$LOCATION(Media)/data" }],
  app_values: {
    network: { web_port: { port_number: 30_150 } },
    storage: {
      config: "$MOUNTED_HOST_PATH($LOCATION(Media)/config, /config)",
      data: "$MOUNTED_HOST_PATH($LOCATION(Media)/data, /data)",
    },
  },
};

const locations = { ApplicationsPerformance: "/mnt/tank/apps", Media: "/mnt/tank/media" };

async function install(hook: Record<string, unknown>, request: InstallRequest = {}, changes = {}, lanIp = "127.0.0.1") {
  const world = await openWorld({
    catalog: { demo: { ...SCRIPT, hooks: [hook], ...changes }, other: {} },
    host: { datasets: ["tank", "tank/media"], localRoot: "/host", facts: { lanIp, locations } },
  });
  const { id } = await world.engine.install("demo", request);
  return { ...world, view: await settledTask(world.engine, id) };
}

/** What the hook of an install wrote down. */
async function toldOf(...given: Parameters<typeof install>): Promise<unknown> {
  return readTold(await install(...given));
}

function readTold({ store, view }: Awaited<ReturnType<typeof install>>): unknown {
  expect(view.state).toBe("COMPLETED");
  return JSON.parse(store.hookLog(hookTask(view, "tell").id, 1)[0]?.line ?? "");
}

/** What a pressed hook wrote down. */
async function toldWhenPressed(hook: Record<string, unknown>, request: ActionRequest): Promise<unknown> {
  const { store, engine, host } = await install(hook);
  for (const file of request.files ?? []) {
    for (let above = dirname(file); above !== "/"; above = dirname(above)) addDirectory(host.script.world, above);
    addFile(host.script.world, file);
  }
  const { id } = await engine.runAction("demo", "tell", request);
  await settledTask(engine, id);
  return JSON.parse(store.hookLog(id, 1)[0]?.line ?? "");
}

describe("a hook's context", () => {
  it("has the live mounts by host, container and local path, and configPath for /config", async () => {
    const mount = (name: string) => ({
      hostPath: `/mnt/tank/media/${name}`,
      containerPath: `/${name}`,
      localPath: `/host/mnt/tank/media/${name}`,
    });
    expect(await toldOf(telling("[ctx.mounts, ctx.configPath]"))).toEqual([
      [mount("config"), mount("data")],
      "/host/mnt/tank/media/config",
    ]);
  });

  it("has the app's own port, and its address, once the app runs", async () => {
    expect(await toldOf(telling("[ctx.host, ctx.port, ctx.baseUrl]"))).toEqual([
      "127.0.0.1",
      30_150,
      "http://127.0.0.1:30150",
    ]);
  });

  it("has the host and the first required port before the app exists, and an empty address without a port", async () => {
    const before = telling("[ctx.host, ctx.port ?? null, ctx.baseUrl]", { events: ["onBeforeInstall"] });
    expect(await toldOf(before)).toEqual(["127.0.0.1", 30_100, "http://127.0.0.1:30100"]);
    const requirements = { ...SCRIPT.requirements, ports: [] };
    expect(await toldOf(before, {}, { requirements })).toEqual(["127.0.0.1", null, ""]);
  });

  it("has an IPv6 address in brackets, as a URL needs it", async () => {
    const told = await install(
      telling("[ctx.host, ctx.baseUrl, await ctx.getInstalledAppUrl('demo')]"),
      {},
      {},
      "fd00::20",
    );
    expect(readTold(told)).toEqual(["[fd00::20]", "http://[fd00::20]:30150", "http://[fd00::20]:30150"]);
    expect(await told.engine.app("demo")).toMatchObject({ installed: { baseUrl: "http://[fd00::20]:30150" } });
  });

  it("says userAction in pressed and in link-fired runs", async () => {
    expect(await toldWhenPressed(telling("ctx.event", pressed), {})).toBe("userAction");
    const conditions = [{ role: "visibility", type: "appInstalled", app: "other" }];
    const links = [{ hookId: "tell", runsOnAppId: "demo", targets: ["other"] }];
    expect(await toldOf(telling("ctx.event", { ...pressed, conditions }), { links })).toBe("userAction");
  });

  it("has the selected files with path, containerPath, name and extension", async () => {
    const target = { type: "files", accepts: [".mkv"] };
    const files = ["/mnt/tank/media/data/a/Film.MKV"];
    expect(await toldWhenPressed(telling("ctx.target", { ...pressed, target }), { files })).toEqual({
      type: "files",
      files: [{ path: files[0], containerPath: "/data/a/Film.MKV", name: "Film.MKV", extension: ".mkv" }],
    });
  });

  it("has answers as given, and tokens as authToken and under the provider's own name, by input id", async () => {
    const flow = {
      type: "pin",
      pinUrl: "https://provider.test/pins",
      authUrl: "https://provider.test/auth?id={clientId}&code={code}",
      pollUrl: "https://provider.test/pins/{pinId}",
      clientId: "slipway",
      tokenField: "pinToken",
    };
    const inputs = [
      { type: "oauth", id: "account", name: "Account", provider: "test", flow },
      { type: "question", id: "count", question: { question: "How many?", type: "number", key: "n" } },
    ];
    const expression = "[Object.keys(ctx.inputs.account), ctx.inputs.account.authToken.length, ctx.inputs.count]";
    const request = { inputs: { tell: { account: "a-long-token", count: 3 } } };
    expect(await toldOf(telling(expression, { inputs }), request)).toEqual([["authToken", "pinToken"], 12, 3]);
  });
});

it("an OAuth provider is asked every 2 seconds, for 15 minutes at most", () => {
  expect(DEFAULT_TIMING).toMatchObject({ oauthPoll: 2_000, oauthDeadline: 900_000 });
});
