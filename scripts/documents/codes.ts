/**
 * Writes the tables of codes in docs/operating.md from the registry: what an owner or an embedder may see while an engine
 * runs. The rules for scripts stand in docs/install-scripts.md, what `slipway check` finds in docs/checking.md. With
 * `--check` only compares and exits 1 where it differs.
 */
import { ANSWER_CODES } from "../../src/core/codes/answer.ts";
import { CATALOG_CODES } from "../../src/core/codes/catalog.ts";
import { CLI_CODES } from "../../src/core/codes/cli.ts";
import { type Code, isCode } from "../../src/core/codes/code.ts";
import { explain } from "../../src/core/codes/codes.ts";
import { DRIFT_CODES } from "../../src/core/codes/drift.ts";
import { FILE_CODES } from "../../src/core/codes/file.ts";
import { HOST_CODES } from "../../src/core/codes/host.ts";
import { HTTP_CODES } from "../../src/core/codes/http.ts";
import { PAIRING_CODES } from "../../src/core/codes/pairing.ts";
import { PLAN_CODES } from "../../src/core/codes/plan.ts";
import { SANDBOX_CODES } from "../../src/core/codes/sandbox.ts";
import { STORE_CODES } from "../../src/core/codes/store.ts";
import { TASK_CODES } from "../../src/core/codes/task.ts";
import { escapeCell, isPartCurrent, writePart } from "./document-part.ts";

const PART = { file: "docs/operating.md", name: "codes" };

/** In the order somebody meets them: what was asked for, the task, what it needs, the ways to it. */
const GROUPS = [
  ["Answers and consents", ANSWER_CODES],
  ["What an app needs of the host", PLAN_CODES],
  ["Tasks", TASK_CODES],
  ["Links, actions, pictures and widgets", PAIRING_CODES],
  ["The host", HOST_CODES],
  ["What is otherwise than the engine left it", DRIFT_CODES],
  ["The database file", STORE_CODES],
  ["Scripts of apps", SANDBOX_CODES],
  ["The catalog", CATALOG_CODES],
  ["Files and exports", FILE_CODES],
  ["HTTP", HTTP_CODES],
  ["The command line", CLI_CODES],
] as const;

function renderGroup(heading: string, codes: readonly Code[]): string {
  return [
    `### ${heading}`,
    "",
    "| Code | Means | What to do | Who |",
    "|---|---|---|---|",
    ...codes.map(renderRow),
  ].join("\n");
}

function renderRow(code: Code): string {
  const { title, hint, audience } = explain(code);
  return `| \`${code}\` | ${escapeCell(title)} | ${escapeCell(hint)} | ${audience} |`;
}

const text = GROUPS.map(([heading, rows]) => renderGroup(heading, Object.keys(rows).filter(isCode))).join("\n\n");

if (!process.argv.includes("--check")) writePart(PART, text);
else if (!isPartCurrent(PART, text)) {
  process.stderr.write(`${PART.file} is out of date: run npm run codes\n`);
  process.exitCode = 1;
}
