/** Whole installs of the host bench: engine, SQLite, sandbox, one hook each. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import { createScriptIo } from "../../src/adapters/script-io/script-io.ts";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import type { Engine } from "../../src/engine/api.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { Host } from "../../src/engine/ports/host.ts";
import { measureMs } from "./measure.ts";

const FIRST_PORT = 21_000;

function toId(at: number): string {
  return `hooked-${at}`;
}

/** Writes install scripts: a directory with an owner, a port, and a hook that talks to the app once it runs. */
export function writeHookedApps(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < count; at++) {
    const path = `$LOCATION(ApplicationsPerformance)/${toId(at)}`;
    const script = {
      version: 6,
      script: { version: "1.0.0" },
      requirements: {
        locations: ["ApplicationsPerformance"],
        specifications: [],
        permissions: ["READ_WRITE_LOCATIONS"],
        ports: [FIRST_PORT + at],
      },
      ensure_directories_exists: [{ path, owner: { user: "apps" } }],
      app_values: {
        network: { web_port: { bind_mode: "published", port_number: FIRST_PORT + at } },
        storage: { data: `$HOST_PATH(${path})` },
      },
      hooks: [
        {
          id: "greet",
          title: "Greet",
          events: ["onAfterInstall"],
          entrypoint: "greet",
          scriptContent: `export async function greet(ctx) {
            await ctx.waitForApp("/", { initialDelayMs: 20 });
            await ctx.emitCheckpoint("greeted", "Greeted");
          }`,
        },
      ],
    };
    writeFileSync(join(folder, `${toId(at)}.json`), JSON.stringify(script));
  }
}

/** Ms of one install, then of `count` more begun together; the first hook of all warms the sandbox and does not count. */
export async function installHooked(
  host: Host,
  folder: string,
  db: string,
  count: number,
): Promise<{ readonly one: number; readonly together: number }> {
  const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
  const catalog = await openCatalogDirectory(folder);
  const engine = createEngine({ host, store: openStore({ file: db }), catalog, sandbox, timing: { appPoll: 20 } });
  try {
    await engine.recover();
    await install(engine, 0);
    const one = await measureMs(() => install(engine, 1));
    const rest = Array.from({ length: count }, (_, at) => at + 2);
    return { one, together: await measureMs(() => Promise.all(rest.map((at) => install(engine, at)))) };
  } finally {
    await engine.close();
    await sandbox.close();
  }
}

async function install(engine: Engine, at: number): Promise<void> {
  const task = await engine.settled((await engine.install(toId(at))).id);
  if (task.state !== "COMPLETED" || task.marks.length > 0) throw new Error(`${toId(at)}: ${JSON.stringify(task)}`);
}
