import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type OpenedEngine, openEngine } from "../../../src/compose.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { type HttpServer, type HttpServerOptions, startHttpServer } from "../../../src/http/server.ts";
import type { AppAnswers } from "../../../src/standin/apps/answers.ts";
import { readReady, type StandinAddress } from "../../../src/standin/ready.ts";
import { checkResponsesOf, readOpenApi } from "../http/described-responses.ts";
import { openRaw } from "./standin-client.ts";

/** The demo's catalog. */
export const DEMO_CATALOG = fileURLToPath(new URL("../../../scripts/demo/catalog", import.meta.url));

export interface ServedEngine {
  readonly engine: OpenedEngine["engine"];
  readonly server: HttpServer;
  /** Fetches a path below `/api`; rejects where the response is not the one `openapi.json` describes. */
  api(path: string, init?: RequestInit): Promise<Response>;
  /** Posts JSON to a path below `/api`. */
  post(path: string, body?: unknown): Promise<Response>;
  /** One command of the stand-in's control interface. */
  control(command: string, ...args: readonly unknown[]): Promise<unknown>;
  readonly standin: StandinAddress;
  /** Where a path of the stand-in lies on this machine. */
  localPath(hostPath: string): string;
  close(): Promise<void>;
}

/** A real engine on a fast stand-in, served on a free loopback port; everything is gone after `close`. */
export async function serveEngine(
  options: {
    readonly catalog?: string;
    readonly server?: Partial<HttpServerOptions>;
    /** Without it hooks reach loopback addresses too. */
    readonly production?: boolean;
  } = {},
): Promise<ServedEngine> {
  const dir = mkdtempSync(join(tmpdir(), "slipway-http-"));
  const opened = await openEngine({
    host: { kind: "standin", speed: 20, idleExitS: 1 },
    db: join(dir, "slipway.db"),
    catalog: options.catalog ?? DEMO_CATALOG,
    production: options.production ?? true,
    allowWeakSandbox: true,
    logger: SILENT_LOGGER,
    timing: { driftEvery: 0 },
  });
  const server = await startHttpServer(opened.engine, {
    address: "127.0.0.1",
    port: 0,
    logger: SILENT_LOGGER,
    ...options.server,
  });
  const standin = readReady(join(dir, "slipway.db.standin"));
  if (standin === undefined) throw new Error("the stand-in left no address");
  // A server that needs a token shows its document to nobody else.
  const check = options.server?.token === undefined ? checkResponsesOf(await readOpenApi(server.url)) : null;
  const api = async (path: string, init?: RequestInit) => {
    const url = `${server.url}/api${path}`;
    const response = await fetch(url, init);
    const faults = (await check?.(init?.method ?? "GET", url, response))?.faults ?? [];
    if (faults.length > 0) throw new Error(`the response is not the one openapi.json describes:\n${faults.join("\n")}`);
    return response;
  };
  return {
    engine: opened.engine,
    server,
    api,
    post: (path, body) =>
      api(path, {
        method: "POST",
        ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      }),
    standin,
    localPath: (hostPath) => join(dir, "slipway.db.standin", hostPath),
    control: (command, ...args) => controlStandin(standin, command, args),
    close: async () => {
      await server.close();
      await opened.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Restarts an app's containers so that it answers as the table says from now on. */
export async function restartApp(standin: StandinAddress, app: string, table: AppAnswers): Promise<void> {
  await controlStandin(standin, "setAnswers", [app, table]);
  const client = await openRaw(standin.url);
  await client.call("auth.login_ex", {
    mechanism: "API_KEY_PLAIN",
    username: standin.username,
    api_key: standin.apiKey,
  });
  await client.job("app.stop", app);
  await client.job("app.start", app);
}

/** One command of a stand-in's control interface. */
export async function controlStandin(
  standin: StandinAddress,
  command: string,
  args: readonly unknown[],
): Promise<unknown> {
  const url = new URL(`/_standin/${command}`, standin.url.replace(/^ws/, "http"));
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${standin.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  if (!response.ok) throw new Error(`the stand-in refused ${command}: ${await response.text()}`);
  return response.json();
}
