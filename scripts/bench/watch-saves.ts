/** How long `slipway check --watch` takes from a save to its report. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));

/** Ms of each of so many saves of one script at levels 1 and 2, in a catalog that is watched with all its apps. */
export async function measureSaves(catalog: string, script: string, saves: number): Promise<number[]> {
  const args = [BIN, "check", "--catalog", catalog, "--watch", "--level", "2", "--format", "json"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const untilSummary = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await lines.next();
      if (done) throw new Error("the watch ended");
      if (value.startsWith('{"summary"')) return;
    }
  };
  try {
    await untilSummary();
    const took: number[] = [];
    for (let save = 0; save < saves; save += 1) {
      const path = join(catalog, script);
      writeFileSync(`${catalog}.saved`, `${readFileSync(path, "utf8")}\n`);
      const since = performance.now();
      renameSync(`${catalog}.saved`, path);
      await untilSummary();
      took.push(performance.now() - since);
    }
    return took;
  } finally {
    child.kill("SIGINT");
    await once(child, "exit");
  }
}
