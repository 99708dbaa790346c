/** Before the packages beside it compile anything: an install on a Node that can't run Slipway ends with one line. */
import { existsSync } from "node:fs";

// A checkout brings a Node of its own, and is not built yet.
if (!existsSync(new URL("../src/index.ts", import.meta.url))) {
  const { refuseNode } = await import("../dist/src/cli/supported-node.js");
  const refusal = refuseNode(process.versions.node);
  if (refusal !== null) {
    console.error(refusal);
    process.exit(1);
  }
}
