/** Before the packages beside it compile anything: an install on a Node that can't run Slipway ends with one line. */
import { existsSync } from "node:fs";

const [major] = process.versions.node.split(".");
// A checkout brings a Node of its own.
const isCheckout = existsSync(new URL("../src/index.ts", import.meta.url));
if (!isCheckout && major !== "24" && major !== "26") {
  console.error(`slipway needs Node 24 or 26, this is ${process.version}`);
  process.exit(1);
}
