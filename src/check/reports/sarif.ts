import { join } from "node:path";
import { toSarif } from "../../core/report/problem-sarif.ts";
import type { CheckResult } from "./json.ts";

/** What the check found as a SARIF 2.1.0 log, with files named from where the command ran. */
export function toCheckSarif({ catalog, apps }: CheckResult): ReturnType<typeof toSarif> {
  return toSarif(
    apps.map(({ file, levels }) => ({
      file: join(catalog, file),
      problems: levels.flatMap(({ findings }) =>
        findings.map((finding) =>
          finding.file === undefined ? finding : { ...finding, file: join(catalog, finding.file) },
        ),
      ),
    })),
  );
}
