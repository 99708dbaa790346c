/**
 * `npm run record:database [-- RELEASE]`: has this build write the database a release is kept by, as
 * test/fixtures/databases/RELEASE; default: the package's version. A new release begins with the catalog of the last one; a
 * database that is there is never touched.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createSandbox } from "../sandbox/sandbox.ts";
import { createScriptIo } from "../src/adapters/script-io/script-io.ts";
import { DATABASES, recordDatabase } from "../test/engine/releases/kept-database.ts";

const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
const release = process.argv[2] ?? version;
const folder = join(DATABASES, release);
if (!existsSync(folder)) {
  const last = readdirSync(DATABASES)
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1);
  mkdirSync(folder);
  if (last !== undefined) cpSync(join(DATABASES, last, "catalog"), join(folder, "catalog"), { recursive: true });
}
if (existsSync(join(folder, "slipway.db"))) console.log(`kept    ${folder}`);
else {
  const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
  try {
    await recordDatabase(folder, sandbox);
    console.log(`written ${folder}`);
  } finally {
    await sandbox.close();
  }
}
