// Preloaded into the child processes of tests: writes the frames of their stand-ins to a folder, one JSON a line, at once:
// a killed process loses none.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, existsSync } from "node:fs";

const folder = process.env["SLIPWAY_FRAMES"];
if (folder !== undefined) {
  subscribe("slipway:standin:frame", (frame) => {
    // A stand-in may outlive the test file that started it.
    if (existsSync(folder)) appendFileSync(`${folder}/${process.pid}.jsonl`, `${JSON.stringify(frame)}\n`);
  });
}
