/**
 * The content of a folder of built programs: entries bundled with what they share, and programs started by their path.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type OutputFile, type Plugin } from "esbuild";
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

/** Stands for `outdir` in an output file, until its own place is known. */
const OUTDIR = "SLIPWAY_OUTDIR";
/** Names a source's own place: what `import.meta` says of it in a bundle is the place of the output file. */
const OWN_PLACE = {
  "import.meta.url": "ownUrl",
  "import.meta.dirname": "ownFolder",
  "import.meta.filename": "ownFile",
};

/**
 * Lets each source keep the place below `outdir` that it would have if it were compiled alone: sources find their
 * neighbours by `import.meta`, and esbuild puts one into an entry or into a chunk as it likes.
 */
const keepPlaces: Plugin = {
  name: "own-place",
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|sandbox|machines)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes("import.meta.")) return { contents: text, loader: "ts" };
      const place = relative(ROOT, path).replace(/\.ts$/, ".js");
      const lines = [
        'import { pathToFileURL as toOwnUrl } from "node:url";',
        'import { dirname as toOwnFolder, join as joinOwn } from "node:path";',
        `const ownFile = joinOwn(${OUTDIR}, ${JSON.stringify(place)});`,
        "const ownFolder = toOwnFolder(ownFile);",
        "const ownUrl = toOwnUrl(ownFile).href;",
      ];
      return { contents: text.replace(/^(?:#!.*\n)?/, (first) => `${first}${lines.join("\n")}\n`), loader: "ts" };
    });
  },
};

/** The text of an output file with `outdir` found from the file's own folder. */
function placeOutput(outdir: string, { path, text }: OutputFile): string {
  const up = JSON.stringify(relative(dirname(path), resolve(ROOT, outdir)));
  return text.replaceAll(OUTDIR, `import.meta.dirname, ${up}`);
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

/** Bundles entries, by their places below `outdir`, with what they share in `outdir/chunks`; gives the files it read. */
export async function bundleEntries(
  outdir: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { metafile, outputFiles } = await build({
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
    write: false,
    define: OWN_PLACE,
    plugins: [keepPlaces, oneLanguage],
    logLevel: "warning",
  });
  for (const output of outputFiles) {
    mkdirSync(dirname(output.path), { recursive: true });
    writeFileSync(output.path, placeOutput(outdir, output));
  }
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
