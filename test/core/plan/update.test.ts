import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/json/json.ts";
import { updateDifferences } from "../../../src/core/plan/values/update-differences.ts";
import { admitsUpdate } from "../../../src/core/script/update-compatibility.ts";
import { planOf, rawQuestion } from "../../support/scripts/plans.ts";

const NOTHING = { dictionary: { questions: [] }, secrets: [], secretPlaces: [] };

describe("random strings are generated once per place and kept", () => {
  const app_values = { a: "$RANDOM_STRING(8)", b: "x-$RANDOM_STRING(4)-$RANDOM_STRING(4)", c: ["$RANDOM_STRING(8)"] };

  it("by JSON path, several of one string apart", () => {
    const { plan } = planOf({ app_values });
    expect(plan?.randoms).toEqual({
      '["app_values","a"]': "R1xxxxxx",
      '["app_values","b"]': "R2xx",
      '["app_values","b",1]': "R3xx",
      '["app_values","c",0]': "R4xxxxxx",
    });
    expect(plan?.appValues).toEqual({ a: "R1xxxxxx", b: "x-R2xx-R3xx", c: ["R4xxxxxx"] });
  });

  it("a stored random string goes before the live one, the live one before a new one", () => {
    const live = { a: "live-a", c: ["live-c"] };
    const { plan } = planOf({ app_values }, { stored: { randoms: { '["app_values","a"]': "stored-a" }, live } });
    expect(plan?.appValues).toMatchObject({ a: "stored-a", c: ["live-c"] });
  });

  it("a live string is found inside text without other macros", () => {
    const script = { app_values: { url: "postgres://app:$RANDOM_STRING(8)@db" } };
    const { plan } = planOf(script, { stored: { live: { url: "postgres://app:s3cret@db" } } });
    expect(plan?.appValues).toEqual({ url: "postgres://app:s3cret@db" });
    expect(plan?.secrets).toEqual(["s3cret"]);
  });

  it("a value of a branch not taken now is kept for the time it is", () => {
    const script = {
      app_values: { a: "$IF($QUESTION(on), $RANDOM_STRING(8), '')" },
      installation_questions: [rawQuestion("on")],
    };
    const first = planOf(script, { answers: { on: "yes" } }).plan;
    const off = planOf(script, { stored: { randoms: first?.randoms ?? {} } }).plan;
    const again = planOf(script, { answers: { on: "yes" }, stored: { randoms: off?.randoms ?? {} } }).plan;
    expect(again?.appValues).toEqual(first?.appValues);
  });
});

describe("$QUESTION on update", () => {
  const script = {
    installation_questions: [rawQuestion("k", { default: "default" }), rawQuestion("n", { type: "number" })],
    app_values: {
      env: [
        { name: "K", value: "$QUESTION(k)" },
        { name: "FIXED", value: "1" },
      ],
      n: "$QUESTION(n)",
      text: "<$QUESTION(k)>",
    },
  };
  const kOf = (answers: Record<string, string>, stored: { live?: JsonObject; answers?: Record<string, string> }) => {
    return planOf(script, { mode: "options", answers, stored }).plan?.answers["k"];
  };
  const live = { env: [{ name: "K", value: "live" }], n: 5 };

  it("$QUESTION is the new answer, else the live value, else the stored answer, else the default", () => {
    expect(kOf({ k: "new" }, { live, answers: { k: "stored" } })).toBe("new");
    expect(kOf({}, { live, answers: { k: "stored" } })).toBe("live");
    expect(kOf({}, { live: {}, answers: { k: "stored" } })).toBe("stored");
    expect(kOf({}, {})).toBe("default");
  });

  it("is found in an array by the members written out, wherever a person moved it", () => {
    const moved = {
      env: [
        { name: "MINE", value: "x" },
        { name: "K", value: "live" },
      ],
    };
    expect(kOf({}, { live: moved })).toBe("live");
    expect(kOf({}, { live: { env: [{ name: "MINE", value: "x" }] } })).toBe("default");
  });

  it("a live value keeps its type, and is passed over where it does not fit the question", () => {
    expect(planOf(script, { stored: { live } }).plan?.appValues["n"]).toBe(5);
    expect(planOf(script, { stored: { live: { n: "five" }, answers: { n: 7 } } }).plan?.appValues["n"]).toBe(7);
  });

  it("is shown in the options dialog as what it is now", () => {
    const { form } = planOf(script, { mode: "options", stored: { live } });
    expect(form.steps[0]?.sections[0]?.questions).toMatchObject([{ default: "live" }, { default: 5 }]);
  });
});

describe("the differences of an update", () => {
  const live = {
    app: { a: 1, mine: "kept", list: [1, 2], deep: { x: 1, y: 2 } },
    network: { port: 80 },
    untouched: { z: 1 },
  };
  const plain = (appValues: JsonObject) => updateDifferences({ appValues, ...NOTHING }, live);

  it("reports what changes and nothing else", () => {
    const differences = plain({ app: { a: 2, list: [1, 2], deep: { y: 2, n: null } }, network: { port: 80 } });
    expect(differences).toEqual([
      { path: ["app", "a"], kind: "changed", before: 1, after: 2 },
      { path: ["app", "deep", "n"], kind: "added", after: null },
    ]);
  });

  it("sees none in another order of keys, and an array as a whole", () => {
    const before = { a: [{ y: 2, x: 1 }], b: [1, 2] };
    const appValues = { a: [{ x: 1, y: 2 }], b: [2] };
    expect(updateDifferences({ appValues, ...NOTHING }, before)).toEqual([
      { path: ["b"], kind: "changed", before: [1, 2], after: [2] },
    ]);
  });

  it("masks secrets before and after, also an old one no longer known", () => {
    const script = {
      installation_questions: [rawQuestion("pw", { type: "password" })],
      app_values: { app: { pw: "$QUESTION(pw)", url: "u:$QUESTION(pw)@h" } },
    };
    const { plan } = planOf(script, { answers: { pw: "new-secret" } });
    if (plan === null) throw new Error("the script has a plan");
    const differences = updateDifferences(plan, { app: { pw: "old-secret", url: "u:old-secret@h" } });
    expect(differences.map(({ path }) => path)).toEqual([
      ["app", "pw"],
      ["app", "url"],
    ]);
    expect(JSON.stringify(differences)).not.toMatch(/(old|new)-secret/);
  });
});

describe("updateCompatibility is decided by semver", () => {
  const rows: readonly (readonly [version: string, range: string | null, installed: string, admitted: boolean])[] = [
    ["2.0.0", ">=1.0.0", "1.5.0", true],
    ["2.0.0", ">1.0.0 <1.5.0", "1.5.0", false],
    ["2.0.0", "^1.2.0", "1.9.9", true],
    ["2.0.0", "~1.2.0", "1.3.0", false],
    ["2.0.0", "<=1.0.0 || ^1.5.0", "1.6.0", true],
    ["2.0.0", ">=1.0.0", "1.5.0-beta.1", true],
    ["1.2.0", null, "1.0.0", true],
    ["2.0.0", null, "1.9.0", false],
    ["0.3.0", null, "0.1.0", true],
    ["1.2.0", "<1.0.0", "1.2.0", true],
    ["2.0.0", "1.x", "unknown", false],
  ];
  it.each(rows)("script %s with range %s and %s installed: %s", (version, range, installed, admitted) => {
    const script = { version, ...(range !== null && { updateCompatibility: range }) };
    expect(admitsUpdate(script, installed)).toBe(admitted);
  });
});
