/** A reporter of vitest for `npm test`: it prints what was checked before the other reporters print what has failed. */
import type { Reporter } from "vitest/node";
import { describeFrameCounts } from "./frame-counts.ts";

export default class FrameReporter implements Reporter {
  onTestRunEnd(): void {
    const folder = process.env["SLIPWAY_FRAME_COUNTS"];
    if (folder === undefined) return;
    process.stdout.write(`\n== frames held against the host's schemas\n${describeFrameCounts(folder)}\n`);
  }
}
