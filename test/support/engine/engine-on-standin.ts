/** A whole engine (SQLite, client, sandbox) on a stand-in of any release that runs in the test's process. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import type { Engine, TaskView } from "../../../src/engine/api.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import { STANDIN_LOCATIONS } from "../../../src/standin/locations.ts";
import type { StandinOptions } from "../../../src/standin/settings.ts";
import { createStandinHost, type StandinHost } from "../../../src/standin/standin.ts";
import { openClient } from "../host/host-client.ts";
import { rawScript } from "../scripts/scripts.ts";
import { WITHIN_MS } from "../within.ts";
import { sandbox } from "./engine-test.ts";
import { QUICK } from "./engine-world.ts";
import { createTestFolder } from "./runtime-world.ts";

/** One process generation of the engine after another, on the same stand-in. */
export interface EngineOnStandin {
  readonly standin: StandinHost;
  /** Of the present generation. */
  engine(): Engine;
  host(): Host;
  /** Writes install scripts, what `rawScript` takes by id, and has engine and host read them. */
  publish(scripts: Readonly<Record<string, Record<string, unknown>>>): Promise<void>;
  settled(task: Pick<TaskView, "id">): Promise<TaskView>;
  /**
   * Has the engine die as the host receives the next call of this method once `after` is true, and resolves when another
   * one has begun on the database as a kill leaves it.
   */
  crashAt(method: string, after?: () => boolean): Promise<void>;
}

/** Opens all of it; closed when the test ends. */
export async function openOnStandin(
  scripts: Readonly<Record<string, Record<string, unknown>>>,
  options: Partial<StandinOptions> = {},
): Promise<EngineOnStandin> {
  const folder = createTestFolder();
  const root = join(folder.path, "catalog");
  mkdirSync(root);
  const write = (changed: typeof scripts) => {
    for (const [id, raw] of Object.entries(changed)) {
      writeFileSync(join(root, `${id}.json`), JSON.stringify(rawScript(raw)));
    }
  };
  write(scripts);
  let heard: (method: string) => void = () => {};
  const dir = join(folder.path, "host");
  const standin = await createStandinHost({
    dir,
    catalogs: [root],
    speed: 100,
    limits: { ratePerWindow: 1_000_000 },
    ...options,
    onCall: ({ method }) => heard(method),
  });
  const begin = async (generation: number) => {
    const { url, username, apiKey } = standin;
    const host = openClient(url, {
      username,
      apiKey,
      locations: STANDIN_LOCATIONS,
      localRoot: dir,
      timing: { pollMs: 20 },
    });
    const file = join(folder.path, `slipway-${generation}.db`);
    const catalog = await openCatalogDirectory(root);
    const engine = createEngine({ host, store: openStore({ file }), catalog, sandbox, timing: QUICK });
    await engine.recover();
    const close = async () => {
      await engine.close();
      await host.close();
    };
    return { generation, engine, host, file, close };
  };
  let present = await begin(1);
  onTestFinished(async () => {
    await present.close();
    await standin.close();
    folder.remove();
  });

  return {
    standin,
    engine: () => present.engine,
    host: () => present.host,
    async publish(changed) {
      write(changed);
      standin.control.readCatalog(root);
      await present.engine.syncCatalog();
    },
    settled: ({ id }) => present.engine.settled(id, AbortSignal.timeout(WITHIN_MS)),
    async crashAt(method, after = () => true) {
      const { promise, resolve } = Promise.withResolvers<void>();
      heard = (called) => {
        if (called !== method || !after()) return;
        heard = () => {};
        const next = join(folder.path, `slipway-${present.generation + 1}.db`);
        for (const end of ["", "-wal", ".witness"]) copyFileSync(`${present.file}${end}`, `${next}${end}`);
        const { generation, close } = present;
        resolve(
          close().then(async () => {
            present = await begin(generation + 1);
          }),
        );
      };
      await promise;
    },
  };
}
