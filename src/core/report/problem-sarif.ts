import { explain } from "../codes/codes.ts";
import type { Problem, Severity } from "../codes/problems.ts";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const satisfies Record<Severity, string>;

/** The problems of files as a SARIF 2.1.0 log (OASIS, static analysis results interchange format). */
export function toSarif(files: readonly { readonly file: string; readonly problems: readonly Problem[] }[]) {
  const found = files.flatMap(({ file, problems }) => problems.map((problem) => ({ file, problem })));
  const codes = [...new Set(found.map(({ problem }) => problem.code))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "slipway",
            rules: codes.map((code) => {
              const { title, hint, see } = explain(code);
              return {
                id: code,
                shortDescription: { text: title },
                help: { text: see === undefined ? hint : `${hint} (${see})` },
              };
            }),
          },
        },
        columnKind: "utf16CodeUnits",
        results: found.map(({ file, problem }) => ({
          ruleId: problem.code,
          ruleIndex: codes.indexOf(problem.code),
          level: LEVELS[problem.severity],
          message: { text: problem.hint === undefined ? problem.message : `${problem.message}. Hint: ${problem.hint}` },
          locations: [toLocation(problem.file ?? file, problem)],
          ...(problem.related === undefined
            ? {}
            : {
                relatedLocations: problem.related.map((place) => ({
                  ...toLocation(file, place),
                  message: { text: place.message },
                })),
              }),
        })),
      },
    ],
  };
}

function toLocation(file: string, { line, column, length }: Pick<Problem, "line" | "column" | "length">) {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/") },
      region: { startLine: line, startColumn: column, endColumn: column + Math.max(length, 1) },
    },
  };
}
