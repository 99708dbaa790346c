/** Bounds of time are written for one machine; others, and those that share their cores, get in proportion more. */
import { execFileSync } from "node:child_process";

/** CPU time, ms, in which an empty Node starts on the machine the bounds are written for. */
const START_CPU_MS = 40;
const STARTS = 3;
const PROGRAM = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)";

/** How many times slower this machine computes, at least 1: measured when a test file loads. */
export const SLOWNESS = measureSlowness();

function measureSlowness(): number {
  const times = Array.from({ length: STARTS }, () =>
    Number(execFileSync(process.execPath, ["--eval", PROGRAM], { encoding: "utf8" })),
  );
  return Math.max(1, Math.min(...times) / START_CPU_MS);
}
