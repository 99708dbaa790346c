import fc from "fast-check";
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/json/json.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

const WORDS = [
  "version",
  "script",
  "requirements",
  "locations",
  "specifications",
  "permissions",
  "ports",
  "installation_questions",
  "ensure_directories_exists",
  "app_values",
  "hooks",
  "widgets",
  "widgetsSchema",
  "metadata",
  "custom",
  "id",
  "title",
  "events",
  "event",
  "from",
  "to",
  "conditions",
  "role",
  "type",
  "app",
  "range",
  "surfaces",
  "inputs",
  "question",
  "key",
  "options",
  "default",
  "installonly",
  "requiresHooks",
  "target",
  "accepts",
  "rerun",
  "scriptContent",
  "entrypoint",
  "timeout",
  "retries",
  "userOptional",
  "link",
  "url",
  "label",
  "sizes",
  "small",
  "large",
  "slots",
  "media",
  "buttons",
  "path",
  "owner",
  "snapshot",
  "flow",
  "userAction",
  "onAfterInstall",
  "onBeforeUpgrade",
  "appInstalled",
  "select",
  "oauth",
  "pin",
  "files",
  "Media",
  "256MB",
  "1.1",
  ">=1.0.0",
  "$LOCATION(Media)/x",
  "$QUESTION(a)",
  "$IF(",
  "$NO(x)",
  "__proto__",
  "constructor",
  "toString",
  "",
  "a\u0000b",
  "\ud800",
];

const word = fc.constantFrom(...WORDS);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    word,
    fc.constantFrom<Json>(null, true, false, 0, 2, 4, 5, 6, -1, 1e9, 0.5),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(word, tie("json"), { maxKeys: 6 }),
  ),
}));

/** Scripts that are nearly right: a sound one with some values, also deep ones, replaced. */
const nearlyRight = fc
  .tuple(
    fc.constantFrom(4, 5, 6),
    fc.dictionary(word, json, { maxKeys: 4 }),
    fc.array(fc.dictionary(word, json), { maxLength: 3 }),
  )
  .map(([version, changes, hooks]): Json => {
    const merged = { ...rawScript(), version, hooks: hooks.map((hook) => ({ ...rawHook(), ...hook })), ...changes };
    return JSON.parse(JSON.stringify(merged));
  });

describe("parseDictionary", () => {
  it("never throws and is usable only without an error of the script, whatever JSON it gets", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          json,
          nearlyRight,
          fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value))),
        ),
        (value) => {
          const { dictionary, problems } = parseDictionary({ appId: "example", text: JSON.stringify(value) });
          const carriers = problems.filter(({ severity }) => severity === "error").map(({ path }) => path);
          const own = carriers.some(
            ([list, index]) => !((list === "hooks" || list === "widgets") && typeof index === "number"),
          );
          expect(dictionary === null).toBe(own);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("never throws on any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]:,"\\u0a/ \n\t1-.e') })), (text) => {
        const { problems, value } = parseDictionary({ appId: "example", text });
        if (value === undefined) expect(problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it("points every span at the key or value the path names", () => {
    fc.assert(
      fc.property(nearlyRight, fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const tree = parseTree(text);
        for (const { path, line, column, length } of parseDictionary({ appId: "example", text }).problems) {
          const node = tree && findNodeAtLocation(tree, [...path]);
          if (node === undefined) throw new Error(`nothing stands at ${JSON.stringify(path)}`);
          const lines = text.split("\n");
          const offset = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0) + column - 1;
          const key = node.parent?.type === "property" ? node.parent.children?.[0] : undefined;
          const inside = (token: { offset: number; length: number }) =>
            token.offset <= offset && offset + length <= token.offset + token.length;
          expect(length).toBeGreaterThan(0);
          expect(inside(node) || (key !== undefined && inside(key))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("drops one bad hook and leaves every other equal", () => {
    const spoil = fc.constantFrom<Record<string, Json>>(
      { rerun: "never" },
      { events: [] },
      { timeout: "long" },
      { requiresHooks: ["nobody"] },
      { optional: true },
      { conditions: [{ role: "x", type: "appInstalled", app: "plex" }] },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(4), spoil, (count, at, faults) => {
        const good = Array.from({ length: count }, (_, index) => rawHook({ id: `hook-${index}` }));
        const index = Math.min(at, count);
        const bad = rawHook({ id: "bad", ...faults });
        const read = (hooks: unknown[]) =>
          parseDictionary({ appId: "example", text: JSON.stringify(rawScript({ hooks })) }).dictionary;
        const dropped = { hooks: [expect.objectContaining({ id: "bad" })], widgets: 0 };
        expect(read([...good.slice(0, index), bad, ...good.slice(index)])).toEqual({ ...read(good), dropped });
      }),
    );
  });
});
