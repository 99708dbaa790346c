/** Clients made of the OpenAPI document and of the routes' types compile, and every route answers them. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { it } from "../support/engine/engine-test.ts";
import { makeInstance } from "../support/engine/scripted-world.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";
import type { Calls, Subject } from "../support/http/client-calls.ts";
import { readOpenApi } from "../support/http/described-responses.ts";
import { FAILING_LINK, serveFailingApps } from "../support/http/failing-apps.ts";
import { callsOfHono } from "../support/http/hono-calls.ts";
import { exportOf } from "../support/scripts/export-of.ts";

const run = promisify(execFile);
const FOLDER_OF_CLIENT = fileURLToPath(new URL("../fixtures/clients", import.meta.url));
const CALLS_FILE = fileURLToPath(new URL("../support/http/client-calls.ts", import.meta.url));

/** Makes the calls of a client of a server's `/api`. */
type CallsOf = (base: string) => Calls;
const Client = z.object({ callsOf: z.custom<CallsOf>((value) => typeof value === "function") });

/** Calls an operation, holds that the server did it, and what the client read. */
type Ask = (operation: string, subject: Partial<Subject>, read: unknown) => Promise<void>;

const NOBODY: Subject = { appId: "none", taskId: "none", hookId: "none", notificationId: "none" };

let served: ServedEngine;
afterEach(() => served.close());

describe("every route answers", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-clients-"));
  const tool = (name: string, ...args: readonly string[]) =>
    run(process.execPath, [join(folder, "node_modules", name), ...args], { cwd: folder });

  beforeAll(async () => {
    cpSync(FOLDER_OF_CLIENT, folder, { recursive: true });
    cpSync(CALLS_FILE, join(folder, "client-calls.ts"));
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("a client that openapi-typescript and openapi-fetch make of openapi.json", async () => {
    served = await serveEngine();
    writeFileSync(join(folder, "openapi.json"), await (await served.api("/openapi.json")).text());
    await tool("openapi-typescript/bin/cli.js", "openapi.json", "--output", "api.ts");
    const { stdout } = await tool("typescript/bin/tsc", "-p", ".", "--pretty", "false").catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe("");
    const { callsOf } = Client.parse(await import(join(folder, "calls.ts")));
    await callEveryRoute(callsOf);
  });

  it("Hono's hc, typed by HttpRoutes", async () => {
    served = await serveEngine();
    await callEveryRoute(callsOfHono);
  });
});

async function callEveryRoute(callsOf: CallsOf): Promise<void> {
  const asked = new Set<string>();
  const askAt =
    (url: string): Ask =>
    async (operation, subject, read) => {
      const call = callsOf(`${url}/api`)[operation];
      expect([operation, await call?.({ ...NOBODY, ...subject })]).toEqual([
        operation,
        { status: expect.toSatisfy((status: number) => status >= 200 && status < 300), read },
      ]);
      asked.add(operation);
    };
  await callDemo(askAt(served.server.url));
  await callAboutFailures(askAt);
  const { paths } = await readOpenApi(served.server.url);
  const described = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect([...asked].sort()).toEqual(described.sort());
}

async function callDemo(ask: Ask): Promise<void> {
  const { engine } = served;
  const notes = { appId: "demo-notes" };
  const media = { appId: "demo-media" };
  const settleNewest = async () => {
    const id = engine.tasks({ limit: 1 })[0]?.id ?? "";
    await engine.settled(id);
    return id;
  };
  await ask("listApps", {}, "demo-media demo-notes");
  await ask("getApp", notes, "demo-notes");
  await ask("getForm", notes, "demo-notes");
  await ask("chooseForm", media, "demo-media");
  await ask("preview", notes, "demo-notes");
  await ask("installApp", notes, "install");
  const installed = await settleNewest();
  const taskId = engine.task(installed)?.children[0]?.id ?? "";
  await ask("getTask", { taskId }, "AWAITING_INPUT");
  await ask("giveInput", { taskId }, "hook");
  await engine.settled(installed);
  await ask("getTask", { taskId }, "COMPLETED");
  await ask("getHistory", { taskId }, 1);
  await ask("getLog", { taskId }, 0);
  await ask("getTrace", { taskId }, "hook-task");
  await ask("listMachines", {}, true);
  await ask("listTasks", notes, 1);
  await ask("revealAnswer", notes, expect.any(String));
  await ask("installApp", media, "install");
  await settleNewest();
  await ask("getPairings", media, "demo-media");
  await ask("listActions", media, "configure-library connect-notes");
  await ask("listWidgets", media, "library");
  await ask("getWidget", media, "library");
  await ask("listFiles", {}, expect.stringContaining("Media"));
  await ask("listFileActions", {}, expect.any(Number));
  await ask("askFileActions", {}, expect.any(Number));
  await ask("listAllWidgets", {}, "demo-media/library");
  await ask("getDashboard", {}, false);
  await ask("arrangeDashboard", media, true);
  await ask("runAction", { ...media, hookId: "connect-notes" }, "hook");
  await settleNewest();
  const told = engine.notifications();
  const notificationId = told[0]?.id ?? "";
  await ask("listNotifications", {}, told.length);
  await ask("readNotification", { notificationId }, notificationId);
  await ask("readNotifications", {}, told.length - 1);
  await ask("listAudit", {}, "readNotifications");
  for (const operation of ["getDrift", "lookForDrift"]) await ask(operation, {}, true);
  await ask("updateApp", media, "update");
  await settleNewest();
  await ask("listSnapshots", media, "pre-update");
  await ask("previewRollback", media, "kept");
  await ask("rollbackApp", media, expect.anything());
  await settleNewest();
  for (const name of ["stop", "start", "restart"] as const) {
    await ask(`${name}App`, media, name);
    await settleNewest();
  }
  await ask("previewUninstall", media, false);
  await ask("uninstallApp", media, "uninstall");
  await settleNewest();
  await ask("followEvents", {}, "text/event-stream");
  await ask("sync", {}, 0);
  await ask("health", {}, true);
  await ask("live", {}, true);
  await ask("ready", {}, true);
}

/** What only happens where a script fails, and an upgrade, on a host that offers one. */
async function callAboutFailures(askAt: (url: string) => Ask): Promise<void> {
  const metadata = { name: "Shown", description: "d", icon: "shown.svg", version: "1.0.0" };
  const { engine, url, release } = await serveFailingApps({
    catalog: { shown: { metadata }, "shown.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>", foreign: {} },
    host: { instances: [makeInstance("foreign")] },
  });
  const ask = askAt(url);
  await ask("getIcon", { appId: "shown" }, "image/svg+xml");
  await ask("previewAdopt", { appId: "foreign" }, "foreign");
  await ask("adoptApp", { appId: "foreign" }, "adopt");
  const install = async (appId: string, request = {}) => engine.settled((await engine.install(appId, request)).id);
  const stuck = await install("stuck");
  const subject = { taskId: stuck.children[0]?.id ?? "" };
  await ask("retryTask", subject, "hook");
  await engine.settled(stuck.id);
  await ask("skipTask", subject, "hook");
  await engine.settled(stuck.id);
  await ask("cancelTask", { taskId: (await install("given-up")).id }, "install");
  await install("other");
  const linked = await install("hub", { links: [FAILING_LINK] });
  await ask("dismissTask", { taskId: linked.children[0]?.id ?? "" }, "link");
  release("other");
  await ask("upgradeApp", { appId: "other" }, "upgrade");
  await engine.settled(engine.tasks({ limit: 1 })[0]?.id ?? "");
  await ask("getUpgradePolicies", {}, "manual");
  await ask("setUpgradePolicies", { appId: "hub" }, "automatic");
  await ask("exportApps", {}, false);
  const moved = { file: exportOf("shown") };
  await ask("previewImport", moved, "install");
  await ask("importApps", moved, "import");
  await engine.settled(engine.tasks({ limit: 1 })[0]?.id ?? "");
  release("hub");
  await ask("previewUpgradeAll", { appId: "hub" }, "hub");
  await ask("upgradeAll", { appId: "hub" }, "upgrade-all");
  await engine.settled(engine.tasks({ limit: 1 })[0]?.id ?? "");
}
