/**
 * `npm run record:database [-- RELEASE]`: has this build write the database a release is kept by, as
 * test/fixtures/databases/RELEASE; default: the package's version. A new release begins with the catalog of the last one; a
 * database that is there is never touched.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../sandbox/sandbox.ts";
import { createScriptIo } from "../src/adapters/script-io/script-io.ts";
import { DATABASES, recordDatabase } from "../test/engine/releases/kept-database.ts";
import { findReleaseFolder } from "./release-folder.ts";

const folder = findReleaseFolder(DATABASES, (name) => name === "catalog");
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
