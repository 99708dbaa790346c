/** Values of any kind against questions of any kind. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { judgeValues } from "../../src/core/app-values/judge-values.ts";
import { parseQuestions } from "../../src/core/app-values/parse-questions.ts";
import { isRefusal } from "../../src/core/app-values/value-fault.ts";
import type { Json, JsonObject } from "../../src/core/json/json.ts";

const KEY = fc.constantFrom("a", "b", "c", "constructor");
const SCALAR: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom("", "1", " 7 ", "yes", "off", "http://a", "10.0.0.1", "/a//b", "ix_volume"),
  fc.string(),
  fc.integer({ min: -3, max: 70_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const VALUE = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, SCALAR, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
  object: fc.dictionary(KEY, tie("value"), { maxKeys: 4 }),
}));
const SCHEMA = fc.letrec<{ questions: Json; schema: Json }>((tie) => ({
  schema: fc
    .record(
      {
        type: fc.constantFrom("string", "text", "int", "boolean", "hostpath", "path", "uri", "ipaddr", "dict", "list"),
        required: fc.boolean(),
        null: fc.boolean(),
        min: fc.integer({ min: 0, max: 3 }),
        max_length: fc.integer({ min: 1, max: 6 }),
        enum: fc.constantFrom(["a", "yes"], ["ix_volume"]),
        show_if: KEY.map((key) => [[key, "=", true]]),
        attrs: tie("questions"),
        items: tie("questions"),
      },
      { requiredKeys: ["type"] },
    )
    .map((schema): Json => schema as { [key: string]: Json }),
  questions: fc.oneof(
    { depthSize: "small" },
    fc.constant([]),
    fc
      .uniqueArray(fc.tuple(KEY, tie("schema")), { selector: ([key]) => key, maxLength: 3 })
      .map((list): Json => list.map(([variable, schema]) => ({ variable, schema }))),
  ),
}));

const options = { numRuns: 2_000 };

it("nothing sent is lost, and the order and number of items stays", () => {
  fc.assert(
    fc.property(SCHEMA.questions, VALUE.object, (written, sent) => {
      const { values } = judgeValues(parseQuestions(written).questions, sent);
      expect(shape(values, sent)).toEqual(shape(sent, sent));
    }),
    options,
  );
});

it("what the host keeps of values it takes, it takes again and keeps", () => {
  fc.assert(
    fc.property(SCHEMA.questions, VALUE.object, (written, sent) => {
      const { questions } = parseQuestions(written);
      const first = judgeValues(questions, sent);
      fc.pre(!first.faults.some(isRefusal));
      const again = judgeValues(questions, first.values);
      expect(again.faults.filter((fault) => isRefusal(fault) || fault.kind === "coerced")).toEqual([]);
      expect(again.values).toEqual(first.values);
    }),
    options,
  );
});

/** Keys and lengths of a value, of keys only those of another. */
function shape(value: Json | undefined, sent: Json | undefined): unknown {
  if (Array.isArray(sent))
    return Array.isArray(value) ? value.map((item: Json, at) => shape(item, sent[at])) : "no list";
  if (typeof sent !== "object" || sent === null) return "value";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "no object";
  const [found, keys] = [new Map(Object.entries(value)), Object.entries(sent)];
  return Object.fromEntries(keys.map(([key, member]) => [key, shape(found.get(key), member)]));
}
