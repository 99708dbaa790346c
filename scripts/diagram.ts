/** Writes README's machine section from the machines; with `--check` only compares and exits 1 when it differs. */
import { readFileSync, writeFileSync } from "node:fs";
import { machines } from "../machines/index.ts";
import { drawMachine } from "../src/engine/diagram.ts";

const BEGIN = "<!-- machines -->\n";
const END = "<!-- /machines -->";

const file = new URL("../README.md", import.meta.url);
const readme = readFileSync(file, "utf8");
const [before, rest] = readme.split(BEGIN);
const after = rest?.slice(rest.indexOf(END));
if (before === undefined || after === undefined || !after.startsWith(END)) {
  throw new Error(`README.md has no place between ${BEGIN.trim()} and ${END}`);
}
const sections = Object.values(machines).map(
  ({ id, version, machine }) =>
    `<details><summary><code>${id}</code>, version ${version}</summary>\n\n\`\`\`mermaid\n${drawMachine(machine)}\n\`\`\`\n\n</details>\n`,
);
const text = `${before}${BEGIN}\n${sections.join("\n")}\n${after}`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (text !== readme) {
  process.stderr.write("README.md's machine section is out of date: run npm run diagram\n");
  process.exitCode = 1;
}
