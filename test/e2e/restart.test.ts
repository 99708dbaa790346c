import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { Task } from "../../src/http/schemas/tasks.ts";
import type { StandinAddress } from "../../src/standin/ready.ts";
import { controlStandin, restartApp } from "../support/engine/served-engine.ts";
import { on, rawHook, rawScript } from "../support/scripts/scripts.ts";
import {
  createSlipwayFolder,
  endOf,
  type SlipwayFolder,
  type SlipwayProcess,
  startSlipway,
  untilOutput,
} from "../support/slipway-process.ts";

/** Goes on only when the app's gate is open, so that a test decides in which life the hook ends. */
const WAIT_AT_GATE = `export async function run(ctx) {
  await ctx.registerCheckpoints([{ id: "gate", message: "At the gate" }]);
  while (!(await fetch(ctx.baseUrl + "/gate")).ok) await ctx.sleep(50);
  const done = await fetch(ctx.baseUrl + "/linked", { method: "PUT" });
  if (!done.ok) ctx.fail("refused");
  await ctx.emitCheckpoint("gate");
}`;
const published = (port: number) => ({ network: { web_port: { bind_mode: "published", port_number: port } } });
const ports = (port: number) => ({ locations: [], specifications: [], permissions: [], ports: [port] });
const gate = (status: number) => ({
  startMs: 20,
  answers: [
    { method: "GET", path: "/gate", status },
    { method: "PUT", path: "/linked", status: 204 },
  ],
});
const CATALOG = {
  "hub.json": rawScript({
    app_values: published(31_071),
    requirements: ports(31_071),
    hooks: [rawHook({ conditions: [on("friend")], scriptContent: WAIT_AT_GATE })],
  }),
  "friend.json": rawScript({ app_values: published(31_072), requirements: ports(31_072) }),
  "waits.json": rawScript({
    app_values: published(31_073),
    requirements: ports(31_073),
    hooks: [rawHook({ events: ["onAfterInstall"], rerun: undefined, scriptContent: WAIT_AT_GATE })],
  }),
  "standin/hub.json": gate(503),
  "standin/waits.json": gate(503),
};

let folder: SlipwayFolder;
const services: SlipwayProcess[] = [];
let standin: StandinAddress;
beforeEach(async () => {
  folder = createSlipwayFolder(CATALOG);
  standin = await folder.standin();
});
afterEach(() => {
  for (const child of services.splice(0)) child.kill("SIGKILL");
  folder.remove();
});

interface Service {
  readonly child: SlipwayProcess;
  readonly api: (path: string, init?: RequestInit & { readonly headers?: Record<string, string> }) => Promise<Response>;
}

async function serve(): Promise<Service> {
  const child = startSlipway(["serve", ...folder.engine, "--listen", "127.0.0.1:0"]);
  services.push(child);
  const line = (await untilOutput(child, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "";
  const { url, tokenFile } = z.object({ url: z.string(), tokenFile: z.string() }).parse(JSON.parse(line));
  const authorization = `Bearer ${readFileSync(tokenFile, "utf8").trim()}`;
  const api: Service["api"] = (path, init = {}) =>
    fetch(`${url}/api${path}`, { ...init, headers: { authorization, ...init.headers } });
  return { child, api };
}

async function post({ api }: Service, path: string, body: unknown): Promise<z.infer<typeof Task>> {
  const headers = { "content-type": "application/json" };
  return Task.parse(await (await api(path, { method: "POST", headers, body: JSON.stringify(body) })).json());
}

const taskNow = async ({ api }: Service, id: string) => Task.parse(await (await api(`/tasks/${id}`)).json());
const stateOf = (service: Service, id: string) => async () => (await taskNow(service, id)).state;
const checkpoints = (service: Service, id: string) => async () =>
  (await taskNow(service, id)).children.flatMap((child) => child.checkpoints.map((point) => point.state));

const Requests = z.array(z.object({ method: z.string(), url: z.string() }));
const linkedTimes = async (app: string) =>
  Requests.parse(await controlStandin(standin, "requests", [app])).filter(({ method }) => method === "PUT").length;

describe("a service that stops while a task runs", () => {
  it("on SIGTERM ends its streams, exits 0 and goes on with the install at its next start", async () => {
    const first = await serve();
    const { id } = await post(first, "/apps/waits/install", {});
    await expect.poll(checkpoints(first, id)).toEqual(["REGISTERED"]);
    const stream = await first.api("/events");
    const ended = stream.text();
    first.child.kill("SIGTERM");
    expect((await endOf(first.child)).exitCode).toBe(0);
    expect(await ended).toContain("event: task.");

    await restartApp(standin, "waits", gate(200));
    const second = await serve();
    await expect.poll(stateOf(second, id)).toBe("COMPLETED");
    expect(await linkedTimes("waits")).toBe(1);
    second.child.kill("SIGTERM");
    expect((await endOf(second.child)).exitCode).toBe(0);
  });

  it("on kill -9 in a link goes on with the link at its next start, and the install completes", async () => {
    const first = await serve();
    const friend = await post(first, "/apps/friend/install", {});
    await expect.poll(stateOf(first, friend.id)).toBe("COMPLETED");
    const links = [{ hookId: "connect", runsOnAppId: "hub", targets: ["friend"] }];
    const { id } = await post(first, "/apps/hub/install", { links });
    await expect.poll(checkpoints(first, id)).toEqual(["REGISTERED"]);
    first.child.kill("SIGKILL");
    await endOf(first.child);

    await restartApp(standin, "hub", gate(200));
    const second = await serve();
    await expect.poll(stateOf(second, id)).toBe("COMPLETED");
    expect(await taskNow(second, id)).toMatchObject({
      children: [{ kind: "link", state: "COMPLETED", checkpoints: [{ id: "gate", state: "COMPLETED" }] }],
    });
    expect(await linkedTimes("hub")).toBe(1);
    second.child.kill("SIGTERM");
    expect((await endOf(second.child)).exitCode).toBe(0);
  });
});
