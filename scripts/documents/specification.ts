/**
 * Writes the tables of docs/specification.md from the rules in test/specification. With `--check` only compares and exits 1
 * if they differ. A rule without a test exits 1 in both cases.
 */
import type { Rule, Section } from "../../test/specification/rule.ts";
import { SECTIONS } from "../../test/specification/rules/sections.ts";
import { escapeCell, isPartCurrent, writePart } from "./document-part.ts";

const PART = { file: "docs/specification.md", name: "rules" };

function renderSection({ title, rules }: Section): string {
  return [`## ${title}`, "", "| Row | Rule | Test |", "|---|---|---|", ...rules.map(renderRule)].join("\n");
}

function renderRule([row, rule, test]: Rule): string {
  const held = test === null ? "" : `\`${test.file}\`: ${escapeCell(test.title)}`;
  return `| ${escapeCell(row)} | ${escapeCell(rule)} | ${held} |`;
}

const count = SECTIONS.reduce((sum, { rules }) => sum + rules.length, 0);
const text = `\n${[`${count} rules.`, ...SECTIONS.map(renderSection)].join("\n\n")}\n`;

const empty = SECTIONS.flatMap(({ title, rules }) =>
  rules.filter(([, , test]) => test === null).map(([row, rule]) => `${title}, ${row}: ${rule}`),
);
for (const rule of empty) process.stderr.write(`${PART.file}: no test holds the rule "${rule}"\n`);
if (empty.length > 0) process.exitCode = 1;

if (!process.argv.includes("--check")) writePart(PART, text);
else if (!isPartCurrent(PART, text)) {
  process.stderr.write(`${PART.file} is out of date: run npm run generate\n`);
  process.exitCode = 1;
}
