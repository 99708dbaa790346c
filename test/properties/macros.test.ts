import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json/json.ts";
import { checkMacros } from "../../src/core/macros/check.ts";
import { CALLED_MACROS } from "../../src/core/macros/names.ts";
import { parseTemplate } from "../../src/core/macros/parse.ts";
import { HOST, planOf, rawQuestion } from "../support/scripts/plans.ts";

const SEED = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);
const check = <T>(property: fc.IProperty<T>, numRuns = 300) => fc.assert(property, { seed: SEED, numRuns });

/** Strings made of what the parser looks for, beside any other text. */
const fragments = fc.constantFrom(
  ...CALLED_MACROS.map((name) => `$${name}(`),
  ...["$SERVER_LAN_IP", "$HOME", "$", "(", ")", "[", "]", "{", "}", ",", "'", '"', "`", "==", "!=", "!", " ", "k", "1"],
  ..."true AND OR \\ : Media 10% é 🚀 \ud800".split(" "),
);
const macroText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fragments }, fc.string()), { maxLength: 40 })
  .map((parts) => parts.join(""));

describe(`macros, seed ${SEED}`, () => {
  it("parsing any string never throws, and its faults and macros lie inside it", () => {
    check(
      fc.property(macroText, (text) => {
        const { calls, faults } = parseTemplate(text);
        for (const { offset, length } of [...calls, ...faults]) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      }),
      2000,
    );
  });

  it("checking any JSON value as a script never throws", () => {
    check(
      fc.property(fc.jsonValue(), macroText, (value, text) => {
        const list: Json[] = [asJson(value), { path: text }, { key: text, default: text, installonly: true }, text];
        const script: JsonObject = {
          app_values: list,
          ensure_directories_exists: list,
          installation_questions: list,
          requirements: asJson(value),
        };
        expect(Array.isArray(checkMacros(script).kept)).toBe(true);
      }),
    );
  });

  it("an answer of any string arrives byte for byte where its question is used, and changes nothing else", () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      macroText,
      fc.constantFrom("__proto__", "$QUESTION(k)"),
    );
    check(
      fc.property(anyText, (k) => {
        const app_values = {
          alone: "$QUESTION(k)",
          inside: "<$QUESTION(k)|$QUESTION(k)>",
          branch: "$IF(true, $QUESTION(k), no)",
          json: "$IF(true, {'a': ['$QUESTION(k)', \"x$QUESTION(k)\"]})",
          path: "$HOST_PATH($LOCATION(Media)/$QUESTION(k))",
          other: ["$SERVER_LAN_IP", "$5", 1],
        };
        const { plan } = planOf({ app_values, installation_questions: [rawQuestion("k")] }, { answers: { k } });
        expect(plan?.appValues).toEqual({
          alone: k,
          inside: `<${k}|${k}>`,
          branch: k,
          json: { a: [k, `x${k}`] },
          path: { type: "host_path", host_path_config: { acl_enable: false, path: `/mnt/tank/Media/${k}` } },
          other: ["192.168.1.20", "$5", 1],
        });
      }),
    );
  });

  it("resolving never throws and leaves no known macro", () => {
    const known = new RegExp(`\\$(SERVER_LAN_IP|SERVER_HOST_ID|(${CALLED_MACROS.join("|")})\\()`);
    const piece = fc.constantFrom(
      ...[
        "$SERVER_LAN_IP",
        "$SERVER_HOST_ID",
        "$LOCATION(Media)",
        "$RANDOM_STRING(8)",
        "$MEMORY(5%, 10)",
        "$GPU_CONFIG()",
      ],
      ...["$HOST_PATH($LOCATION(Media)/x)", "$APP_INSTALLED(plex)", "$QUESTION(k)", "$5", "$HOME", " text ", "é"],
    );
    const texts = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { maxDepth: 4, depthIdentifier: "if" },
        piece,
        fc.tuple(piece, tie("text")).map(([a, b]) => a + b),
        fc.tuple(tie("text"), tie("text"), tie("text")).map(([a, b, c]) => `$IF(${a} == x, ${b}, ${c})`),
      ),
    })).text;
    check(
      fc.property(fc.array(texts, { maxLength: 5 }), (list) => {
        const resolved = planOf({ app_values: { list }, installation_questions: [rawQuestion("k")] });
        expect(resolved.problems).toEqual([]);
        expect(JSON.stringify(resolved.plan?.appValues)).not.toMatch(known);
      }),
    );
  });

  it("resolving any dictionary of hostile strings never throws, and a plan exists exactly without errors", () => {
    check(
      fc.property(fc.array(macroText, { maxLength: 4 }), macroText, (list, fallback) => {
        const base = planOf({}).plan?.dictionary;
        if (base === undefined) throw new Error("the empty script has a plan");
        const question = { question: "", key: "k", type: "text" as const, required: false, installonly: false };
        const dictionary = { ...base, appValues: { list }, questions: [{ ...question, default: fallback }] };
        const directories = list.map((path) => ({ path, networkShare: false }));
        const resolved = planOf({}, { dictionary: { ...dictionary, directories } });
        const failed = resolved.problems.some(({ severity }) => severity === "error");
        expect(resolved.plan === null).toBe(failed);
      }),
    );
  });

  it("resolving twice with the same stored secrets is equal", () => {
    const texts = fc.array(
      fc.constantFrom("$RANDOM_STRING(12)", "a$RANDOM_STRING(3)-$RANDOM_STRING(3)", "$QUESTION(k)", "x"),
    );
    check(
      fc.property(texts, (list) => {
        const script = {
          app_values: { list },
          installation_questions: [rawQuestion("k", { default: "$RANDOM_STRING(20)" })],
        };
        const first = planOf(script).plan;
        const stored = { randoms: first?.randoms ?? {} };
        const random = () => {
          throw new Error("a kept string is never generated again");
        };
        expect(planOf(script, { stored, random }).plan).toEqual(first);
      }),
    );
  });

  it("nested $IF equals a reference evaluator", () => {
    interface Tree {
      readonly text: string;
      readonly value: string;
    }
    interface Test {
      readonly text: string;
      readonly holds: boolean;
    }
    const answers = { yes: "Yes", no: "false", n: "7" };
    const leaf = fc.constantFrom<Tree>(
      { text: "alpha", value: "alpha" },
      { text: "'a, (b'", value: "a, (b" },
      { text: '"c"', value: "c" },
      { text: "$QUESTION(yes)", value: "Yes" },
      { text: "`$SERVER_LAN_IP`", value: HOST.lanIp },
      { text: "''", value: "" },
    );
    const single = fc.constantFrom<Test>(
      { text: "true", holds: true },
      { text: "false", holds: false },
      { text: "$QUESTION(yes)", holds: true },
      { text: "$QUESTION(no)", holds: false },
      { text: "$APP_INSTALLED(PLEX)", holds: true },
      { text: "$QUESTION(n) == 7", holds: true },
      { text: "$QUESTION(n) != '7'", holds: false },
      { text: "'a' == \"a\"", holds: true },
    );
    const negatable = fc.tuple(single, fc.boolean()).map(([test, negated]): Test => {
      return negated ? { text: `!${test.text}`, holds: !test.holds } : test;
    });
    const listed = fc.tuple(fc.array(negatable, { minLength: 1, maxLength: 4 }), fc.boolean());
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5, depthIdentifier: "if" },
        leaf,
        fc.tuple(negatable, tie("tree"), tie("tree")).map(([test, a, b]): Tree => {
          return { text: `$IF(${test.text}, ${a.text}, ${b.text})`, value: test.holds ? a.value : b.value };
        }),
        fc.tuple(negatable, tie("tree")).map(([test, a]): Tree => {
          return { text: `$IF(${test.text},${a.text})`, value: test.holds ? a.value : "" };
        }),
        fc.tuple(listed, tie("tree"), tie("tree")).map(([[tests, all], a, b]): Tree => {
          const holds = all ? tests.every((test) => test.holds) : tests.some((test) => test.holds);
          const list = tests.map(({ text }) => text).join(", ");
          return {
            text: `$IF([${list}], ${a.text}, ${b.text}, ${all ? "AND" : "OR"})`,
            value: holds ? a.value : b.value,
          };
        }),
      ),
    }));
    check(
      fc.property(tree, ({ text, value }) => {
        const installation_questions = Object.keys(answers).map((key) => rawQuestion(key));
        const app_values = { v: `$IF(true, ${text})` };
        expect(planOf({ app_values, installation_questions }, { answers }).plan?.appValues).toEqual({ v: value });
      }),
      500,
    );
  });
});

function asJson(value: fc.JsonValue): Json {
  const read: Json = JSON.parse(JSON.stringify(value));
  return isJsonObject(read) || Array.isArray(read) ? read : [read];
}
