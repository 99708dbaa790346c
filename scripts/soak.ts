/**
 * `npm run test:soak [-- --seed N --random N --hook-kills N --scenario NAME --point NAME --fuzz-minutes N]`: the whole crash
 * matrix, every passing of every named point, 200 random moments per lifecycle and 2,000 kills at random moments of hooks
 * (`--scenario hooks`: these alone), then an hour of the fuzzes of `test/security/` (`--fuzz-minutes 0`: none). Prints the
 * seed, every fault and the matrix; exit 1 where a run did not end as the uncrashed one, or a fuzz found something.
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
const isFuzzed = Number(values["fuzz-minutes"]) === 0 || fuzz(values["fuzz-minutes"], values.seed);
process.exitCode = matrix.faults === 0 && isFuzzed ? 0 : 1;

/** Answers false where a fuzz found something. */
function fuzz(minutes: string, seed: string): boolean {
  const args = ["scripts/fuzz.ts", "--minutes", minutes, "--seed", seed];
  return spawnSync(process.execPath, args, { stdio: "inherit" }).status === 0;
}
