/**
 * Bench of validation against `JSON.parse` of the same text in the same run (interleaved blocks, medians).
 *
 * `npm run bench:validate [-- --quick]`. Growth is measured in a process of its own for each size, so that the peak
 * memory belongs to it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAppSchemas } from "../../src/adapters/app-schemas/app-schemas.ts";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import { createScriptCheck } from "../../src/adapters/catalog/file-check/script-check.ts";
import { createSourceReader } from "../../src/adapters/catalog/script-source.ts";
import { validate } from "../../src/cli/workbench/validate-files.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { computeMedian, createRow, type Measured, measureInterleaved, measureMs, printTable } from "./measure.ts";

const CATALOG = new URL("../../../shared/catalog/", import.meta.url).pathname;
const SCHEMAS = new URL("../../../shared/app-schemas/all.json", import.meta.url).pathname;
const quick = process.argv.includes("--quick");
/** Short ones, so that other load interrupts few of them: a block is one round, or a few of a small script. */
const BLOCKS = quick ? 100 : 500;
/** Blocks of each candidate before the first that counts. */
const WARM_UP = quick ? 50 : 200;

interface Script {
  readonly appId: string;
  readonly text: string;
}

function readRealScripts(): readonly Script[] {
  if (!existsSync(CATALOG)) throw new Error(`the bench needs the real scripts in ${CATALOG}`);
  return readdirSync(CATALOG)
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ appId: file.replace(/\.json$/, ""), text: readFileSync(join(CATALOG, file), "utf8") }));
}

/** Rows of parsing and validating scripts against `JSON.parse` of the same texts. */
async function compare(
  name: string,
  scripts: readonly Script[],
  repeats: number,
  { blocks = BLOCKS, target }: { readonly blocks?: number; readonly target?: string } = {},
): Promise<Measured[]> {
  const parseBare = () => parseAll(scripts);
  const validate = () => scripts.forEach((script) => void parseDictionary(script));
  // The compiler warms up on both before anything counts.
  const warmUp = Math.min(WARM_UP, blocks) * repeats;
  measureUs(parseBare, warmUp);
  measureUs(validate, warmUp);
  const found = await measureInterleaved(blocks, {
    bare: () => measureUs(parseBare, repeats),
    validate: () => measureUs(validate, repeats),
  });
  const ratio = computeMedian(found.validate) / computeMedian(found.bare);
  return [
    createRow(`JSON.parse, ${name}`, found.bare, "us", { ratio: 1 }),
    createRow(
      `parse and validate, ${name}`,
      found.validate,
      "us",
      target === undefined ? { ratio } : { ratio, target },
    ),
  ];
}

function parseAll(scripts: readonly Script[]): void {
  for (const { text } of scripts) JSON.parse(text);
}

/** Microseconds of one of `repeats` calls. */
function measureUs(run: () => void, repeats: number): number {
  const start = performance.now();
  for (let count = 0; count < repeats; count += 1) run();
  return ((performance.now() - start) * 1_000) / repeats;
}

/** A valid script of about 900 KB: a real one with many app values, macros among them. */
function makeLargeScript({ appId, text }: Script): Script {
  const script = JSON.parse(text);
  const values = Array.from({ length: 7_500 }, (_, index) => ({
    name: `VARIABLE_${index}`,
    value:
      index % 10 === 0
        ? "http://$SERVER_LAN_IP:8080/with/some/path"
        : "a plain value without anything in it, as most are",
    enabled: index % 2 === 0,
  }));
  return { appId, text: JSON.stringify({ ...script, app_values: { ...script.app_values, bench: values } }) };
}

async function measureTypeScript(scripts: readonly Script[]): Promise<Measured[]> {
  const values = scripts.map(({ text }) => JSON.parse(text));
  const checkAll = async (check: ReturnType<typeof createScriptCheck>): Promise<void> => {
    for (const value of values) await check(value);
  };
  const reader = createSourceReader();
  const kept = createScriptCheck(CATALOG, reader.read);
  const checkNew = async (): Promise<void> => {
    const fresh = createSourceReader();
    await checkAll(createScriptCheck(CATALOG, fresh.read));
    await fresh.rest();
  };
  const found = await measureInterleaved(quick ? 5 : 30, {
    bare: () => measureUs(() => parseAll(scripts), 10),
    cold: async () => (await measureMs(checkNew)) * 1_000,
    cached: async () => (await measureMs(() => checkAll(kept))) * 1_000,
  });
  const compareToBare = (values: readonly number[]) => ({ ratio: computeMedian(values) / computeMedian(found.bare) });
  return [
    createRow("JSON.parse", found.bare, "us", { ratio: 1 }),
    createRow("TypeScript checks, new", found.cold, "us", compareToBare(found.cold)),
    createRow("TypeScript checks, cached by hash", found.cached, "us", compareToBare(found.cached)),
  ];
}

/** Time of the command over 1,000 scripts with schemas and without, in turns. */
async function measureSchemas(scripts: readonly Script[]): Promise<readonly Measured[]> {
  const directory = mkdtempSync(join(tmpdir(), "slipway-bench-"));
  const byApp = Array.from({ length: 1_000 }, (_, index) => scripts[index % scripts.length]);
  try {
    for (const [index, script] of byApp.entries()) {
      // one app in several files: the schema is found by what stands before the "@"
      if (script !== undefined) writeFileSync(join(directory, `${script.appId}@${index}.json`), script.text);
    }
    const found = await measureInterleaved(quick ? 3 : 7, {
      without: () => measureMs(() => validate([directory])),
      with: () => measureMs(async () => validate([directory], await openAppSchemas(SCHEMAS))),
    });
    const ratio = computeMedian(found.with) / computeMedian(found.without);
    return [
      createRow("1,000 scripts without --apps", found.without, "ms", { ratio: 1 }),
      createRow("1,000 scripts with --apps", found.with, "ms", { ratio, target: "at most 1.3" }),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Measures one catalog in this process: called by `growth` in a child. */
async function measureCatalog(directory: string): Promise<void> {
  const start = process.hrtime.bigint();
  const catalog = await openCatalogDirectory(directory);
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ apps: catalog.entries().length, ms, peakMb }));
}

/** Time and peak memory of catalogs of 1,000 and 10,000 scripts; a ratio of 10 is linear growth. */
function measureGrowth(scripts: readonly Script[]): readonly Measured[] {
  const measured = [1_000, 10_000].map((apps) => {
    const directory = mkdtempSync(join(tmpdir(), "slipway-bench-"));
    try {
      for (let index = 0; index < apps; index += 1) {
        const { text } = scripts[index % scripts.length] ?? { text: "" };
        writeFileSync(join(directory, `app-${index}.json`), text);
      }
      const output = execFileSync(process.execPath, [import.meta.filename, "--catalog", directory], {
        encoding: "utf8",
      });
      const result: { apps: number; ms: number; peakMb: number } = JSON.parse(output);
      return result;
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
  const [small] = measured;
  return measured.flatMap(({ apps, ms, peakMb }) => [
    createRow(`${apps} scripts, time`, [ms], "ms", {
      ratio: ms / (small?.ms ?? ms),
      target: "10 for ten times as many",
    }),
    createRow(`${apps} scripts, peak memory`, [peakMb], "MB", {
      ratio: peakMb / (small?.peakMb ?? peakMb),
      target: "at most 10",
    }),
  ]);
}

const at = process.argv.indexOf("--catalog");
if (at !== -1) {
  await measureCatalog(process.argv[at + 1] ?? "");
} else {
  const scripts = readRealScripts();
  const valid = scripts.filter((script) => parseDictionary(script).problems.length === 0);
  const [largest] = valid.toSorted((a, b) => b.text.length - a.text.length);
  if (largest === undefined) throw new Error("no script of the catalog is valid");
  const large = makeLargeScript(largest);
  printTable("Validation: structure, rules and macros", [
    ...(await compare(`${valid.length} valid scripts`, valid, 1, { target: "at most 8" })),
    ...(await compare(`${largest.appId} (${(largest.text.length / 1_000).toFixed(0)} KB)`, [largest], 5, {
      target: "at most 8",
    })),
    ...(await compare(`all ${scripts.length} scripts, problems located`, scripts, 1)),
    ...(await compare(`a ${(large.text.length / 1e6).toFixed(1)} MB script`, [large], 1, {
      blocks: quick ? 5 : 30,
      target: "at most 8",
    })),
  ]);
  printTable(`TypeScript of ${scripts.length} scripts`, await measureTypeScript(scripts));
  printTable("The command, the apps' own schemas included", await measureSchemas(scripts));
  if (!process.argv.includes("--no-growth")) printTable("A generated catalog", measureGrowth(scripts));
}
