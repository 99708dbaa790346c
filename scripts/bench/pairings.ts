/** `npm run bench:pairings`: building the pairing index, and serving it beside a constant body. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCatalogDirectory } from "../../src/adapters/catalog-directory.ts";
import { buildPairingIndex } from "../../src/core/pairings.ts";
import { catalogViews } from "../../src/engine/surfaces/catalog-view.ts";
import { generatedId, generatedScript, writeGeneratedCatalog } from "../../test/support/generated-catalog.ts";
import { median, printTable, row, timed } from "./measure.ts";

const BLOCKS = 7;

async function indexBuild(apps: number) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-bench-"));
  try {
    writeGeneratedCatalog(folder, apps);
    const read: number[] = [];
    const index: number[] = [];
    const one: number[] = [];
    for (let block = 0; block < BLOCKS; block++) {
      const start = performance.now();
      const catalog = await openCatalogDirectory(folder);
      read.push(performance.now() - start);
      const dictionaries = catalog.entries().flatMap(({ dictionary }) => dictionary ?? []);
      index.push(await timed(() => buildPairingIndex(dictionaries)));
      const view = catalogViews(catalog, true);
      view();
      writeFileSync(join(folder, `${generatedId(1)}.json`), JSON.stringify(generatedScript(block + 2, apps)));
      await catalog.sync();
      one.push(await timed(view));
    }
    return { read, index, one };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const small = await indexBuild(1_000);
const large = await indexBuild(10_000);
printTable("Pairing index", [
  row("1,000 apps: read, parse and index the files", small.read, "ms"),
  row("10,000 apps: read, parse and index the files", large.read, "ms", {
    ratio: median(large.read) / median(small.read),
    target: "<= 3000 ms",
  }),
  row("1,000 apps: the index alone", small.index, "ms"),
  row("10,000 apps: the index alone", large.index, "ms", { ratio: median(large.index) / median(small.index) }),
  row("10,000 apps: the index after one changed file", large.one, "ms", { target: "<= 5 ms" }),
]);
