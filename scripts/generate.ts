/**
 * Regenerates every generated file (`npm run generate`), or says which one is not what it would be (`--check`, part of
 * `npm test`).
 */
import { spawnSync } from "node:child_process";

const GENERATORS = [
  "schema",
  "diagram",
  "charts",
  "reference",
  "levels",
  "telemetry",
  "codes",
  "host-methods",
  "specification",
] as const;

const check = process.argv.includes("--check");
let stale = 0;
for (const script of GENERATORS) {
  const { status } = spawnSync(process.execPath, [`scripts/documents/${script}.ts`, ...(check ? ["--check"] : [])], {
    stdio: "inherit",
  });
  if (status === 0) continue;
  stale += 1;
  console.error(`${script}: ${check ? "would write something else: run npm run generate" : "failed"}`);
}
process.exitCode = stale === 0 ? 0 : 1;
