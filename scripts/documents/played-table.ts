import { findFirstFailure } from "../../src/check/app-report.ts";
import type { PlayedOfTable } from "./played-catalogs.ts";

/** Played apps as a Markdown table; what changes from run to run is left out. */
export function renderPlayed(played: readonly PlayedOfTable[]): string {
  const rows = played.map(({ report, without }) => {
    const stopped = findFirstFailure(report);
    const why = stopped === null ? "" : `${stopped.level.level} ${stopped.level.name}: \`${stopped.finding.code}\``;
    return `| ${report.appId} | ${report.version ?? ""} | ${report.level} | ${why} | ${without.join(", ")} |`;
  });
  return ["| App | Version | Level | Stopped at | Played without |", "|---|---|---|---|---|", ...rows].join("\n");
}
