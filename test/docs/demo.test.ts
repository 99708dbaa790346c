import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readPart } from "../../scripts/documents/document-part.ts";
import { codeBlock } from "../support/document.ts";

/** Process ids, addresses and folders differ from run to run. */
function stable(text: string): readonly string[] {
  return text
    .replace(/process \d+/g, "process N")
    .replace(/127(\.\d+){3}:\d+/g, "ADDRESS")
    .replace(/\/tmp\/\S+/g, "FOLDER")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

it("the demo prints what the README shows, line after line", async () => {
  const { stdout } = await promisify(execFile)("npm", ["run", "-s", "demo"], { maxBuffer: 10_000_000 });
  const printed = stable(stdout);
  let at = 0;
  for (const line of stable(codeBlock(readPart({ file: "README.md", name: "demo" })))) {
    const found = printed.indexOf(line, at);
    expect(found, `"${line}" is not printed after line ${at} of:\n${printed.join("\n")}`).toBeGreaterThanOrEqual(0);
    at = found + 1;
  }
});
