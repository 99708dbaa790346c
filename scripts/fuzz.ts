/**
 * `npm run fuzz [-- --minutes N --seed N]`: every fuzz of `test/security/` and of a hook's journal, one after the other, N
 * minutes together (60). Exit 1 where one found something.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { z } from "zod";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const CHOSEN = ["test/security", "test/sandbox/journal", "--testNamePattern", "fuzz: "];

const listed = spawnSync("vitest", ["list", "--json", "--no-static-parse", ...CHOSEN], { encoding: "utf8" });
const fuzzes = z.array(z.object({ name: z.string() })).parse(JSON.parse(listed.stdout));
const each = Math.floor((Number(values.minutes) * 60_000) / fuzzes.length);
console.log(`${fuzzes.length} fuzzes, ${each} ms each, seed ${values.seed}`);
const played = spawnSync("vitest", ["run", "--no-file-parallelism", ...CHOSEN], {
  stdio: "inherit",
  env: { ...process.env, FUZZ_MS: String(each), FUZZ_SEED: values.seed },
});
process.exitCode = played.status === 0 ? 0 : 1;
