/**
 * `npm run test:soak [-- --seed N --random N --scenario NAME --point NAME]`: the whole crash matrix, every passing of every named
 * point and 200 random moments per lifecycle. Prints the seed, every fault and the matrix; exit 1 where a run did not end
 * as the uncrashed one.
 */
import { parseArgs } from "node:util";
import { matrixTable, runMatrix } from "../test/crash/run-matrix.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    random: { type: "string", default: "200" },
    scenario: { type: "string", multiple: true },
    point: { type: "string", multiple: true },
  },
});
const matrix = await runMatrix({
  seed: Number(values.seed),
  random: Number(values.random),
  ...(values.scenario !== undefined && { scenarios: values.scenario }),
  ...(values.point !== undefined && { points: values.point }),
});
console.log(matrixTable(matrix));
process.exitCode = matrix.faults === 0 ? 0 : 1;
