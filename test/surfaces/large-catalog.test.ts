import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import { buildPairingIndex, listPairings } from "../../src/core/hooks/pairings.ts";
import type { Catalog } from "../../src/engine/ports/catalog.ts";
import { createCatalogReader } from "../../src/engine/surfaces/catalog-view.ts";
import { generatedId, generatedScript, writeGeneratedCatalog } from "../support/scripts/generated-catalog.ts";

const APPS = 10_000;

describe("a catalog of 10,000 apps with three hooks each, the real scripts among them", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-large-"));
  let catalog: Catalog;

  beforeAll(async () => {
    writeGeneratedCatalog(folder, APPS);
    catalog = await openCatalogDirectory(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("gives every generated app its four pairings", () => {
    const { index } = createCatalogReader(catalog, true)();
    const listed = listPairings(index, generatedId(5)).map(
      ({ direction, pairing, targets }) => `${direction} ${pairing.appId}/${pairing.hook.id} -> ${targets.join(", ")}`,
    );
    expect(listed).toEqual([
      "outgoing app-00005/link-next -> app-00006",
      "outgoing app-00005/link-many -> app-00007, app-00008",
      "incoming app-00002/link-many -> app-00002",
      "incoming app-00003/link-many -> app-00003",
      "incoming app-00004/link-next -> app-00004",
    ]);
  });

  it("follows a changed, an added and a removed file as if built anew", async () => {
    const view = createCatalogReader(catalog, true);
    const before = view();
    writeFileSync(join(folder, `${generatedId(1)}.json`), JSON.stringify(generatedScript(7, APPS)));
    writeFileSync(join(folder, "newcomer.json"), JSON.stringify(generatedScript(9, APPS)));
    rmSync(join(folder, `${generatedId(2)}.json`));
    const changes = await catalog.sync();
    expect(changes).toMatchObject({ added: ["newcomer"], changed: [generatedId(1)], removed: [generatedId(2)] });
    const after = view();
    expect(after).not.toBe(before);
    const anew = buildPairingIndex(
      catalog.entries().flatMap(({ declared }) => (declared === null || declared.internal ? [] : [declared])),
    );
    expect(after.index).toEqual(anew);
  });

  it("returns the same view until the catalog is synced", () => {
    const view = createCatalogReader(catalog, true);
    expect(view()).toBe(view());
  });
});
