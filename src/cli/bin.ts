#!/usr/bin/env node
/** The program `slipway`. Imports nothing by itself, so that a Node it can't run on reads as far as the line that says so. */

const SUPPORTED = [24, 26];
const major = Number(process.versions.node.split(".")[0]);

if (SUPPORTED.includes(major)) {
  const { enableCompileCache } = await import("node:module");
  // Beside the code, not in a folder for all users: who can write there could change the code itself.
  enableCompileCache(`${import.meta.dirname}/../../compile-cache`);
  const { runProcess } = await import("./run-process.ts");
  await runProcess();
} else {
  process.stderr.write(`slipway needs Node ${SUPPORTED.join(" or ")}, this is ${process.version}\n`);
  process.exitCode = 2;
}
