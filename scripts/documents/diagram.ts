/** Writes docs/machines.md's diagrams from the machines; with `--check` only compares and exits 1 when they differ. */
import { machines } from "../../machines/index.ts";
import { drawMachine } from "../../src/engine/replay/diagram.ts";
import { isPartCurrent, writePart } from "./document-part.ts";

const PART = { file: "docs/machines.md", name: "machines" } as const;

const sections = Object.values(machines).map(
  ({ id, version, machine }) => `## ${id}, version ${version}\n\n\`\`\`mermaid\n${drawMachine(machine)}\n\`\`\`\n`,
);
const text = sections.join("\n");

if (!process.argv.includes("--check")) {
  writePart(PART, text);
} else if (!isPartCurrent(PART, text)) {
  process.stderr.write(`${PART.file} is out of date: run npm run diagram\n`);
  process.exitCode = 1;
}
