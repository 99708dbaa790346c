import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { explainMark } from "../../../src/core/task/remarks.ts";

it("are marks taken apart, with a sentence for people", () => {
  expect(explainMark("overdue")).toMatchObject({
    code: "overdue",
    params: {},
    text: expect.stringContaining("in time"),
  });
  expect(explainMark("notRunning: CRASHED")).toEqual({
    code: "notRunning",
    params: { state: "CRASHED" },
    text: "the app did not come up in time, it is CRASHED",
  });
  expect(explainMark("sharesNotServed: [EFAULT] smbd: no\nlog")).toMatchObject({
    code: "sharesNotServed",
    params: { reason: "[EFAULT] smbd: no\nlog" },
  });
});

it("are the mark itself where nobody knows it, as of another version", () => {
  expect(explainMark("toString: x")).toEqual({ code: "toString: x", params: {}, text: "toString: x" });
  fc.assert(fc.property(fc.string(), (mark) => explainMark(mark).text.length >= Math.min(1, mark.length)));
});

it("explain every mark there is", () => {
  const folders = ["src/engine", "src/core", "machines"];
  const texts = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith("remarks.ts"))
      .map((name) => readFileSync(join(folder, name), "utf8")),
  );
  const valued = texts.flatMap((text) =>
    [...text.matchAll(/marks?\b[^`\n]*`(\w+): \$\{/g), ...text.matchAll(/`(\w+Dropped|notDeleted|refused): \$\{/g)].map(
      ([, code = ""]) => code,
    ),
  );
  expect(valued.length).toBeGreaterThan(9);
  const unknown = [...new Set(valued)].filter((code) => explainMark(`${code}: x`).code !== code);
  expect(unknown).toEqual([]);
});
