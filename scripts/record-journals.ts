/**
 * `npm run record:journals [-- RELEASE]`: keeps what the golden scripts of a release are told as
 * test/fixtures/journals/RELEASE/<script>.jsonl, with its digest in SHA256SUMS beside it; default: the package's version.
 * A new release begins with the scripts of the last one; a journal that is there is never touched.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../sandbox/sandbox.ts";
import { createScriptIo } from "../src/adapters/script-io/script-io.ts";
import { GOLDEN, recordGolden } from "../test/sandbox/journal/golden.ts";
import { sumFiles } from "../test/support/sum-files.ts";
import { findReleaseFolder } from "./release-folder.ts";

const folder = findReleaseFolder(GOLDEN, (name) => name.endsWith(".ts"));
const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
try {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".ts"))) {
    const path = join(folder, `${name.slice(0, -".ts".length)}.jsonl`);
    if (existsSync(path)) {
      console.log(`kept    ${path}`);
      continue;
    }
    const mount = mkdtempSync(join(tmpdir(), "golden-"));
    try {
      writeFileSync(path, await recordGolden(sandbox, readFileSync(join(folder, name), "utf8"), mount));
      console.log(`written ${path}`);
    } finally {
      rmSync(mount, { recursive: true });
    }
  }
  writeFileSync(join(folder, "SHA256SUMS"), sumFiles(folder));
} finally {
  await sandbox.close();
}
