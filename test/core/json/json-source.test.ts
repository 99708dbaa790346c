import fc from "fast-check";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import { MAX_DEPTH, readJson } from "../../../src/core/json/json-source.ts";
import { locate } from "../../../src/core/json/json-source-spans.ts";
import { findRepeatedKeys } from "../../../src/core/json/repeated-keys.ts";
import { parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";

describe("a JSON text", () => {
  const faults: readonly [string, string, string][] = [
    ["a missing colon", '{"a" 1}', '1:6 a ":" is expected after the key'],
    ["a missing comma", '{"a": 1\n "b": 2}', '2:2 a "," is expected'],
    ["a trailing comma", '{"a": 1,}', "1:9 a key in double quotes is expected"],
    ["a comment", "{} // done", "1:4 comments are not allowed in JSON"],
    ["an open string", '{"a": "b}', "1:7 the string is not closed"],
    ["a word that is no value", '{"a": yes}', '1:7 "yes" is not a JSON value'],
    ["an escape that does not exist", '["\\q"]', "1:2 the string has an unknown escape"],
    ["a raw line break in a string", '["a\nb"]', "1:2 the string is not closed"],
    ["an empty text", "", "1:1 a value is expected"],
    ["more after the end", "{} {}", "1:4 the document has ended, nothing may follow"],
    ["a space that is none in JSON", "[\u00a01]", "1:2"],
  ];
  for (const [what, text, fault] of faults) {
    it(`with ${what} has its fault where it stands`, () => {
      const [first] = parseDictionary({ appId: "example", text }).problems;
      expect(first?.code).toBe("SCRIPT_JSON_SYNTAX");
      expect(`${first?.line}:${first?.column} ${first?.message}`.startsWith(fault), JSON.stringify(first)).toBe(true);
    });
  }

  it("a text that does not parse has its syntax problems and no others", () => {
    const { problems, dictionary } = parseDictionary({ appId: "NO ID", text: '{"version": 3 "hoks": []}' });
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(["SCRIPT_JSON_SYNTAX"]));
    expect(dictionary).toBeNull();
  });

  it("may begin with a byte order mark, which counts in no column", () => {
    const { problems } = parseDictionary({ appId: "example", text: "\uFEFF{}" });
    expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual(["1:1"]);
  });

  it("JSON nested deeper than 200 levels is refused at the first bracket beyond it, also when it never closes", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(readJson(nested(MAX_DEPTH))).toMatchObject({ ok: true });
    for (const text of [nested(MAX_DEPTH + 1), nested(200_000), "[".repeat(500_000), '{"a":'.repeat(200_000)]) {
      const [problem] = parseDictionary({ appId: "example", text }).problems;
      expect(problem?.code).toBe("SCRIPT_TOO_DEEP");
      expect(text.charAt((problem?.column ?? 0) - 1)).toMatch(/[[{]/);
    }
  });
});

describe("a key written twice", () => {
  it("a key written twice is a warning, the last one counts; found by scanning only where the count of keys says so", () => {
    const text = '{"a": 1, "b": [{"c": 1, "c" : 2}], "a": {"\\\\": 0, "\\u005c": 1}}';
    expect([...findRepeatedKeys(text)]).toEqual([["b", 0, "c"], ["a"], ["a", "\\"]]);
    expect(readJson(text)).toMatchObject({ repeatsKeys: true });
  });

  it("is never missed by the count and never reported where there is none", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect([...findRepeatedKeys(text)]).toEqual([]);
        const twice = `{"x":${text},"x" :${text}}`;
        expect(readJson(twice)).toMatchObject({ repeatsKeys: true });
        expect([...findRepeatedKeys(twice)]).toEqual([["x"]]);
      }),
    );
  });

  it("is not suspected where a string holds an escaped quote before a colon", () => {
    expect(readJson('{"a": "b: c \\\\\\": ", "d\\\\" :\n1}')).toMatchObject({ repeatsKeys: false });
  });
});

describe("locate", () => {
  it("finds keys and values at the places jsonc-parser's tree has them", () => {
    const arbitrary = fc.tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"));
    fc.assert(
      fc.property(arbitrary, ([written, indent]) => {
        const text = JSON.stringify(written, null, indent);
        const tree = parseTree(text);
        const paths = pathsOf(JSON.parse(text));
        const spans = locate(
          text,
          paths.flatMap((path) => [{ path }, { path, key: true }]),
        );
        for (const [index, path] of paths.entries()) {
          const node = tree && findNodeAtLocation(tree, path);
          if (node === undefined) throw new Error("the tree lacks a path of the value");
          const length = node.children === undefined ? node.length : 1;
          expect(place(text, spans[2 * index])).toEqual({ offset: node.offset, length });
          const key = node.parent?.type === "property" ? node.parent.children?.[0] : undefined;
          if (key !== undefined) {
            expect(place(text, spans[2 * index + 1])).toEqual({ offset: key.offset, length: key.length });
          }
        }
      }),
    );
  });

  it("finds a part of a string behind escapes of every kind", () => {
    const value = 'tab\t quote" back\\slash \u0001 ümlaut 😀 $HERE end';
    const offset = value.indexOf("$HERE");
    for (const source of [
      JSON.stringify(value),
      JSON.stringify(value).replaceAll("ü", "\\u00fc").replaceAll("/", "\\/"),
    ]) {
      const text = `{ "a": ${source} }`;
      const [span] = locate(text, [{ path: ["a"], within: { offset, length: 5 } }]);
      expect(text.slice((span?.column ?? 0) - 1, (span?.column ?? 0) + 4)).toBe("$HERE");
    }
  });

  it("takes the last of equal keys, like JSON.parse", () => {
    const text = '{"a": {"b": 1},\n "a": {"b": 2}}';
    expect(locate(text, [{ path: ["a", "b"] }])).toEqual([{ line: 2, column: 13, length: 1 }]);
  });

  it("points at the nearest enclosing value of a place that does not exist", () => {
    expect(locate('{"a": [1]}', [{ path: ["a", 3, "x"] }])).toEqual([{ line: 1, column: 7, length: 1 }]);
  });

  it("counts lines ended by CRLF once", () => {
    expect(locate('{\r\n"a":\r\n1}', [{ path: ["a"] }])).toEqual([{ line: 3, column: 1, length: 1 }]);
  });
});

function pathsOf(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, item]) =>
      pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function place(text: string, span: { line: number; column: number; length: number } | undefined) {
  const before = text.split("\n").slice(0, (span?.line ?? 1) - 1);
  return {
    offset: before.reduce((sum, line) => sum + line.length + 1, 0) + (span?.column ?? 0) - 1,
    length: span?.length,
  };
}
