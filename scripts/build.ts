/**
 * `npm run build`: makes `dist/`, because Node strips no types below `node_modules`
 * (ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING): declarations by tsc, the entries bundled with what they share in chunks,
 * and the programs that are started by path, each whole.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { readBundle as childText } from "../sandbox/compile/bundle-child.ts";
import { findBuiltProgram, stopEsbuild } from "../sandbox/compile/bundle-service.ts";
import { bundleProgram as bundlerText } from "../sandbox/compile/bundler/files.ts";
import { bundleProgram as sqliteText } from "../src/adapters/script-io/sqlite-process.ts";

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
    "src/adapters/catalog/catalog-check-program": "src/adapters/catalog/catalog-check-program.ts",
  },
];

/** Texts of the programs that run in processes of their own, by the file of their source. */
const PROGRAMS = {
  "sandbox/child/child.ts": childText,
  "sandbox/compile/bundler/program.ts": bundlerText,
  "src/adapters/script-io/sqlite-query-process.ts": sqliteText,
};

/** Loaded from their own packages: native, large and rarely needed, or shared with the embedder. */
const EXTERNAL = [
  "@inquirer/prompts",
  "better-sqlite3",
  "esbuild",
  "isolated-vm",
  "log-update",
  "node-gyp-build",
  "pino",
  "undici",
  "ws",
  "xstate",
];

/**
 * Files find their neighbours by `import.meta.url`, but a chunk lies elsewhere than its sources: each source keeps the
 * place it would have if it were compiled alone. Every chunk lies in `dist/chunks`.
 */
const ownPlace: Plugin = {
  name: "own-place",
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|sandbox|machines)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("import.meta.url")) return { contents: text, loader: "ts" };
      const place = relative(process.cwd(), path).replace(/\.ts$/, ".js");
      const lines = [
        'import { pathToFileURL as toOwnUrl } from "node:url";',
        'import { join as joinOwn } from "node:path";',
        `const ownUrl = toOwnUrl(joinOwn(import.meta.dirname, "..", ${JSON.stringify(place)})).href;`,
      ];
      return { contents: `${lines.join("\n")}\n${text}`, loader: "ts" };
    });
  },
};

/** Of zod's fifty languages only its own is carried. */
const oneLanguage: Plugin = {
  name: "one-language",
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

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
const { status } = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
copyFileSync("sandbox/hook-api.d.ts", "dist/sandbox/hook-api.d.ts");
cpSync("scripts/demo/catalog", "dist/scripts/demo/catalog", { recursive: true });
const bundled = ENTRIES.map((entryPoints) =>
  build({
    entryPoints,
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    external: EXTERNAL,
    metafile: true,
    define: { "import.meta.url": "ownUrl" },
    plugins: [ownPlace, oneLanguage],
    logLevel: "warning",
  }),
);
const inputs = (await Promise.all(bundled)).flatMap(({ metafile }) => Object.keys(metafile.inputs));
chmodSync("dist/src/cli/bin.js", 0o755);
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", readLicenses(inputs));
for (const [source, bundle] of Object.entries(PROGRAMS)) {
  const file = join("dist", findBuiltProgram(source));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await bundle());
}
await stopEsbuild();
