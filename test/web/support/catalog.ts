/** A catalog in a folder, for a host that offers its apps. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rawScript } from "../../support/scripts/scripts.ts";

/** Writes it, from what `rawScript` takes by app id. */
export function writeCatalog(apps: Readonly<Record<string, Record<string, unknown>>>): {
  readonly path: string;
  remove(): void;
} {
  const path = mkdtempSync(join(tmpdir(), "slipway-catalog-"));
  for (const [appId, changes] of Object.entries(apps)) {
    writeFileSync(join(path, `${appId}.json`), JSON.stringify(rawScript(changes)));
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
