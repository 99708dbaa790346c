/** Every field of the specification: what it takes, what it refuses, and whether it may be missing. */
import { describe, expect, it } from "vitest";
import { parseWith } from "../support/scripts/diagnostics.ts";
import { HOOK_TABLES } from "./fields/hook-fields.ts";
import { INPUT_TABLES } from "./fields/input-fields.ts";
import { SCRIPT_TABLES } from "./fields/script-fields.ts";
import { WIDGET_TABLES } from "./fields/widget-fields.ts";

const TABLES = [...SCRIPT_TABLES, ...HOOK_TABLES, ...INPUT_TABLES, ...WIDGET_TABLES];

describe.each(TABLES)("$name", ({ sound, place, rows }) => {
  const problemsOf = (changes: Record<string, unknown>) => parseWith(place({ ...sound, ...changes })).problems;
  const errorsOf = (changes: Record<string, unknown>) =>
    problemsOf(changes).filter(({ severity }) => severity === "error");

  it.each(rows)("%s", (field, _rule, need, takes, refuses) => {
    for (const value of takes) {
      expect(errorsOf({ [field]: value }), JSON.stringify(value)).toEqual([]);
      const unknown = problemsOf({ [field]: value }).filter(({ code }) => code === "SCRIPT_KEY_UNKNOWN");
      expect(unknown, JSON.stringify(value)).toEqual([]);
    }
    for (const value of refuses) {
      const paths = errorsOf({ [field]: value }).map(({ path }) => path);
      expect(
        paths.some((path) => path.includes(field)),
        `${JSON.stringify(value)}: ${JSON.stringify(paths)}`,
      ).toBe(true);
    }
    const missing = errorsOf({ [field]: undefined });
    if (need === "required") expect(missing).not.toEqual([]);
    else expect(missing).toEqual([]);
  });
});
