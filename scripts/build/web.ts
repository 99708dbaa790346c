/**
 * The files of a browser: the page and the elements of `slipway/elements`, which share what they are made of. Chunks are
 * named by their content, so that a browser keeps them for ever; the entries keep their names, because the package and
 * the page find them by those.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type OutputFile } from "esbuild";
import { minify } from "rolldown/utils";
import { LAZY_GROUP, lazyGroups } from "./lazy-groups.ts";
import { packedWords } from "./packed-words.ts";
import { shrinkTemplates, smallStyles } from "./small-templates.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** What both minifiers may write. */
const LANGUAGE = "es2023";
const FONT = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";

/** Writes the files to a folder, which is made anew; gives the sources that went into them. */
export async function buildWeb(outdir: string): Promise<readonly string[]> {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(join(outdir, "assets"), { recursive: true });
  const { metafile, outputFiles } = await build({
    entryPoints: {
      "assets/page": "src/web/page.ts",
      "assets/elements": "src/web/elements.ts",
      "assets/stream-worker": "src/web/api/stream-worker.ts",
    },
    absWorkingDir: ROOT,
    outdir,
    chunkNames: "assets/[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: [LANGUAGE, "chrome123", "firefox120", "safari17.5"],
    conditions: ["production"],
    legalComments: "none",
    metafile: true,
    write: false,
    plugins: [lazyGroups(join(ROOT, "src/web")), packedWords, smallStyles],
    logLevel: "warning",
  });
  await Promise.all(outputFiles.map(writeSmall));
  copyFileSync(join(ROOT, FONT), join(outdir, "assets/inter.woff2"));
  for (const file of ["page.css", "icon.svg"]) copyFileSync(join(ROOT, "src/web", file), join(outdir, "assets", file));
  writeFileSync(join(outdir, "index.html"), readFileSync(join(ROOT, "src/web/index.html")));
  return Object.keys(metafile.inputs).filter((source) => !source.startsWith(`${LAZY_GROUP}:`));
}

/** Where a file names one beside it: other bundlers look for a plain string there. */
const NEIGHBOUR = /\b(import\(|new URL\()`(\.\/[\w.-]+)`/g;

/** Writes a file as it is after a second minifier, which finds what the first one leaves: a fiftieth, compressed. */
async function writeSmall({ path, text }: OutputFile): Promise<void> {
  const { code, errors } = await minify(path, text, { module: true, compress: { target: LANGUAGE } });
  if (errors.length > 0) throw new Error(`${path} can't be minified`, { cause: errors });
  await writeFile(path, shrinkTemplates(code).replaceAll(NEIGHBOUR, '$1"$2"'));
}
