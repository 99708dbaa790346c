/** A stand-in whose locations are datasets of one kind, and an engine on it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { createLocalFolders } from "../../../src/adapters/local-folders.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";
import type { Engine } from "../../../src/engine/api.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import { createSystemClock } from "../../../src/engine/system/clock.ts";
import { STANDIN_LOCATIONS } from "../../../src/standin/locations.ts";
import type { HostGeneration } from "../../../src/standin/settings.ts";
import { createStandinHost, type StandinHost } from "../../../src/standin/standin.ts";
import { QUICK } from "../engine/engine-world.ts";
import { createTestFolder } from "../engine/runtime-world.ts";
import { openLoggedIn } from "../engine/standin-client.ts";
import { openClient } from "./host-client.ts";

/** How the owner of a host has made its locations. */
export const LOCATION_KINDS = {
  "generic, POSIX": { acltype: "POSIX" },
  "generic, NFSv4": { acltype: "NFSV4" },
  "the preset for apps": { share_type: "APPS" },
  "the preset for SMB": { share_type: "SMB" },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** A kind of location. */
export type LocationKind = keyof typeof LOCATION_KINDS;

export interface KindWorld {
  readonly standin: StandinHost;
  readonly host: Host;
  readonly engine: Engine;
  readonly locations: Readonly<Record<string, string>>;
}

/** Opens both with the scripts of a catalog, given as texts by app id; all is gone when the test ends. */
export async function openKind(
  kind: LocationKind,
  generation: HostGeneration,
  scripts: Readonly<Record<string, string>>,
): Promise<KindWorld> {
  const dir = createTestFolder().path;
  const catalog = createTestFolder().path;
  for (const [appId, text] of Object.entries(scripts)) writeFileSync(join(catalog, `${appId}.json`), text);
  const limits = { ratePerWindow: 10_000 };
  const standin = await createStandinHost({ dir, generation, speed: 100, limits, catalogs: [catalog] });
  onTestFinished(() => standin.close());
  const client = await openLoggedIn(standin);
  const ids = Object.keys(STANDIN_LOCATIONS);
  await client.call("pool.dataset.create", { name: "tank/of-a-kind", acltype: "POSIX", aclmode: "DISCARD" });
  for (const id of ids)
    await client.call("pool.dataset.create", { name: `tank/of-a-kind/${id}`, ...LOCATION_KINDS[kind] });
  const locations = Object.fromEntries(ids.map((id) => [id, `/mnt/tank/of-a-kind/${id}`]));
  const { username, apiKey } = standin;
  const host = openClient(standin.url, { username, apiKey, locations, localRoot: dir, clock: createSystemClock() });
  const engine = createEngine({
    host,
    store: openStore({ file: join(dir, "slipway.db") }),
    catalog: await openCatalogDirectory(catalog),
    folders: createLocalFolders(),
    timing: QUICK,
  });
  onTestFinished(() => engine.close());
  await engine.recover();
  return { standin, host, engine, locations };
}

/** The real script without its hooks: what an install does on the host alone. */
export function readWithoutHooks(folder: string, appId: string): string {
  const script: JsonObject = JSON.parse(readFileSync(join(folder, `${appId}.json`), "utf8"));
  return JSON.stringify({ ...script, hooks: undefined });
}
