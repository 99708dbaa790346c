import type { Json } from "../../core/json/json.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { describeFault, toRequestFaults } from "../../engine/requests.ts";
import type { FoundScenarios } from "./found-scenarios.ts";
import type { Placed, PlaceFindings } from "./place-findings.ts";
import { ScenarioFile } from "./scenario-file.ts";
import { findUnknownNames } from "./unknown-names.ts";

/** Most faults told of one file: a hostile one has as many as it has bytes. */
const MOST_FAULTS = 20;

/** The scenarios a file holds; none where anything is wrong with one of them. */
export function parseScenarios(value: Json, dictionary: Dictionary, place: PlaceFindings): FoundScenarios {
  const parsed = ScenarioFile.safeParse(value);
  const faults: readonly Placed[] = parsed.success
    ? findUnknownNames(parsed.data.scenarios, dictionary)
    : toRequestFaults(parsed.error).map((fault) => ({ path: fault.path, message: describeFault(fault) }));
  if (parsed.success && faults.length === 0) return { scenarios: parsed.data.scenarios, problems: [], place };
  return { scenarios: [], problems: place("CHECK_SCENARIO_INVALID", faults.slice(0, MOST_FAULTS)), place };
}
