/** Writes src/core/script/script.schema.json from the schemas; with `--check` only compares and exits 1 when it differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { buildScriptJsonSchema } from "../../src/core/script/script-json-schema.ts";

const file = new URL("../../src/core/script/script.schema.json", import.meta.url);
const text = `${JSON.stringify(buildScriptJsonSchema(), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  process.stderr.write("src/core/script/script.schema.json is out of date: run npm run schema\n");
  process.exitCode = 1;
}
