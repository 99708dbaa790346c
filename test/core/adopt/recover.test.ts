import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recoverAnswers } from "../../../src/core/adopt/recover-answers.ts";
import { recoverRandoms } from "../../../src/core/adopt/recover-randoms.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json/json.ts";
import { HOST, planOf, rawQuestion } from "../../support/scripts/plans.ts";
import { dictionaryOf } from "../../support/scripts/scripts.ts";

function recover(script: Record<string, unknown>, live: JsonObject) {
  const { answers, unknown } = recoverAnswers(dictionaryOf("app", script), live, HOST);
  return { answers, unknown: Object.fromEntries(unknown) };
}

const CHOICE = {
  type: "select",
  options: [
    { text: "One", value: "one" },
    { text: "Two", value: 2 },
  ],
};

describe("an answer is recovered", () => {
  it("from a value that is nothing else, in the type of its question", () => {
    const script = {
      installation_questions: [
        rawQuestion("name"),
        rawQuestion("port", { type: "number" }),
        rawQuestion("on", { type: "boolean" }),
        rawQuestion("level", CHOICE),
        rawQuestion("pw", { type: "password" }),
      ],
      app_values: {
        a: "$QUESTION(name)",
        b: "$QUESTION(port)",
        c: "$QUESTION(on)",
        d: "$QUESTION(level)",
        e: "$QUESTION(pw)",
      },
    };
    expect(recover(script, { a: "films", b: 8080, c: false, d: 2, e: "s3cret" })).toEqual({
      answers: { name: "films", port: 8080, on: false, level: 2, pw: "s3cret" },
      unknown: {},
    });
    expect(recover(script, { a: 1, b: "8080", c: "no", d: "2", e: null })).toEqual({
      answers: {},
      unknown: { name: "unfit", port: "unfit", on: "unfit", level: "unfit", pw: "absent" },
    });
  });

  it("from the text around it, also within what a macro makes", () => {
    const script = {
      requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
      installation_questions: [rawQuestion("folder"), rawQuestion("port", { type: "number" })],
      app_values: {
        url: "http://$SERVER_LAN_IP:$QUESTION(port)/",
        data: "$HOST_PATH($LOCATION(Media)/$QUESTION(folder))",
      },
    };
    const live = {
      url: "http://192.168.1.20:8096/",
      // What the host adds of its own is no matter.
      data: { type: "host_path", host_path_config: { acl_enable: false, acl: null, path: "/mnt/tank/Media/films" } },
    };
    expect(recover(script, live)).toEqual({ answers: { folder: "films", port: 8096 }, unknown: {} });
    expect(recover(script, { ...live, url: "http://192.168.1.20:08096/" }).unknown).toEqual({ port: "unfit" });
    expect(recover(script, { ...live, url: "https://192.168.1.20:8096/" }).unknown).toEqual({ port: "unfit" });
  });

  it("from what only one of its options makes", () => {
    const script = {
      installation_questions: [
        rawQuestion("on", { type: "boolean", required: true }),
        rawQuestion("port", { type: "number" }),
      ],
      app_values: { mode: "$IF($QUESTION(on), fast, slow)", port: "$IF($QUESTION(on), $QUESTION(port), 80)" },
    };
    expect(recover(script, { mode: "fast", port: 8080 })).toEqual({ answers: { on: true, port: 8080 }, unknown: {} });
    expect(recover(script, { mode: "slow", port: 80 })).toEqual({ answers: { on: false }, unknown: { port: "unfit" } });
    expect(recover(script, { mode: "other", port: 80 }).unknown).toEqual({ on: "unfit", port: "ambiguous" });
  });
});

describe("an answer is not guessed", () => {
  it("where two texts share a place, or a text decides what is there", () => {
    const script = {
      installation_questions: [rawQuestion("a"), rawQuestion("b"), rawQuestion("c")],
      app_values: { ab: "$QUESTION(a)-$QUESTION(b)", c: "$IF($QUESTION(c), x-$QUESTION(c), x-b)" },
    };
    expect(recover(script, { ab: "1-2-3", c: "x-b" })).toEqual({
      answers: {},
      unknown: { a: "ambiguous", b: "ambiguous", c: "unfit" },
    });
  });

  it("where it may as well have been left out", () => {
    const questions = (more: object) => [rawQuestion("on", { type: "boolean", ...more })];
    const app_values = { mode: "$IF($QUESTION(on), fast, slow)" };
    const live = { mode: "slow" };
    expect(recover({ installation_questions: questions({}), app_values }, live).unknown).toEqual({ on: "ambiguous" });
    expect(recover({ installation_questions: questions({ default: false }), app_values }, live).answers).toEqual({
      on: false,
    });
  });

  it("where an item of a list may have been dropped before it", () => {
    const script = {
      installation_questions: [rawQuestion("on", { type: "boolean", required: true }), rawQuestion("k")],
      app_values: { list: ["$IF($QUESTION(on), x)", "$QUESTION(k)"] },
    };
    expect(recover(script, { list: ["x"] })).toEqual({ answers: {}, unknown: { on: "absent", k: "absent" } });
  });

  it("where nothing of it is kept, and what is no text stays data", () => {
    const script = { installation_questions: [rawQuestion("a"), rawQuestion("b")], app_values: { a: "$QUESTION(a)" } };
    expect(recover(script, { a: "$RANDOM_STRING(8)$QUESTION(b)" })).toEqual({
      answers: { a: "$RANDOM_STRING(8)$QUESTION(b)" },
      unknown: { b: "absent" },
    });
    expect(recover(script, { a: "x".repeat(70_000) }).unknown).toEqual({ a: "unfit", b: "absent" });
  });
});

describe("generated strings", () => {
  it("are found where they stand, and are never made anew", () => {
    const script = dictionaryOf("app", {
      app_values: { a: "$RANDOM_STRING(8)", url: "db:$RANDOM_STRING(8)@x", two: "$RANDOM_STRING(2)$RANDOM_STRING(2)" },
    });
    expect(recoverRandoms(script, { a: "s3cret", url: "db:pw@x", two: "abcd" })).toEqual({
      randoms: { '["app_values","a"]': "s3cret", '["app_values","url"]': "pw" },
      lost: [["two"]],
    });
  });

  it("count as they were known where the app's text has them, and nowhere else", () => {
    const script = dictionaryOf("app", {
      app_values: {
        a: "$RANDOM_STRING(8)",
        url: "$RANDOM_STRING(8)@$SERVER_LAN_IP",
        two: "$RANDOM_STRING(2)-$RANDOM_STRING(2)",
      },
    });
    const known = {
      '["app_values","a"]': "old",
      '["app_values","url"]': "pw",
      '["app_values","two"]': "ab",
      '["app_values","two",1]': "cd",
    };
    const taken = { '["app_values","url"]': "pw", '["app_values","two"]': "ab", '["app_values","two",1]': "cd" };
    expect(recoverRandoms(script, { a: "s3cret", url: "pw@4", two: "ab-cd" }, known)).toEqual({
      randoms: { '["app_values","a"]': "s3cret", ...taken },
      lost: [],
    });
    expect(recoverRandoms(script, { url: "other@4", two: "ab-xy" }, known)).toEqual({
      randoms: {},
      lost: [["a"], ["url"], ["two"]],
    });
  });
});

const text = fc.oneof(fc.constantFrom("", "a", "-", "x-", "0", "false", "$QUESTION(b)"), fc.string({ maxLength: 6 }));
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
);
const answersOf = fc.record(
  { a: text, b: text, n: number, on: fc.boolean(), level: fc.constantFrom<Json>("one", 2) },
  { requiredKeys: [] },
);
const templates = fc.constantFrom(
  "$QUESTION(a)",
  "$QUESTION(n)",
  "$QUESTION(level)",
  "-$QUESTION(a)-",
  "$QUESTION(a)$QUESTION(b)",
  "x-$QUESTION(b)",
  "$QUESTION(n)-$QUESTION(level)",
  "$IF($QUESTION(on), $QUESTION(a), x-$QUESTION(b))",
  "$IF($QUESTION(a), x-$QUESTION(a), x-b)",
  "$IF($QUESTION(a) == 0, x, $QUESTION(a))",
  "$IF($QUESTION(level) == 2, x, y)",
  "$HOST_PATH(/mnt/$QUESTION(b))",
  "$IF($QUESTION(on), x)",
);
const values = fc.dictionary(
  fc.constantFrom("p", "q", "r", "s"),
  fc.oneof(templates, fc.array(templates, { maxLength: 3 })),
);

describe("whatever was answered", () => {
  it("is found again, or nothing is", () => {
    fc.assert(
      fc.property(values, answersOf, fc.boolean(), (app_values, answers, withDefault) => {
        const script = {
          installation_questions: [
            rawQuestion("a"),
            rawQuestion("b", withDefault ? { default: "a" } : {}),
            rawQuestion("n", { type: "number" }),
            rawQuestion("on", { type: "boolean", ...(withDefault && { default: true }) }),
            rawQuestion("level", CHOICE),
          ],
          app_values,
        };
        const { plan } = planOf(script, { answers });
        const live = JSON.parse(JSON.stringify(plan?.appValues ?? null));
        if (plan === null || !isJsonObject(live)) throw new Error("the script resolves");
        for (const [key, value] of Object.entries(recover(script, live).answers)) {
          // No answer and an empty text are the same to every macro.
          expect([key, value]).toEqual([key, plan.answers[key] ?? ""]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
