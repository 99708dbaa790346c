#!/usr/bin/env node
/** The program `slipway`. Imports next to nothing by itself, so that a Node it can't run on reads as far as the refusal. */
import { refuseNode } from "./supported-node.ts";

const refusal = refuseNode(process.versions.node);

if (refusal === null) {
  const { enableCompileCache } = await import("node:module");
  // Beside the code, not in a folder for all users: who can write there could change the code itself.
  enableCompileCache(`${import.meta.dirname}/../../compile-cache`);
  const { runProcess } = await import("./run-process.ts");
  await runProcess();
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 2;
}
