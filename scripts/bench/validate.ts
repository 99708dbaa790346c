/**
 * Bench of validation against `JSON.parse` of the same text in the same run (interleaved blocks, medians).
 *
 * `npm run bench:validate [-- --quick]`. Growth is measured in a process of its own for each size, so that the peak
 * memory belongs to it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openCatalogDirectory } from "../../src/adapters/catalog-directory.ts";
import { createScriptCheck } from "../../src/adapters/script-check.ts";
import { parseDictionary } from "../../src/core/parse-dictionary.ts";

const CATALOG = new URL("../../../shared/catalog/", import.meta.url).pathname;
const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 50 : 200;

interface Script {
  readonly appId: string;
  readonly text: string;
}

function realScripts(): readonly Script[] {
  if (!existsSync(CATALOG)) throw new Error(`the bench needs the real scripts in ${CATALOG}`);
  return readdirSync(CATALOG)
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ appId: file.replace(/\.json$/, ""), text: readFileSync(join(CATALOG, file), "utf8") }));
}

/** Median microseconds of a block of each function, run in turn so that other load meets all alike. */
function interleaved(blocks: readonly (() => void)[], rounds: number): readonly number[] {
  const times: number[][] = blocks.map(() => []);
  const warmUp = Math.min(rounds, 100);
  for (let round = 0; round < rounds + warmUp; round += 1) {
    for (const [index, block] of blocks.entries()) {
      const start = process.hrtime.bigint();
      block();
      // The first rounds warm the compiler up.
      if (round >= warmUp) times[index]?.push(Number(process.hrtime.bigint() - start) / 1_000);
    }
  }
  return times.map(median);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function compare(name: string, scripts: readonly Script[], rounds: number): Record<string, string> {
  const [bare = Number.NaN, parsed = Number.NaN] = interleaved(
    [
      () => parseAll(scripts),
      () => {
        for (const script of scripts) parseDictionary(script);
      },
    ],
    rounds,
  );
  return row(name, bare, parsed);
}

function parseAll(scripts: readonly Script[]): void {
  for (const { text } of scripts) JSON.parse(text);
}

function row(name: string, bare: number, measured: number): Record<string, string> {
  return { what: name, "JSON.parse": micros(bare), measured: micros(measured), ratio: (measured / bare).toFixed(1) };
}

function micros(value: number): string {
  return value >= 10_000 ? `${(value / 1_000).toFixed(1)} ms` : `${value.toFixed(0)} us`;
}

/** A valid script of about two megabytes: a real one with many app values, macros among them. */
function largeScript({ appId, text }: Script): Script {
  const script = JSON.parse(text);
  const values = Array.from({ length: 17_000 }, (_, index) => ({
    name: `VARIABLE_${index}`,
    value:
      index % 10 === 0
        ? "http://$SERVER_LAN_IP:8080/with/some/path"
        : "a plain value without anything in it, as most are",
    enabled: index % 2 === 0,
  }));
  return { appId, text: JSON.stringify({ ...script, app_values: { ...script.app_values, bench: values } }) };
}

async function typescriptRows(scripts: readonly Script[]): Promise<Record<string, string>[]> {
  const values = scripts.map(({ text }) => JSON.parse(text));
  const [bare = Number.NaN] = interleaved([() => parseAll(scripts)], ROUNDS);
  const timed = async (check: ReturnType<typeof createScriptCheck>): Promise<number> => {
    const start = process.hrtime.bigint();
    for (const value of values) await check(value);
    return Number(process.hrtime.bigint() - start) / 1_000;
  };
  // esbuild's service is started by the first transform of the process.
  await timed(createScriptCheck(CATALOG));
  const cold: number[] = [];
  const cached: number[] = [];
  for (let round = 0; round < (quick ? 5 : 30); round += 1) {
    const check = createScriptCheck(CATALOG);
    cold.push(await timed(check));
    cached.push(await timed(check));
  }
  return [
    row(`TypeScript checks of the ${scripts.length} scripts, new`, bare, median(cold)),
    row(`TypeScript checks of the ${scripts.length} scripts, cached`, bare, median(cached)),
  ];
}

/** Measures one catalog in this process: called by `growth` in a child. */
async function measureCatalog(directory: string): Promise<void> {
  const start = process.hrtime.bigint();
  const catalog = await openCatalogDirectory(directory);
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ apps: catalog.entries().length, ms, peakMb }));
}

function growth(scripts: readonly Script[]): Record<string, string>[] {
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
  return measured.map(({ apps, ms, peakMb }) => ({
    scripts: String(apps),
    time: `${ms.toFixed(0)} ms`,
    "peak memory": `${peakMb.toFixed(0)} MB`,
    "time against the first": (ms / (small?.ms ?? ms)).toFixed(1),
  }));
}

const at = process.argv.indexOf("--catalog");
if (at !== -1) {
  await measureCatalog(process.argv[at + 1] ?? "");
} else {
  const scripts = realScripts();
  const valid = scripts.filter((script) => parseDictionary(script).problems.length === 0);
  const [largest] = valid.toSorted((a, b) => b.text.length - a.text.length);
  if (largest === undefined) throw new Error("no script of the catalog is valid");
  const large = largeScript(largest);
  process.stdout.write(
    `Validation on ${cpus()[0]?.model ?? "?"}, Node ${process.version}; medians of ${ROUNDS} rounds\n`,
  );
  console.table([
    compare(`parse and validate, ${valid.length} valid scripts`, valid, ROUNDS),
    compare(
      `parse and validate, ${largest.appId} (${(largest.text.length / 1_000).toFixed(0)} KB)`,
      [largest],
      ROUNDS * 10,
    ),
    compare(`parse, validate and locate, all ${scripts.length} scripts`, scripts, ROUNDS),
    compare(`parse and validate, ${(large.text.length / 1e6).toFixed(1)} MB script`, [large], quick ? 5 : 30),
    ...(await typescriptRows(scripts)),
  ]);
  if (!process.argv.includes("--no-growth")) console.table(growth(scripts));
}
