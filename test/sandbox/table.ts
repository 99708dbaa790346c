/** Many small facts about the surface in one run: rows of code, each with what it must come to. */
import { expect, test } from "vitest";
import type { Json } from "../../src/core/json/json.ts";
import type { ScriptRun, Workbench } from "./workbench.ts";

/** Title, body of an async function of `ctx`, and its result; `throws Name` for an error of that name. */
export type Row = readonly [title: string, code: string, expected: Json | undefined];

/** Declares one test per row; the rows run together, in order, in one run of the sandbox. */
export function testRows(bench: Workbench, rows: readonly Row[], request: ScriptRun = {}): void {
  let results: Promise<Json> | undefined;
  const runAll = () => {
    const functions = rows.map(([, code]) => `async (ctx) => { ${code} }`).join(",\n");
    return bench.evaluate(
      `const results = [];
      for (const row of [${functions}]) {
        try {
          results.push({ value: await row(ctx) });
        } catch (error) {
          results.push({ value: "throws " + error.name, message: String(error.message) });
        }
      }
      return results;`,
      request,
    );
  };
  test.each(rows.map(([title, , expected], index) => ({ title, expected, index })))("$title", async (row) => {
    results ??= runAll();
    const all = (await results) as readonly { readonly value?: Json; readonly message?: string }[];
    expect(all[row.index]?.value, all[row.index]?.message).toEqual(row.expected);
  });
}
