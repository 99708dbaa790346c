/** What every crash test expects of the cases it plays. */
import { expect } from "vitest";
import { type Case, caseText, playCases, sooner } from "./matrix.ts";
import type { Outcome, Stage } from "./stage.ts";

/**
 * Plays the cases: some process dies, and every run ends as the uncrashed one. Where all moments came too late, since the
 * uncrashed run they were drawn from was a slow one and passed some points more often, they come sooner.
 */
export async function expectNoFaults(stage: Stage, reference: Outcome, cases: readonly Case[]): Promise<void> {
  if ((await countKills(stage, reference, cases)) > 0) return;
  expect(await countKills(stage, reference, cases.map(sooner))).toBeGreaterThan(0);
}

async function countKills(stage: Stage, reference: Outcome, cases: readonly Case[]): Promise<number> {
  const tallies = [...(await playCases(stage, reference, cases)).values()];
  const faults = tallies.flatMap((tally) => tally.faults);
  expect(faults.map((fault) => `${caseText(fault.case)}: ${fault.differences.join("\n")}`)).toEqual([]);
  return tallies.reduce((sum, { kills }) => sum + kills, 0);
}
