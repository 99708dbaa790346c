import { describe, expect, it } from "vitest";
import { checkCustomValues } from "../../src/core/app-values/check-custom-values.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { readDocument } from "../support/document.ts";

const PAGE = readDocument("docs/install-scripts.md");

interface Example {
  readonly kind: string;
  readonly code: string;
  readonly line: number;
}

const EXAMPLES: readonly Example[] = [...PAGE.matchAll(/```json (\w+)\n([\s\S]*?)```/g)].map((found) => ({
  kind: found[1] ?? "",
  code: found[2] ?? "",
  line: PAGE.slice(0, found.index).split("\n").length,
}));

/** A whole script around what an example shows of one. */
function scriptAround({ kind, code }: Example): string {
  if (kind === "script") return code;
  const part: unknown = JSON.parse(code);
  const parts: Readonly<Record<string, object>> = {
    question: { installation_questions: [part] },
    directory: { requirements: { locations: ["Media"] }, ensure_directories_exists: [part] },
    hook: { hooks: [part] },
    widget: { widgetsSchema: 2, widgets: [part] },
    values: {
      custom: true,
      metadata: { name: "Shelf", description: "Books", icon: "https://example.com/i.svg", version: "1.0.0" },
      requirements: { locations: ["ApplicationsPerformance"] },
      app_values: part,
    },
  };
  const around = parts[kind];
  if (around === undefined) throw new Error(`an example of docs/install-scripts.md shows a "${kind}"`);
  return JSON.stringify({ version: 6, script: { version: "1.0.0" }, requirements: {}, app_values: {}, ...around });
}

describe("the examples of docs/install-scripts.md", () => {
  it("are there, and no JSON stands in the page that is not checked", () => {
    expect(EXAMPLES.length).toBeGreaterThan(9);
    expect(PAGE.match(/```json/g)?.length).toBe(EXAMPLES.length);
  });

  it.each(EXAMPLES)("are valid without a warning: the $kind at line $line", (example) => {
    const { problems, dictionary } = parseDictionary({ appId: "example", text: scriptAround(example) });
    expect(problems.filter(({ severity }) => severity !== "info")).toEqual([]);
    if (example.kind === "values" && dictionary !== null) expect(checkCustomValues(dictionary)).toEqual([]);
  });
});
