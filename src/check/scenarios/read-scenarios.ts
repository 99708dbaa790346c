import type { Sandbox } from "../../../sandbox/contract.ts";
import { type FileRead, readWhole } from "../../adapters/catalog/catalog-file.ts";
import { createFileProblem, readProblem } from "../../adapters/catalog/file-problem.ts";
import { SCENARIOS_ENDS } from "../../adapters/catalog/list-scripts.ts";
import { explain } from "../../core/codes/codes.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { locateSpans } from "../../core/json/text-spans.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { PlayedApp } from "../subject.ts";
import { readTypedScenarios } from "./evaluate-scenarios.ts";
import { type FoundScenarios, foundNone } from "./found-scenarios.ts";
import { parseScenarios } from "./parse-scenarios.ts";
import { placeInJson } from "./place-findings.ts";

/**
 * Reads an app's scenarios; none where there is no file, or anything is wrong with it. One in TypeScript is evaluated in the
 * sandbox. Rejects with the signal's reason.
 */
export async function readScenarios(
  app: PlayedApp,
  sandbox: Pick<Sandbox, "compile" | "run">,
  signal: AbortSignal,
): Promise<FoundScenarios> {
  const [json, typescript] = await Promise.all([
    readFile(app, SCENARIOS_ENDS.json),
    readFile(app, SCENARIOS_ENDS.typescript),
  ]);
  if (json !== null && typescript !== null) {
    const message = `the scenarios of "${app.appId}" are in "${json.file}" too: one of the two files has to go`;
    return foundNone(createFileProblem("CHECK_SCENARIO_INVALID", typescript.file, message));
  }
  const only = json ?? typescript;
  if (only === null) return foundNone();
  if (only.read.kind !== "text") return foundNone(readProblem(only.file, only.read));
  if (only === typescript)
    return await readTypedScenarios(app, { file: only.file, text: only.read.text }, sandbox, signal);
  return readJsonScenarios(only.file, withoutByteOrderMark(only.read.text), app.dictionary);
}

interface FoundFile {
  readonly file: string;
  readonly read: FileRead;
}

/** null: it is not there. */
async function readFile({ root, appId }: PlayedApp, end: string): Promise<FoundFile | null> {
  const file = `${appId}${end}`;
  const read = await readWhole(root, file, async () => true);
  return read.kind === "gone" ? null : { file, read };
}

function readJsonScenarios(file: string, text: string, dictionary: Dictionary): FoundScenarios {
  const source = readJson(text);
  if (source.ok) return parseScenarios(source.value, dictionary, placeInJson(file, text));
  const spans = locateSpans(text, source.faults);
  const code = "CHECK_SCENARIO_INVALID";
  const { hint } = explain(code);
  const problems = source.faults.map(({ message }, index): Problem => {
    const at = spans[index] ?? { line: 1, column: 1, length: 1 };
    return { code, severity: "error", message, path: [], file, ...at, hint };
  });
  return foundNone(...problems);
}
