/** What one hostile text may cost where it is parsed: time linear in its length, problems and messages bounded. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";
import { rawHook, rawScript } from "../../support/scripts/scripts.ts";
import { SLOWNESS } from "../../support/slowness.ts";

const KB = 1024;
/** CPU ms of a worst text of 1 MB, with a margin for a slow machine: 40,000 macros took 35,000. */
const MOST_MS = 5_000 * SLOWNESS;

const script = (changes: Record<string, unknown>): string => JSON.stringify(rawScript(changes));
const values = (text: string): string => script({ app_values: { list: Array.from({ length: 15 }, () => text) } });
const fill = (part: string, length = 64 * KB): string => part.repeat(Math.floor(length / part.length));
const items = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

function parse(text: string) {
  const before = process.cpuUsage();
  const parsed = parseDictionary({ appId: "example", text });
  return { ...parsed, codes: parsed.problems.map(({ code }) => code), ms: process.cpuUsage(before).user / 1_000 };
}

describe("a limit of the text", () => {
  it("a file over 1 MB is not parsed", () => {
    const of = (length: number) => script({}).padEnd(length, " ");
    expect(parse(of(KB * KB)).problems).toEqual([]);
    expect(parse(of(KB * KB + 1))).toMatchObject({ dictionary: null, codes: ["SCRIPT_TOO_LARGE"] });
  });

  it("a text or key over 64 KB refuses the script, counted in bytes", () => {
    const at = { path: ["app_values", "a"] };
    expect(parse(script({ app_values: { a: "x".repeat(64 * KB) } })).problems).toEqual([]);
    expect(parse(script({ app_values: { a: "x".repeat(64 * KB + 1) } })).problems).toMatchObject([
      { code: "SCRIPT_TEXT_TOO_LONG", severity: "error", ...at },
    ]);
    expect(parse(script({ app_values: { a: "é".repeat(32 * KB + 1) } })).codes).toEqual(["SCRIPT_TEXT_TOO_LONG"]);
    expect(parse(script({ app_values: { ["x".repeat(64 * KB + 1)]: 1 } })).codes).toEqual(["SCRIPT_TEXT_TOO_LONG"]);
  });

  it("inline TypeScript may have 512 KB; one that is longer refuses the script, not the hook alone", () => {
    const inline = (length: number) =>
      script({ hooks: [rawHook({ scriptContent: "export const connect = 1;".padEnd(length, " ") })] });
    expect(parse(inline(512 * KB)).problems).toEqual([]);
    const { dictionary, codes } = parse(inline(512 * KB + 1));
    expect({ dictionary, codes }).toEqual({ dictionary: null, codes: ["SCRIPT_TEXT_TOO_LONG"] });
  });

  it("of questions, hooks, consents, conditions, secrets and directories there are only so many", () => {
    const question = (index: number) => ({ question: "?", type: "text", key: `k${index}` });
    const hook = (changes: Record<string, unknown>) => (index: number) =>
      rawHook({ id: `h${index}`, script: undefined, scriptContent: "export const connect = 1;", ...changes });
    const consent = { label: "Yes", default: true };
    const conditions = items(10, 0).map((_, index) => ({ type: "appInstalled", app: `app-${index}` }));
    const directory = (index: number) => ({ path: `$LOCATION(Media)/${index}` });
    const make = <Item>(count: number, one: (index: number) => Item) => items(count, 0).map((_, index) => one(index));
    const rows = [
      [500, (count: number) => ({ installation_questions: make(count, question) })],
      [200, (count: number) => ({ hooks: make(count, hook({})) })],
      [50, (count: number) => ({ hooks: make(count, hook({ userOptional: consent })) })],
      [20, (count: number) => ({ hooks: make(count, hook({ conditions })) })],
      [50, (count: number) => ({ app_values: { list: items(count, "$RANDOM_STRING(8)") } })],
      [200, (count: number) => ({ ensure_directories_exists: make(count, directory) })],
    ] as const;
    for (const [most, declare] of rows) {
      expect(parse(script(declare(most))).codes).not.toContain("SCRIPT_TOO_MANY_DECLARED");
      const { dictionary, codes } = parse(script(declare(most + 1)));
      expect({ dictionary, codes }).toEqual({ dictionary: null, codes: ["SCRIPT_TOO_MANY_DECLARED"] });
    }
  });

  it("of more than 200 problems the first 200 are shown and the rest is counted, and the script is refused", () => {
    const unknown = (count: number) => script(Object.fromEntries(items(count, 0).map((_, index) => [`k${index}`, 1])));
    expect(parse(unknown(200))).toMatchObject({ dictionary: {}, codes: items(200, "SCRIPT_KEY_UNKNOWN") });
    const { dictionary, problems, codes } = parse(unknown(333));
    expect(dictionary).toBeNull();
    expect(codes.filter((code) => code === "SCRIPT_KEY_UNKNOWN")).toHaveLength(200);
    const [more] = problems.filter(({ code }) => code === "SCRIPT_PROBLEMS_TOO_MANY");
    expect(more?.message).toContain("has 333 problems; the first 200 are shown, 133 more are not");
  });

  it("numbers that can't be kept, keys named __proto__, lone surrogates and zero characters", () => {
    expect(parse(script({ app_values: { a: "@" } }).replace('"@"', "1e999")).codes).toEqual([
      "SCRIPT_NUMBER_TOO_LARGE",
    ]);
    const odd = '{"__proto__": {"polluted": 1}, "constructor": "\\ud800", "toString": "\\u0000"}';
    const { dictionary, problems } = parse(script({ app_values: "@" }).replace('"@"', odd));
    expect(problems).toEqual([]);
    expect(JSON.stringify(dictionary?.appValues)).toBe(JSON.stringify(JSON.parse(odd)));
    expect("polluted" in {}).toBe(false);
  });
});

describe("the worst texts of 1 MB are judged in time linear in their length", () => {
  const rows: [string, string][] = [
    ["nothing but parentheses", "(".repeat(1_000_000)],
    ["nothing but brackets", "[".repeat(1_000_000)],
    ["nothing but commas", `[${",".repeat(1_000_000)}`],
    ["a text of many lines that never closes", `["${"a\n".repeat(500_000)}`],
    ["texts of QUESTION(", values(fill("QUESTION("))],
    ["texts of $QUESTION(", values(fill("$QUESTION("))],
    [
      "undeclared questions, with 4,000 declared",
      values(fill("$QUESTION(a)")).replace(
        '"app_values"',
        `"installation_questions": ${JSON.stringify(items(4_000, 0).map((_, index) => ({ question: "?", type: "text", key: `k${index}` })))}, "app_values"`,
      ),
    ],
    ["names that are no macros", values(fill("$A "))],
    ["100,000 texts of one macro", script({ app_values: { list: items(100_000, "$A") } })],
    [
      "a default of 40,000 macros",
      script({
        installation_questions: [{ question: "?", type: "text", key: "k", default: items(40_000, "$QUESTION(k)") }],
      }),
    ],
    ["a percentage with 60,000 spaces in it", values(`$MEMORY(1${fill(" ", 60_000)}x, 1)`)],
    ["lists of conditions that never close", values(fill("$IF(["))],
    ["quotes that never end", values(`$IF(${fill("'a'=='", 60_000)}`)],
    ["branches that begin like JSON", values(fill("$IF(a,{'a':[1,2,"))],
    ["400,000 hooks that are numbers", script({ hooks: items(400_000, 1) })],
    ["20,000 empty hooks", script({ hooks: items(20_000, {}) })],
    ["20,000 empty events", script({ hooks: [rawHook({ events: items(20_000, {}) })] })],
    ["300,000 empty widgets", script({ widgetsSchema: 2, widgets: items(300_000, {}) })],
    ["a key written 150,000 times", `{${'"a":1,'.repeat(150_000)}"version":6}`],
    [
      "30,000 keys written twice",
      `{${items(60_000, 0)
        .map((_, index) => `"k${index % 30_000}":1,`)
        .join("")}"version":6}`,
    ],
    [
      "300,000 empty objects 190 levels deep",
      script({ app_values: { a: "@" } }).replace(
        '"@"',
        `${"[".repeat(190)}${items(300_000, "{}").join(",")}${"]".repeat(190)}`,
      ),
    ],
    [
      "ranges of 4,000 alternatives",
      script({
        hooks: items(14, 0).map((_, index) =>
          rawHook({
            id: `h${index}`,
            rerun: undefined,
            events: [{ event: "onAfterUpgrade", from: items(4_000, `>=1.2.${index} <2`).join("||") }],
          }),
        ),
      }),
    ],
  ];
  for (const [title, text] of rows) {
    it(title, () => {
      const { ms, problems } = parse(text);
      expect(ms).toBeLessThan(MOST_MS);
      expect(problems.length).toBeLessThanOrEqual(201);
      expect(JSON.stringify(problems).length).toBeLessThan(KB * KB);
    });
  }
});

it("any text made of what the macro language is made of is judged without an exception, problems bounded", () => {
  const token = fc.constantFrom(
    "$",
    "QUESTION(",
    "$IF(",
    "$MEMORY(",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    '"',
    "`",
    ",",
    "==",
    "!=",
    "!",
    "\\",
    " ",
    "a",
    "1%",
    "$A",
    "$SERVER_LAN_IP",
    "\ud800",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 400 }), (tokens, times) => {
      const { ms, problems } = parse(script({ app_values: { a: tokens.join("").repeat(times) } }));
      expect(problems.length).toBeLessThanOrEqual(201);
      expect(ms).toBeLessThan(MOST_MS);
    }),
    { numRuns: 300 },
  );
});
