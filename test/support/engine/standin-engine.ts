import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EngineChoice, type OpenedEngine, openEngine } from "../../../src/compose.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { readReady } from "../../../src/standin/ready.ts";
import { rawScript } from "../scripts/scripts.ts";

export interface StandinEngine {
  readonly engine: OpenedEngine["engine"];
  /** The stand-in's LAN address, one of `127.0.0.0/8`. */
  readonly lanIp: string;
  /** Changes install scripts of offered apps (what `rawScript` takes, by id) and has the engine read the catalog. */
  publish(apps: Readonly<Record<string, Record<string, unknown>>>): Promise<void>;
  close(): Promise<void>;
}

/** A whole engine as `openEngine` puts it together, on a fast stand-in that offers these apps. */
export async function openStandinEngine(
  apps: readonly string[],
  choice: Partial<EngineChoice> = {},
): Promise<StandinEngine> {
  const dir = mkdtempSync(join(tmpdir(), "slipway-standin-"));
  const catalog = join(dir, "catalog");
  mkdirSync(catalog);
  const write = (appId: string, changes: Record<string, unknown>) =>
    writeFileSync(join(catalog, `${appId}.json`), JSON.stringify(rawScript(changes)));
  for (const appId of apps) write(appId, {});
  const opened = await openEngine({
    host: { kind: "standin", speed: 50, idleExitS: 1 },
    db: join(dir, "slipway.db"),
    catalog,
    production: true,
    logger: SILENT_LOGGER,
    timing: { oauthPoll: 20, driftEvery: 0 },
    ...choice,
  });
  const standin = readReady(join(dir, "slipway.db.standin"));
  if (standin === undefined) throw new Error("the stand-in left no address");
  return {
    engine: opened.engine,
    lanIp: standin.lanIp,
    publish: async (changed) => {
      for (const [appId, changes] of Object.entries(changed)) write(appId, changes);
      await opened.engine.syncCatalog();
    },
    close: async () => {
      await opened.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
