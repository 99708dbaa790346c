/** What the host takes of an app's values, keeps otherwise than sent, fills in and refuses. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { JudgeContext } from "../../../src/core/app-values/judge-context.ts";
import { judgeValues } from "../../../src/core/app-values/judge-values.ts";
import { parseQuestions } from "../../../src/core/app-values/parse-questions.ts";
import type { Json, JsonObject } from "../../../src/core/json/json.ts";

type Written = Readonly<Record<string, JsonObject>>;

function judge(schemas: Written, sent: JsonObject, context?: JudgeContext) {
  const { questions, faults } = parseQuestions(toQuestions(schemas));
  expect(faults).toEqual([]);
  const judged = judgeValues(questions, sent, context);
  return {
    values: judged.values,
    faults: judged.faults.map(
      ({ kind, path, reason }) => `${kind} ${path.join(".")}${reason === "" ? "" : `: ${reason}`}`,
    ),
  };
}

function toQuestions(schemas: Written): readonly Json[] {
  return Object.entries(schemas).map(([variable, schema]) => ({ variable, schema }));
}

interface Recorded {
  readonly type: string;
  readonly value: Json;
  readonly kept?: Json;
  readonly reason?: string;
}
const RECORDED: { readonly rows: readonly Recorded[] } = JSON.parse(
  readFileSync(new URL("pydantic-lax.json", import.meta.url), "utf8"),
);

it.each(["int", "boolean", "string", "uri", "ipaddr", "path"])(
  "a value of type %s becomes what pydantic makes of it",
  (type) => {
    const rows = RECORDED.rows.filter((row) => row.type === type);
    expect(rows.length).toBeGreaterThan(40);
    const ours = rows.map((row) => {
      const { values, faults } = judge({ x: { type, required: true } }, { x: row.value });
      const refused = faults.find((fault) => !fault.startsWith("coerced"));
      if (refused === undefined) return { type, value: row.value, kept: values["x"] };
      return { type, value: row.value, reason: refused.replace(/^\w+ x: /, "") };
    });
    expect(ours).toEqual(
      rows.map((row) =>
        row.reason?.startsWith("Input should be a valid URL, invalid international")
          ? { ...row, reason: "Input should be a valid URL, invalid host" }
          : row,
      ),
    );
  },
);

it.each([
  [{ type: "int", min: 1, max: 10 }, "0", "range x: Input should be greater than or equal to 1"],
  [{ type: "int", min: 1, max: 10 }, 11, "range x: Input should be less than or equal to 10"],
  [{ type: "string", min_length: 2 }, "a", "length x: String should have at least 2 characters"],
  [{ type: "string", max_length: 1 }, "ab", "length x: String should have at most 1 character"],
  [{ type: "string" }, "a".repeat(1_025), "length x: String should have at most 1024 characters"],
  [{ type: "string", valid_chars: "^[a-f]+$" }, "xyz", "form x: String should match pattern '^[a-f]+$'"],
  [{ type: "string", enum: ["a", "b", "c"] }, "d", "choice x: Input should be 'a', 'b' or 'c'"],
  [{ type: "list", min: 1, items: [] }, [], "length x: List should have at least 1 item after validation, not 0"],
  [{ type: "list", max: 1, items: [] }, [1, 2], "length x: List should have at most 1 item after validation, not 2"],
  [{ type: "list", items: [] }, {}, "type x: Input should be a valid list"],
  [{ type: "dict", attrs: [] }, [], "type x: Input should be a valid dictionary"],
  [{ type: "int" }, null, "type x: Input should be a valid integer"],
])("refuses case %#: %j", (schema, value, fault) => {
  expect(judge({ x: schema }, { x: value }).faults).toEqual([fault]);
});

it.each([
  [{ type: "text" }, "a".repeat(5_000)],
  [{ type: "int", null: true }, null],
  [{ type: "string", enum: [{ value: "a", description: "A" }] }, "a"],
  [{ type: "uri", default: "" }, ""],
  [{ type: "string", valid_chars: "^([a-z]+)+$" }, `${"a".repeat(60)}!`],
  [{ type: "string", max_length: 2 }, "😀😀"],
])("takes case %# as it is: %j", (schema, value) => {
  expect(judge({ x: schema }, { x: value })).toEqual({ values: { x: value }, faults: [] });
});

it.each([
  "(a|a)*b",
  "(a?a)*b",
  "(a|a){1,60}b",
  "(?:a|aa)+b",
  "a*a*a*a*a*a*a*a*b",
  "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?b",
  "(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)b",
  "([a-f]{1,9}){2,}!",
])("a pattern that may take for ever is not judged: %s", (valid_chars) => {
  const value = `${"a".repeat(200)}!`;
  const begun = performance.now();
  expect(judge({ x: { type: "string", valid_chars } }, { x: value }).faults).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

it.each([
  ["^[a-zA-Z0-9!@#$%^&*?]{8,}$|^$", "short"],
  ["^((?!@).)*$", "a@b"],
  ["^.+@.+\\..+$", "a@b"],
  ["^(4|8)[a-km-zA-HJ-NP-Z1-9]{94}$", "4"],
  ["^[^\\n\\r\\t\\f`?*\\<>|\"':]+$", "a|b"],
  ["^https?://[a-z]+(\\.[a-z]{2,})?$", "ftp://x"],
  ["^(?:a|b)$", "c"],
])("a pattern like those of the catalog is judged: %s", (valid_chars, value) => {
  const fault = `form x: String should match pattern '${valid_chars}'`;
  expect(judge({ x: { type: "string", valid_chars } }, { x: value }).faults).toEqual([fault]);
});

it("the first kind of item the host takes is the item's, whatever is to be noted of it", () => {
  const shown = { type: "string", show_if: [["on", "=", true]] };
  const first = { type: "dict", attrs: toQuestions({ on: { type: "boolean" }, a: shown }) };
  const second = { type: "dict", attrs: toQuestions({ b: { type: "string" } }) };
  const items = [
    { variable: "one", schema: first },
    { variable: "two", schema: second },
  ];
  const judged = judge({ x: { type: "list", items } }, { x: [{ on: false, a: "text" }] });
  expect(judged.faults).toEqual(["hidden x.0.a"]);
});

it("unknown keys are kept at every depth, and told of", () => {
  const schemas = { storage: { type: "dict", attrs: toQuestions({ data: { type: "string" } }) } };
  const sent = { storage: { data: "a", export: "b" }, release_name: "c" };
  expect(judge(schemas, sent)).toEqual({ values: sent, faults: ["unknown release_name", "unknown storage.export"] });
});

it("a missing key gets its default unchecked; without one it is refused if it is required", () => {
  const schemas = {
    key: { type: "string", required: true, default: "", min_length: 8 },
    image: {
      type: "dict",
      attrs: toQuestions({
        repository: { type: "string", required: true },
        tag: { type: "string", default: "latest" },
      }),
    },
    note: { type: "string" },
  };
  expect(judge(schemas, {})).toEqual({
    values: { key: "", image: { tag: "latest" } },
    faults: ["missing image.repository: Field required"],
  });
});

it("what a sibling hides is not required, not filled in, and has no effect", () => {
  const config = {
    type: "dict",
    show_if: [["type", "=", "host_path"]],
    attrs: toQuestions({ path: { type: "hostpath", required: true } }),
  };
  const schemas = { type: { type: "string", default: "ix_volume" }, config };
  expect(judge(schemas, {})).toEqual({ values: { type: "ix_volume" }, faults: [] });
  expect(judge(schemas, { type: "host_path" }).faults).toEqual(["missing config.path: Field required"]);
  expect(judge(schemas, { config: {} })).toEqual({
    values: { type: "ix_volume", config: {} },
    faults: ["hidden config"],
  });
});

it("a condition sees the value the host keeps, and a sibling that is not there equals nothing", () => {
  const schemas = {
    on: { type: "boolean", default: false },
    a: { type: "string", show_if: [["on", "=", true]], required: true },
    b: { type: "string", show_if: [["nowhere", "=", false]], required: true },
    c: { type: "string", show_if: [["nowhere", "!=", false]], required: true },
  };
  expect(judge(schemas, { on: "yes" }).faults).toEqual([
    "coerced on",
    "missing a: Field required",
    "missing c: Field required",
  ]);
});

it("each item of a list is judged by the first kind that takes it", () => {
  const port = { type: "dict", attrs: toQuestions({ port: { type: "int", required: true } }) };
  const schemas = { ports: { type: "list", items: toQuestions({ port, name: { type: "string" } }) } };
  expect(judge(schemas, { ports: [{ port: "80" }, "web", {}] })).toEqual({
    values: { ports: [{ port: 80 }, "web", {}] },
    faults: ["coerced ports.0.port", "missing ports.2.port: Field required"],
  });
});

it("a certificate depends on the host, and is refused where the host has no such one", () => {
  const schemas = { certificate_id: { type: "int", null: true, $ref: ["definitions/certificate"] } };
  expect(judge(schemas, { certificate_id: 1 }).faults).toEqual(["host certificate_id"]);
  expect(judge(schemas, { certificate_id: 1 }, { certificates: [1] }).faults).toEqual([]);
  expect(judge(schemas, { certificate_id: 1 }, { certificates: [2] }).faults).toEqual([
    "certificate certificate_id: Unable to locate certificate.",
  ]);
  expect(judge(schemas, { certificate_id: null }, { certificates: [] }).faults).toEqual([]);
});

it("an immutable value stays as the installed app has it", () => {
  const schemas = { admin: { type: "string", immutable: true } };
  expect(judge(schemas, { admin: "a" }, { before: { admin: "a" } }).faults).toEqual([]);
  expect(judge(schemas, { admin: "b" }, { before: {} }).faults).toEqual([]);
  expect(judge(schemas, { admin: "b" }, { before: { admin: "a" } }).faults.map((fault) => fault.split(":")[0])).toEqual(
    ["immutable admin"],
  );
});

it("a key named like a member of every object is a key", () => {
  const sent = JSON.parse('{"__proto__": 1, "constructor": 2}');
  expect(judge({}, sent).faults).toEqual(["unknown __proto__", "unknown constructor"]);
  expect(JSON.stringify(judge({}, sent).values)).toBe('{"__proto__":1,"constructor":2}');
});
