/**
 * The content of a folder of built programs: entries bundled with what they share, and programs started by their path.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { readBundle as childText } from "../../sandbox/compile/bundle-child.ts";
import { findBuiltProgram } from "../../sandbox/compile/bundle-service.ts";
import { bundleProgram as bundlerText } from "../../sandbox/compile/bundler/files.ts";
import { bundleProgram as sqliteText } from "../../src/adapters/script-io/sqlite-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Texts of the programs that run in processes of their own, by the file of their source. */
const PROGRAMS = {
  "sandbox/child/child.ts": childText,
  "sandbox/compile/bundler/program.ts": bundlerText,
  "src/adapters/script-io/sqlite-query-process.ts": sqliteText,
};

/** Types that authors copy. */
export const COPIED_TYPES = ["sandbox/hook-api.d.ts", "src/check/scenarios/check-api.d.ts"] as const;

/** Programs that are started by their file with all of the package beside them. */
export const STARTED = [
  "src/adapters/catalog/file-check/catalog-check-program",
  "src/adapters/store-sqlite/backup/check-copy-program",
];

/** Loaded from their own packages: native, large and rarely needed, or shared with the embedder. */
const EXTERNAL = [
  "@inquirer/prompts",
  "@opentelemetry/exporter-prometheus",
  "@opentelemetry/sdk-metrics",
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
 * place below `folder`, an expression, that it would have if it were compiled alone.
 */
function keepPlaces(folder: string): Plugin {
  return {
    name: "own-place",
    setup({ onLoad }) {
      onLoad({ filter: /\/(src|sandbox|machines)\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        if (!text.includes("import.meta.url")) return { contents: text, loader: "ts" };
        const place = relative(ROOT, path).replace(/\.ts$/, ".js");
        const lines = [
          'import { pathToFileURL as toOwnUrl } from "node:url";',
          'import { join as joinOwn } from "node:path";',
          `const ownUrl = toOwnUrl(joinOwn(${folder}, ${JSON.stringify(place)})).href;`,
        ];
        return { contents: `${lines.join("\n")}\n${text}`, loader: "ts" };
      });
    },
  };
}

/** Of zod's fifty languages only its own is carried. */
const oneLanguage: Plugin = {
  name: "one-language",
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

/**
 * Bundles entries, by their places below `outdir`, with what they share in `outdir/chunks`; gives the files it read.
 * `folder` is the expression of `outdir` in a chunk.
 */
export async function bundleEntries(
  outdir: string,
  entryPoints: Readonly<Record<string, string>>,
  folder = 'import.meta.dirname, ".."',
): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: { ...entryPoints },
    absWorkingDir: ROOT,
    outdir,
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
    plugins: [keepPlaces(folder), oneLanguage],
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

/** Writes the programs that run in processes of their own to their places below `outdir`. */
export async function writePrograms(outdir: string): Promise<void> {
  for (const [source, bundle] of Object.entries(PROGRAMS)) {
    const file = join(outdir, findBuiltProgram(source));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await bundle());
  }
}
