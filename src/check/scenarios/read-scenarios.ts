import { readWhole } from "../../adapters/catalog/catalog-file.ts";
import { readProblem } from "../../adapters/catalog/file-problem.ts";
import { SCENARIOS_END } from "../../adapters/catalog/list-scripts.ts";
import { explain } from "../../core/codes/codes.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { locateSpans } from "../../core/json/text-spans.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { describeFault, toRequestFaults } from "../../engine/requests.ts";
import type { PlayedApp } from "../subject.ts";
import { type PlacedText, placeFindings } from "./place-findings.ts";
import { type Scenario, ScenarioFile } from "./scenario-file.ts";
import { findUnknownNames } from "./unknown-names.ts";

/** An app's scenarios, or what is wrong with their file. */
export interface ReadScenarios extends PlacedText {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly Problem[];
}

/** Reads an app's scenarios; none where there is no file, or anything is wrong with it. */
export async function readScenarios({ root, appId, dictionary }: PlayedApp): Promise<ReadScenarios> {
  const file = `${appId}${SCENARIOS_END}`;
  const read = await readWhole(root, file, async () => true);
  if (read.kind === "gone") return { file, text: "", scenarios: [], problems: [] };
  if (read.kind !== "text") return { file, text: "", scenarios: [], problems: [readProblem(file, read)] };
  const text = withoutByteOrderMark(read.text);
  return { file, text, ...parseScenarios({ file, text }, dictionary) };
}

function parseScenarios(
  { file, text }: PlacedText,
  dictionary: Dictionary,
): Pick<ReadScenarios, "scenarios" | "problems"> {
  const code = "CHECK_SCENARIO_INVALID";
  const source = readJson(text);
  if (!source.ok) {
    const spans = locateSpans(text, source.faults);
    const { hint } = explain(code);
    const problems = source.faults.map(({ message }, index): Problem => {
      const at = spans[index] ?? { line: 1, column: 1, length: 1 };
      return { code, severity: "error", message, path: [], file, ...at, hint };
    });
    return { scenarios: [], problems };
  }
  const parsed = ScenarioFile.safeParse(source.value);
  const faults = parsed.success
    ? findUnknownNames(parsed.data.scenarios, dictionary)
    : toRequestFaults(parsed.error).map((fault) => ({ path: fault.path, message: describeFault(fault) }));
  if (parsed.success && faults.length === 0) return { scenarios: parsed.data.scenarios, problems: [] };
  return { scenarios: [], problems: placeFindings({ file, text }, code, faults) };
}
