import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineChoice, type OpenedEngine, openEngine } from "../../../src/compose.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import type { OwnHost } from "../../../src/index.ts";
import { rawScript } from "../scripts/scripts.ts";
import { freePort } from "./loopback-server.ts";
import { createMinimalHost } from "./minimal-host.ts";

/** A hook that reaches its app. */
const HOOK = {
  id: "greet",
  event: "onAfterInstall",
  description: "Greeting",
  entrypoint: "greet",
  timeout: 60,
  scriptContent: [
    "export async function greet(ctx) {",
    '  await ctx.registerCheckpoints([{ id: "asked", message: "Asking" }]);',
    '  const answer = await fetch(ctx.baseUrl + "/hello");',
    '  if (!answer.ok) ctx.fail("no answer");',
    '  await ctx.emitCheckpoint("asked", "Answered " + answer.status);',
    "}",
  ].join("\n"),
};

/** The install script of `hello`, which answers at the port. */
export function describeHello(port: number, changes: Readonly<Record<string, unknown>> = {}) {
  return rawScript({
    version: 5,
    ensure_directories_exists: [
      { path: "$LOCATION(ApplicationsPerformance)/hello", network_share: true, snapshot: { id: "data" } },
    ],
    requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [port] },
    app_values: { port, folder: "$LOCATION(ApplicationsPerformance)/hello" },
    hooks: [HOOK],
    ...changes,
  });
}

/** A folder with a database, a catalog with the app `hello`, and a minimal host that offers it. */
export async function createOwnFolder(changes: Readonly<Record<string, unknown>> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-own-")));
  const apps = join(folder, "apps");
  const catalog = join(folder, "catalog");
  for (const path of [apps, catalog]) mkdirSync(path);
  const port = await freePort();
  const write = (changed: Readonly<Record<string, unknown>>) =>
    writeFileSync(join(catalog, "hello.json"), JSON.stringify(describeHello(port, changed)));
  write(changes);
  const item = { catalogApp: "hello", train: "stable", title: "Hello", icon: "", latestVersion: "1.0.0" };
  const host = createMinimalHost(apps, [item]);
  return {
    folder,
    apps,
    host,
    /** Replaces the script of `hello` in the catalog. */
    write,
    db: join(folder, "own.db"),
    open: (own: OwnHost = host, choice: Partial<EngineChoice> = {}): Promise<OpenedEngine> =>
      openEngine({
        ...{ host: own, db: join(folder, "own.db"), catalog, production: false, logger: SILENT_LOGGER },
        ...choice,
      }),
    async remove() {
      for (const { name } of await host.apps())
        await host.startJob({ method: "deleteApp", name, removeVolumes: true }, `remove ${name}`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
