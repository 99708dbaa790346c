/** Files the engine's thread checks itself: none of them, whatever it holds, keeps it from its other work. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCatalogCheck } from "../../../src/adapters/catalog/file-check/catalog-check.ts";
import { isLight, LIGHT_UNITS } from "../../../src/adapters/catalog/light-file.ts";
import { MOST_DECLARED } from "../../../src/core/script/script-limits.ts";
import { MOST_HELD_MS, openAlone } from "../../support/catalog/open-alone.ts";
import { rawHook, rawScript } from "../../support/scripts/scripts.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "slipway-light-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const script = (changes: Record<string, unknown>): string => JSON.stringify(rawScript(changes));
const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));

/** A text of so many parts, or of so many repetitions of a part. */
type Make = (count: number) => string;

/** The longest text of its kind the engine's thread checks. */
function longest(make: Make): string {
  let [low, high] = [0, LIGHT_UNITS];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isLight(make(middle))) low = middle;
    else high = middle - 1;
  }
  return make(low);
}

const hook = (changes: Record<string, unknown>) =>
  rawHook({ scriptContent: undefined, script: "calls.ts", ...changes });
const CALLS = `export function run(ctx) { ${'ctx.getInput("a"); ctx.waitForApp("/", { retries: 5000 });'.repeat(300)} }`;

describe("the longest light file", () => {
  const rows: [title: string, make: Make][] = [
    ["parentheses", (count) => "(".repeat(count)],
    ["brackets", (count) => "[".repeat(count)],
    ["commas", (count) => `[${",".repeat(count)}`],
    ["lines of a text without an end", (count) => `["${"a\n".repeat(count / 2)}`],
    ["QUESTION(", (count) => script({ app_values: { a: "QUESTION(".repeat(count) } })],
    ["$QUESTION(", (count) => script({ app_values: { a: "$QUESTION(".repeat(count) } })],
    ["undeclared questions", (count) => script({ app_values: { a: "$QUESTION(a)".repeat(count) } })],
    ["macros", (count) => script({ app_values: { list: list(count, () => "$SERVER_LAN_IP") } })],
    ["names that are no macros", (count) => script({ app_values: { list: list(count, () => "$A") } })],
    ["an argument full of spaces", (count) => script({ app_values: { a: `$MEMORY(1${" ".repeat(count)}x, 1)` } })],
    [
      "defaults that use themselves",
      (count) =>
        script({
          installation_questions: list(count, (index) => {
            return { question: "?", type: "text", key: `k${index}`, default: `$QUESTION(k${index})` };
          }),
        }),
    ],
    ["keys that are numbers", (count) => `{${list(count, (index) => `"${index * 1e9 + 7}":0`).join(",")}}`],
    ["keys written twice", (count) => `{${list(count, (index) => `"k${index % (count >> 1)}":1`).join(",")}}`],
    ["unknown keys", (count) => `{"version":6,${list(count, (index) => `"${"i".repeat(50)}${index}":1`).join(",")}}`],
    ["empty hooks", (count) => script({ hooks: list(count, () => ({})) })],
    ["empty events", (count) => script({ hooks: [rawHook({ events: list(count, () => ({})) })] })],
    ["empty widgets", (count) => script({ widgetsSchema: 2, widgets: list(count, () => ({})) })],
    [
      "unknown words",
      (count) => script({ hooks: list(count, (index) => rawHook({ kind: `${"x".repeat(60)}${index}` })) }),
    ],
    [
      "a range of many alternatives",
      (count) => {
        const events = [{ event: "onAfterUpgrade", from: list(count, () => "1").join("||") }];
        return script({ hooks: [rawHook({ rerun: undefined, events })] });
      },
    ],
    [
      "hooks of one file with many calls",
      (count) => script({ hooks: list(count, (index) => hook({ id: `h${index}` })) }),
    ],
  ];
  for (const [title, make] of rows) {
    it(`made of ${title} does not hold the engine's thread`, () => {
      writeFileSync(join(root, "bad.json"), longest(make));
      writeFileSync(join(root, "calls.ts"), CALLS);
      const { codes, heldMs } = openAlone(root);
      expect(codes["bad"]).not.toContain("CATALOG_FILE_UNCHECKED");
      expect(heldMs).toBeLessThan(MOST_HELD_MS);
    });
  }
});

describe("a catalog", () => {
  it("of light files is checked without a process, one of a heavy file is not", () => {
    writeFileSync(join(root, "light.json"), script({}));
    expect(openAlone(root)).toMatchObject({ codes: { light: ["usable"] }, isApart: false });
    writeFileSync(join(root, "heavy.json"), script({ app_values: { a: "x".repeat(LIGHT_UNITS) } }));
    expect(openAlone(root)).toMatchObject({ codes: { light: ["usable"], heavy: ["usable"] }, isApart: true });
  });

  it("of light files that take long together leaves the rest of them to a process", () => {
    const many = script({ hooks: list(MOST_DECLARED.hooks, () => ({})) });
    for (let file = 0; file < 300; file += 1) writeFileSync(join(root, `bad${file}.json`), many);
    const { codes, heldMs, isApart } = openAlone(root);
    expect(Object.values(codes).flat()).not.toContain("CATALOG_FILE_UNCHECKED");
    expect({ isApart, isHeld: heldMs >= MOST_HELD_MS }).toEqual({ isApart: true, isHeld: false });
  });

  it("has the same entries wherever they are checked", async () => {
    const texts = [
      script({ hooks: [rawHook(), hook({ id: "other" }), rawHook({ id: "bad", scriptContent: "export {" })] }),
      script({ app_values: { odd: "\ud800", zero: "\u0000", a: "$QUESTION(none)" } }).replace('"odd"', '"__proto__"'),
      "[1 2]",
      script({ version: 3 }),
    ];
    writeFileSync(join(root, "calls.ts"), CALLS);
    const facts = { kind: "read", exports: ["run"], open: false, getInputs: [], waits: [] } as const;
    const check = createCatalogCheck(root, async () => facts);
    try {
      for (const text of texts) {
        const [light, heavy] = [
          await check.script("app", text),
          await check.script("app", text.padEnd(LIGHT_UNITS + 1)),
        ];
        expect(light.ok && heavy.ok).toBe(true);
        expect(JSON.stringify(heavy)).toBe(JSON.stringify(light));
      }
    } finally {
      await check.close();
    }
  });
});
