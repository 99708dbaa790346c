/**
 * `npm run build`: compiles to `dist/`, because Node strips no types below `node_modules`
 * (ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING).
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
copyFileSync("sandbox/hook-api.d.ts", "dist/sandbox/hook-api.d.ts");
cpSync("scripts/demo/catalog", "dist/scripts/demo/catalog", { recursive: true });
chmodSync("dist/src/cli/bin.js", 0o755);
