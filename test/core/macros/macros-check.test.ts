import { describe, expect, it } from "vitest";
import { checkMacros } from "../../../src/core/macros/check.ts";
import { MAX_NESTING } from "../../../src/core/macros/names.ts";
import { parseTemplate } from "../../../src/core/macros/parse.ts";
import { parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";
import { rawQuestion } from "../../support/scripts/plans.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

const QUESTIONS = { installation_questions: [rawQuestion("k")] };
const REQUIREMENTS = { requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] } };

function diagnosticsIn(text: string) {
  return checkMacros(JSON.parse(JSON.stringify(rawScript({ ...QUESTIONS, ...REQUIREMENTS, app_values: { v: text } }))))
    .kept;
}

describe("checkMacros points at the macro inside its string", () => {
  type Row = readonly [text: string, code: string, severity: string, marked: string];
  const groups: Readonly<Record<string, readonly Row[]>> = {
    "an unknown $NAME( is an error": [
      ["a $FOO(1)", "MACRO_UNKNOWN", "error", "$FOO"],
      ["a $RANDOMSTRING(8)", "MACRO_UNKNOWN", "error", "$RANDOMSTRING"],
      ["$IF(true, $NOPE(x), b)", "MACRO_UNKNOWN", "error", "$NOPE"],
      ["é🚀 $FOO(1)", "MACRO_UNKNOWN", "error", "$FOO"],
    ],
    "a known macro without its parentheses is an error": [
      ["a $GPU_CONFIG b", "MACRO_PARENTHESES", "error", "$GPU_CONFIG"],
      ["$QUESTION", "MACRO_PARENTHESES", "error", "$QUESTION"],
    ],
    "an unclosed macro is an error": [
      ["a $QUESTION(k", "MACRO_UNCLOSED", "error", "$QUESTION("],
      ["$HOST_PATH($LOCATION(Media)/x", "MACRO_UNCLOSED", "error", "$HOST_PATH("],
    ],
    "a $QUESTION that no question declares is an error": [
      ["a $QUESTION(missing)", "MACRO_QUESTION_UNDECLARED", "error", "$QUESTION(missing)"],
    ],
    "a $LOCATION that is not required is an error": [
      ["$LOCATION(Music)/x", "MACRO_LOCATION_UNDECLARED", "error", "$LOCATION(Music)"],
      ["$LOCATION(media)/x", "MACRO_LOCATION_UNDECLARED", "error", "$LOCATION(media)"],
    ],
    "$RANDOM_STRING takes a length from 1 to 1024": [
      ["$RANDOM_STRING(0)", "MACRO_ARGUMENTS", "error", "$RANDOM_STRING(0)"],
      ["$RANDOM_STRING(1025)", "MACRO_ARGUMENTS", "error", "$RANDOM_STRING(1025)"],
      ["$RANDOM_STRING(1.5)", "MACRO_ARGUMENTS", "error", "$RANDOM_STRING(1.5)"],
      ["$RANDOM_STRING()", "MACRO_ARGUMENTS", "error", "$RANDOM_STRING()"],
    ],
    "arguments a macro does not take are an error": [
      ["$MEMORY(10%)", "MACRO_ARGUMENTS", "error", "$MEMORY(10%)"],
      ["$MEMORY(110%, 1)", "MACRO_ARGUMENTS", "error", "$MEMORY(110%, 1)"],
      ["$MEMORY(10%, 1GB)", "MACRO_ARGUMENTS", "error", "$MEMORY(10%, 1GB)"],
      ["$GPU_CONFIG(all)", "MACRO_ARGUMENTS", "error", "$GPU_CONFIG(all)"],
      ["$IF(true)", "MACRO_ARGUMENTS", "error", "$IF(true)"],
      ["$IF(true, a, b, c)", "MACRO_ARGUMENTS", "error", "$IF(true, a, b, c)"],
      ["$IF(true, a, b, c, d)", "MACRO_ARGUMENTS", "error", "$IF(true, a, b, c, d)"],
      ["$QUESTION($QUESTION(k))", "MACRO_ARGUMENTS", "error", "$QUESTION($QUESTION(k))"],
      ["$IF([a, b, c)", "MACRO_ARGUMENTS", "error", "["],
    ],
    "parentheses after a macro without arguments are a warning": [
      ["$SERVER_LAN_IP()", "MACRO_ARGUMENTS", "warning", "$SERVER_LAN_IP()"],
    ],
    "a bare unknown $NAME is text, with a warning": [["a $HOME b", "MACRO_BARE_NAME", "warning", "$HOME"]],
    "a macro's name without its $ is text, with a warning": [
      ["QUESTION(k)", "MACRO_LOOKALIKE", "warning", "QUESTION"],
      ["$IF(QUESTION(k), a, b)", "MACRO_LOOKALIKE", "warning", "QUESTION"],
      ["$question(k)", "MACRO_LOOKALIKE", "warning", "$question"],
      ["$Location(Media)/x", "MACRO_LOOKALIKE", "warning", "$Location"],
    ],
    "a literal path outside every location is a warning": [
      ["$HOST_PATH(/mnt/x)", "MACRO_LITERAL_PATH", "warning", "$HOST_PATH(/mnt/x)"],
    ],
    "a branch that looks like JSON and is none is a warning": [
      ["$IF(true, {use_all_gpus: false})", "MACRO_BRANCH_JSON", "warning", "{use_all_gpus: false}"],
    ],
  };
  describe.each(Object.entries(groups))("%s", (_name, rows) => {
    it.each(rows)("%s is %s (%s)", (text, code, severity, marked) => {
      const [diagnostic, ...others] = diagnosticsIn(text);
      expect(others).toEqual([]);
      expect(diagnostic).toMatchObject({ code, severity, path: ["app_values", "v"] });
      const { offset = -1, length = 0 } = diagnostic?.within ?? {};
      expect(text.slice(offset, offset + length)).toBe(marked);
    });
  });

  it("finds nothing in text without macros", () => {
    for (const text of ["$5", "\x24{x}", "plain", "MEMORY of (x)", "$LOCATION(Media)", "$IF($QUESTION(k), a)"]) {
      expect(diagnosticsIn(text)).toEqual([]);
    }
  });

  it("reports every use of an undeclared location, and every fault of one string", () => {
    const codes = diagnosticsIn("$LOCATION(Music) $LOCATION(Music) $FOO( $GPU_CONFIG").map(({ code }) => code);
    expect(codes.toSorted()).toEqual([
      "MACRO_LOCATION_UNDECLARED",
      "MACRO_LOCATION_UNDECLARED",
      "MACRO_PARENTHESES",
      "MACRO_UNKNOWN",
    ]);
  });

  it("gives the line and column in UTF-16 units behind escapes", () => {
    const script = rawScript({ app_values: { v: "MARK" } });
    const text = JSON.stringify(script, null, 2).replace("MARK", String.raw`\u00e9\n🚀 $FOO(1)`);
    const problem = parseDictionary({ appId: "app", text }).problems.find(({ code }) => code === "MACRO_UNKNOWN");
    const line = text.split("\n")[(problem?.line ?? 0) - 1] ?? "";
    expect(line.slice((problem?.column ?? 0) - 1).slice(0, problem?.length)).toBe("$FOO");
  });
});

describe("checkMacros beyond one string", () => {
  it("a macro in a key is text, with a warning", () => {
    const script = rawScript({ app_values: { "$SERVER_LAN_IP:1": "x", $HOME: 1 } });
    expect(checkMacros(JSON.parse(JSON.stringify(script))).kept).toMatchObject([
      { code: "MACRO_IN_KEY", severity: "warning", key: true },
    ]);
  });

  it("an installonly question that stands nowhere in app_values as a whole string is a warning", () => {
    const installation_questions = [rawQuestion("a", { installonly: true }), rawQuestion("b", { installonly: true })];
    const script = rawScript({ installation_questions, app_values: { a: "$QUESTION(a)", b: "x $QUESTION(b)" } });
    expect(checkMacros(JSON.parse(JSON.stringify(script))).kept).toMatchObject([
      { code: "MACRO_INSTALLONLY_LOST", severity: "warning", path: ["installation_questions", 1, "key"] },
    ]);
  });

  it("defaults that lead back to their own answer are a warning", () => {
    const installation_questions = [
      rawQuestion("a", { default: "$QUESTION(b)" }),
      rawQuestion("b", { default: "$IF(true, $QUESTION(a))" }),
      rawQuestion("c", { default: "$QUESTION(a)" }),
    ];
    const diagnostics = checkMacros(JSON.parse(JSON.stringify(rawScript({ installation_questions })))).kept;
    expect(diagnostics.map(({ code, severity, path }) => [code, severity, path[1]])).toEqual([
      ["MACRO_CYCLE", "warning", 0],
      ["MACRO_CYCLE", "warning", 1],
    ]);
  });

  it("checks question defaults and directories, never hooks", () => {
    const script = rawScript({
      ...REQUIREMENTS,
      installation_questions: [rawQuestion("k", { default: "$FOO(1)" })],
      ensure_directories_exists: [{ path: "$LOCATION(Music)/x" }],
      hooks: [{ scriptContent: "$FOO(" }],
    });
    expect(checkMacros(JSON.parse(JSON.stringify(script))).kept.map(({ path }) => path)).toEqual([
      ["installation_questions", 0, "default"],
      ["ensure_directories_exists", 0, "path"],
    ]);
  });

  const outside = ["$LOCATION(Media)/../x", "$LOCATION(Media)/a/../../x", "x", "$LOCATION(Media)x", ""];
  it.each(outside)("a directory outside its location is refused by its text alone: %j", (path) => {
    const script = rawScript({ ...REQUIREMENTS, ensure_directories_exists: [{ path }] });
    const diagnostics = checkMacros(JSON.parse(JSON.stringify(script))).kept;
    expect(diagnostics).toMatchObject([{ code: "DIRECTORY_OUTSIDE", severity: "error" }]);
  });

  it("a literal directory is a warning: where it lies is judged by the plan", () => {
    const script = rawScript({ ...REQUIREMENTS, ensure_directories_exists: [{ path: "/mnt/tank/Media/x" }] });
    const diagnostics = checkMacros(JSON.parse(JSON.stringify(script))).kept;
    expect(diagnostics).toMatchObject([{ code: "MACRO_LITERAL_PATH", severity: "warning" }]);
  });
});

describe("hostile strings", () => {
  const nested = (levels: number) => `${"$IF(true, ".repeat(levels)}x${")".repeat(levels)}`;

  it("accepts macros nested to the limit and refuses 200 levels with a problem", () => {
    expect(parseTemplate(nested(MAX_NESTING)).faults).toEqual([]);
    expect(parseTemplate(nested(200)).faults).toMatchObject([{ code: "MACRO_NESTING", severity: "error" }]);
    expect(parseTemplate(nested(100_000)).faults).toMatchObject([{ code: "MACRO_NESTING" }]);
  });

  it("refuses JSON branches nested 200 levels with a problem", () => {
    const text = `$IF(true, ${"[".repeat(200)}${"]".repeat(200)})`;
    expect(parseTemplate(text).faults).toContainEqual(
      expect.objectContaining({ code: "MACRO_NESTING", severity: "error" }),
    );
  });

  // Work that grew with the square of the length would run into the test's time limit.
  const pieces = [
    "$QUESTION(a) x ",
    "$IF('",
    "$IF(x,['",
    "$IF(a,'a,",
    "'a,",
    "$IF('a)",
    "$IF(x, (",
    "$",
    "$IF('=='",
    "{'a':[",
    "$IF([a==b,",
  ];
  it.each(pieces)("reads 1 MB of %s to the end", (piece) => {
    const source = `$IF(${piece.repeat(Math.ceil(1_000_000 / piece.length))}`;
    const template = parseTemplate(source);
    expect(template.source).toBe(source);
    expect(template.faults.length).toBeGreaterThan(0);
  });
});
