/**
 * Measures the house itself: sizes, repetition, circles, words. Prints one table; run it at two revisions to compare.
 * `npm run bench:house -- REVISION..` counts the subjects of the commits since a revision only.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { computeQuantile } from "./measure.ts";

/** The one file that may be longer than others: authors copy it whole. */
const COPIED = "sandbox/hook-api.d.ts";
/** Words of the house that were given up, each as the identifiers had it (docs/architecture.md has those that are used). */
const GIVEN_UP =
  /\b(?:givesWay|standingRuns|letGo|Outside|HookDoor|Walls|wallsToTry|Click|patiently|endsRefused|orRefused|orUnknown|doneOf|blameValues|SettledAnswer|TurnDraft|settleAnswers|thaw|stopLoop|insist|examine|CodedFinding|\w+Scene)\b/g;
/** A list that names more than one state in which a task has ended. */
const ENDED_LIST = /\[[^\]{}]*"COMPLETED"[^\]{}]*"(?:CANCELLED|DISMISSED)"/;
const FOREIGN = /\.\.\/shared\/(?!catalog|app-schemas)|\bfacts\/|\bdesign\.md\b/g;
const SIBLINGS = ["install", "upgrade", "update"];

const Lint = z.object({ diagnostics: z.array(z.object({ category: z.string(), severity: z.string() })) });

const files = runGit("ls-files", "src", "machines", "sandbox").filter(
  (file) => file.endsWith(".ts") && file !== COPIED,
);
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const lint = runLint();
const lengths = [...texts.values()].map(countLines);

console.table({
  "files: median lines": computeQuantile(lengths, 0.5),
  "files: p90 lines": computeQuantile(lengths, 0.9),
  "files: longest": Math.max(...lengths),
  ...Object.fromEntries(SIBLINGS.map((name) => [`lines of ${name} that a sibling has`, describeShared(name)])),
  "references to documents elsewhere": countMatches(FOREIGN),
  "lines of README": countLines(readFileSync("README.md", "utf8")),
  "import circles": countLint("suspicious/noImportCycles"),
  "places that define ended states": [...texts.values()].filter((text) => ENDED_LIST.test(text)).length,
  "functions over 100 lines": countLint("complexity/noExcessiveLinesPerFunction"),
  "words given up": countMatches(GIVEN_UP),
  "commit subjects over 72": runGit("log", "--format=%s", ...process.argv.slice(2)).filter(
    (subject) => subject.length > 72,
  ).length,
  "folders with more than 20 files": listFullFolders().join(", ") || 0,
});

function runGit(...args: readonly string[]): readonly string[] {
  return execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}

function countLines(text: string): number {
  return text.trimEnd().split("\n").length;
}

function countMatches(pattern: RegExp): number {
  return [...texts.values()].reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0);
}

/** As test/machines/literals.test.ts compares them: trimmed, without lines that only open or close something. */
function describeShared(name: string): string {
  const theirs = new Set(SIBLINGS.filter((other) => other !== name).flatMap(readLiteral));
  const own = readLiteral(name);
  const shared = own.filter((line) => /\w.*\w/.test(line) && theirs.has(line) && !/^\w+: [[{(]$/.test(line)).length;
  return `${shared} of ${own.length}, ${((100 * shared) / own.length).toFixed(1)} %`;
}

function readLiteral(name: string): readonly string[] {
  const text = readFileSync(`machines/${name}/machine.ts`, "utf8");
  return text
    .slice(text.indexOf("setup("))
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
}

/** Faults a rule finds in the code, with the options of the configuration. */
function countLint(rule: string): number {
  return lint.filter(({ category }) => category === `lint/${rule}`).length;
}

function runLint(): z.infer<typeof Lint>["diagnostics"] {
  const options = ["biome", "lint", "--reporter=json", "--max-diagnostics=none", "src", "machines", "sandbox"];
  const { stdout } = spawnSync("npx", options, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return Lint.parse(JSON.parse(stdout)).diagnostics;
}

function listFullFolders(): readonly string[] {
  const folders = Map.groupBy(files, (file) => file.slice(0, -basename(file).length));
  return [...folders]
    .filter(([, inside]) => inside.length > 20)
    .map(([folder, inside]) => `${folder} ${inside.length}`);
}
