import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";

const Listed = z.array(z.object({ name: z.string(), file: z.string() }));

/**
 * The titles of each file's tests, each behind what it stands under, joined by " > "; the files are loaded, not run. Takes
 * about a minute. Throws if a file can't be loaded.
 */
export function listTitles(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-titles-"));
  try {
    const list = join(folder, "tests.json");
    // Rows of tables have their titles only once the file was loaded.
    // One process loads them all: what they share is loaded once.
    const args = ["vitest", "list", `--json=${list}`, "--no-static-parse", "--no-isolate", "--maxWorkers=1", ...files];
    const { status, stderr } = spawnSync("npx", ["--no-install", ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the tests can't be listed: ${stderr}`);
    const tests = Listed.parse(JSON.parse(readFileSync(list, "utf8")));
    const byFile = Map.groupBy(tests, ({ file }) => relative(process.cwd(), file));
    return new Map([...byFile].map(([file, listed]) => [file, listed.map(({ name }) => name)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
