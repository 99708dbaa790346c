import type { Problem } from "../../core/codes/problems.ts";
import type { PlaceFindings } from "./place-findings.ts";
import type { Scenario } from "./scenario-file.ts";

/** An app's scenarios, or what is wrong with their file. */
export interface FoundScenarios {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly Problem[];
  /** Places what is found of them, by its path in the file's value. */
  readonly place: PlaceFindings;
}

/** Of a file that is refused, or of none. */
export function foundNone(...problems: readonly Problem[]): FoundScenarios {
  return { scenarios: [], problems, place: () => [] };
}
