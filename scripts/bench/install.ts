/**
 * Bench of a whole install without hooks against a host that answers at once: its transactions, the engine's own time
 * (the same install on a database in memory, where fsync costs nothing) and what fsync adds on this disk.
 * `npm run bench:install [-- --quick]`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import type { Engine } from "../../src/engine/api.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import { createScriptedHost } from "../../test/support/host/scripted-host.ts";
import { rawScript } from "../../test/support/scripts/scripts.ts";
import { computeMedian, createRow, measureInterleaved, printTable } from "./measure.ts";

const BLOCKS = process.argv.includes("--quick") ? 10 : 60;
const OFFERED = { train: "stable", title: "Demo", icon: "", versions: ["1.0.0"] };

interface Bench {
  readonly engine: Engine;
  transactions(): number;
  /** Ms of one install, which is removed from the host again. */
  install(): Promise<number>;
}

const disk = mkdtempSync(join(process.cwd(), "bench-"));
const memory = mkdtempSync("/dev/shm/slipway-bench-");
const catalog = join(disk, "catalog");
mkdirSync(catalog);
writeFileSync(
  join(catalog, "demo.json"),
  JSON.stringify(
    rawScript({
      requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
      ensure_directories_exists: [{ path: "$LOCATION(ApplicationsPerformance)/demo" }],
      app_values: { demo: { storage: "$HOST_PATH($LOCATION(ApplicationsPerformance)/demo)" } },
    }),
  ),
);
const onDisk = await open(disk);
const inMemory = await open(memory);
try {
  const found = await measureInterleaved(BLOCKS, { disk: onDisk.install, memory: inMemory.install });
  const transactions = onDisk.transactions() / (BLOCKS + 1);
  const fsync = found.disk.map((ms, block) => ms - (found.memory[block] ?? 0));
  printTable(`A whole install without hooks, ${transactions} transactions`, [
    createRow("engine's own time, without fsync", found.memory, "ms", { ratio: 1, target: "at most 5 ms" }),
    createRow("with synchronous=FULL on this disk", found.disk, "ms", {
      ratio: computeMedian(found.disk) / computeMedian(found.memory),
    }),
    createRow("of which fsync", fsync, "ms"),
  ]);
} finally {
  for (const { engine } of [onDisk, inMemory]) await engine.close();
  for (const folder of [disk, memory]) rmSync(folder, { recursive: true });
}

async function open(folder: string): Promise<Bench> {
  const host = createScriptedHost({
    catalog: { demo: OFFERED },
    facts: { locations: { ApplicationsPerformance: "/mnt/tank/apps" } },
    deployingFor: 0,
  });
  const { store, written } = countTransactions(openStore({ file: join(folder, "install.db") }));
  const engine = createEngine({ host, store, catalog: await openCatalogDirectory(catalog) });
  return {
    engine,
    transactions: written,
    async install() {
      const start = performance.now();
      const { id } = await engine.install("demo");
      const { state } = await engine.settled(id);
      const ms = performance.now() - start;
      if (state !== "COMPLETED") throw new Error(`the install ended ${state}`);
      host.script.world.instances.clear();
      host.script.world.paths.delete("/mnt/tank/apps/demo");
      return ms;
    },
  };
}

/** Counts every transaction the engine makes. */
function countTransactions(store: Store): { readonly store: Store; written(): number } {
  let written = 0;
  const countCalls =
    <A extends readonly unknown[], R>(write: (...parameters: A) => R) =>
    (...parameters: A): R => {
      written += 1;
      return write(...parameters);
    };
  return {
    written: () => written,
    store: {
      ...store,
      commit: countCalls(store.commit),
      writeNote: countCalls(store.writeNote),
      keepSecrets: countCalls(store.keepSecrets),
      keepSettings: countCalls(store.keepSettings),
    },
  };
}
