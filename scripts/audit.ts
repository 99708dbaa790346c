/**
 * Known vulnerabilities of the production dependencies, asked of the registry. Exit 1 for a high or critical one; 77 where
 * the registry does not answer, so that a machine without it can still run the other checks.
 */
import { spawnSync } from "node:child_process";
import { z } from "zod";

const Count = z.int().min(0);
const Report = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: Count, critical: Count, moderate: Count, low: Count }) }),
  vulnerabilities: z.record(z.string(), z.object({ name: z.string(), severity: z.string(), range: z.string() })),
});

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", timeout: 60_000 });
const report = readReport(stdout ?? "");
if (report === null) {
  console.log("skipped: registry does not answer");
  process.exitCode = 77;
} else {
  for (const { name, severity, range } of Object.values(report.vulnerabilities))
    console.log(`${severity}: ${name} ${range}`);
  const { high, critical, moderate, low } = report.metadata.vulnerabilities;
  console.log(`${critical} critical, ${high} high, ${moderate} moderate, ${low} low`);
  process.exitCode = critical + high === 0 ? 0 : 1;
}

function readReport(text: string): z.infer<typeof Report> | null {
  try {
    return Report.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
