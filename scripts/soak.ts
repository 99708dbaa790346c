/**
 * `npm run test:soak [-- --seed N --random N --hook-kills N --scenario NAME --point NAME --fuzz-minutes N]`: the whole crash
 * matrix, every passing of every named point, 200 random moments per lifecycle and 2,000 kills at random moments of hooks
 * (`--scenario hooks`: these alone), then an hour of the fuzzes of `test/security/`. Prints the seed, every fault and the
 * matrix; exit 1 where a run did not end as the uncrashed one, or a fuzz found something.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { matrixTable, runMatrix } from "../test/crash/run-matrix.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    random: { type: "string", default: "200" },
    "hook-kills": { type: "string", default: "2000" },
    scenario: { type: "string", multiple: true },
    point: { type: "string", multiple: true },
    "fuzz-minutes": { type: "string", default: "60" },
  },
});
const matrix = await runMatrix({
  seed: Number(values.seed),
  random: Number(values.random),
  hookKills: Number(values["hook-kills"]),
  ...(values.scenario !== undefined && { scenarios: values.scenario }),
  ...(values.point !== undefined && { points: values.point }),
});
console.log(matrixTable(matrix));
const fuzzed = spawnSync(
  process.execPath,
  ["scripts/fuzz.ts", "--minutes", values["fuzz-minutes"], "--seed", values.seed],
  { stdio: "inherit" },
);
process.exitCode = matrix.faults === 0 && fuzzed.status === 0 ? 0 : 1;
