/**
 * Writes docs/specification.md from the rules in test/specification. With `--check` only compares and exits 1 if it
 * differs. A rule without a test exits 1 in both cases.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Rule, Section } from "../../test/specification/rule.ts";
import { SECTIONS } from "../../test/specification/rules/sections.ts";

const FILE = "docs/specification.md";
const PLACE = new URL(`../../${FILE}`, import.meta.url);

const INTRODUCTION = `# Specification

Every rule of the format's specification, by section and row, with the test that holds it. A row is a field of a table or a
number of a table or list; "text" is a sentence outside of them. \`npm run generate\` writes this page from
\`test/specification\`: it refuses a rule without a test. What the specification leaves open is in
[choices.md](choices.md) and [decisions.md](decisions.md).`;

function renderSection({ title, rules }: Section): string {
  return [`## ${title}`, "", "| Row | Rule | Test |", "|---|---|---|", ...rules.map(renderRule)].join("\n");
}

function renderRule([row, rule, test]: Rule): string {
  const held = test === null ? "" : `\`${test.file}\`: ${escapeCell(test.title)}`;
  return `| ${escapeCell(row)} | ${escapeCell(rule)} | ${held} |`;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

const count = SECTIONS.reduce((sum, { rules }) => sum + rules.length, 0);
const text = `${[INTRODUCTION, `${count} rules.`, ...SECTIONS.map(renderSection)].join("\n\n")}\n`;

const empty = SECTIONS.flatMap(({ title, rules }) =>
  rules.filter(([, , test]) => test === null).map(([row, rule]) => `${title}, ${row}: ${rule}`),
);
for (const rule of empty) process.stderr.write(`${FILE}: no test holds the rule "${rule}"\n`);
if (empty.length > 0) process.exitCode = 1;

if (!process.argv.includes("--check")) writeFileSync(PLACE, text);
else if (!existsSync(PLACE) || readFileSync(PLACE, "utf8") !== text) {
  process.stderr.write(`${FILE} is out of date: run npm run generate\n`);
  process.exitCode = 1;
}
