import { Findings } from "../findings.ts";
import type { PlayedApp } from "../subject.ts";

/**
 * Plays something for each, all at once, as what hooks do is mostly waiting; what was found is told in their order. Rejects
 * with the first fault, when all have ended.
 */
export async function playAll<T>(
  app: PlayedApp,
  all: readonly T[],
  play: (one: T, findings: Findings) => Promise<unknown>,
): Promise<Findings> {
  const found = all.map(() => new Findings(app));
  const played = await Promise.allSettled(all.map((one, index) => play(one, found[index] ?? new Findings(app))));
  for (const one of played) if (one.status === "rejected") throw one.reason;
  const findings = new Findings(app);
  for (const one of found) findings.addAll(one);
  return findings;
}
