/**
 * `npm run build`: makes `dist/`, because Node strips no types below `node_modules`
 * (ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING): declarations by tsc, the entries bundled with what they share in chunks,
 * and the programs that are started by path, each whole.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stopEsbuild } from "../sandbox/compile/bundle-service.ts";
import { bundleEntries, COPIED_TYPES, STARTED, writePrograms } from "./build/bundle.ts";
import { buildWeb } from "./build/web.ts";

/**
 * Entries of the package and the programs it starts by their files, by their place in `dist`. Library and command are
 * bundled apart: what the commands share among each other would cut the library into many small files to load.
 */
const ENTRIES = [
  {
    "src/index": "src/index.ts",
    "src/http/index": "src/http/index.ts",
    "src/standin/index": "src/standin/index.ts",
    "src/contract/index": "src/contract/index.ts",
  },
  {
    "src/cli/bin": "src/cli/bin.ts",
    "src/cli/supported-node": "src/cli/supported-node.ts",
    ...Object.fromEntries(STARTED.map((place) => [place, `${place}.ts`])),
  },
];

/** The license texts of the packages whose files were bundled, as their licenses ask. */
function readLicenses(files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = [...folders].sort().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    // One that carries no text of its own is named with its license.
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8");
    return `${folder.slice("node_modules/".length)}\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

rmSync("dist", { recursive: true, force: true });
for (const project of ["tsconfig.build.json", "src/web/tsconfig.build.json"]) {
  const { status } = spawnSync("tsc", ["-p", project], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
for (const types of COPIED_TYPES) cpSync(types, join("dist", types));
cpSync("scripts/demo/catalog", "dist/scripts/demo/catalog", { recursive: true });
const bundled = await Promise.all([...ENTRIES.map((entries) => bundleEntries("dist", entries)), buildWeb("dist/web")]);
const inputs = bundled.flat();
chmodSync("dist/src/cli/bin.js", 0o755);
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", readLicenses(inputs));
await writePrograms("dist");
await stopEsbuild();
