/** What the macros of one plan may cost, wherever a plan is made, and how much a person may answer. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseTemplate } from "../../../src/core/macros/parse.ts";
import { HOST, planOf, rawQuestion } from "../../support/scripts/plans.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

const folder = mkdtempSync(join(tmpdir(), "slipway-budget-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Questions whose defaults each use the next one twice: the first has 2 to the power of `length` times the last. */
function doubling(length: number): Record<string, unknown>[] {
  return Array.from({ length }, (_, index) =>
    rawQuestion(`q${index}`, {
      default: index + 1 < length ? `$QUESTION(q${index + 1})$QUESTION(q${index + 1})` : "x".repeat(1_000),
    }),
  );
}
const codesOf = ({ problems }: { readonly problems: readonly { readonly code: string }[] }) =>
  problems.map(({ code }) => code);

describe("the budget of a plan", () => {
  it("defaults that double each other are refused with one problem that names the macro and its place", () => {
    const resolved = planOf({ installation_questions: doubling(60), app_values: { a: "$QUESTION(q0)" } });
    expect(resolved.plan).toBeNull();
    expect(resolved.problems).toMatchObject([{ code: "MACRO_BUDGET", severity: "error" }]);
    const [problem] = resolved.problems;
    expect(problem?.message).toMatch(/^with the macro "\$QUESTION\(q\d+\)" the plan holds more than/);
    expect(problem?.path.slice(0, 1)).toEqual(["installation_questions"]);
  });

  it("10,000 macros are resolved, one more is refused", () => {
    const list = (count: number) => ({ app_values: { list: Array.from({ length: count }, () => "$SERVER_LAN_IP") } });
    expect(planOf(list(10_000)).plan).not.toBeNull();
    expect(codesOf(planOf(list(10_001)))).toEqual(["MACRO_BUDGET"]);
  });

  it("4 MB of text from macros are resolved, more are refused", () => {
    const uses = (count: number) => ({
      installation_questions: [rawQuestion("k")],
      app_values: { list: Array.from({ length: count }, () => "$QUESTION(k)") },
    });
    const answers = { k: "x".repeat(64 * 1024) };
    expect(planOf(uses(64), { answers }).plan).not.toBeNull();
    expect(codesOf(planOf(uses(65), { answers }))).toEqual(["MACRO_BUDGET"]);
  });

  it("a default is resolved once, however often it is used", () => {
    const resolved = planOf({
      installation_questions: [rawQuestion("key", { default: "$RANDOM_STRING(16)" })],
      app_values: { list: Array.from({ length: 5_000 }, () => "$QUESTION(key)") },
    });
    expect(new Set(Object(resolved.plan?.appValues["list"])).size).toBe(1);
    expect(Object.keys(resolved.plan?.randoms ?? {})).toHaveLength(1);
  });

  it("defaults nested deeply in a long chain of questions are refused without overflowing the stack", () => {
    const wrapped = (text: string) => JSON.parse(`${"[".repeat(150)}${JSON.stringify(text)}${"]".repeat(150)}`);
    const questions = Array.from({ length: 90 }, (_, index) =>
      rawQuestion(`q${index}`, { default: wrapped(`${"$IF(1,".repeat(20)}$QUESTION(q${index + 1})${")".repeat(20)}`) }),
    );
    const resolved = planOf({
      installation_questions: [...questions, rawQuestion("q90", { default: "x" })],
      app_values: { a: "$QUESTION(q0)" },
    });
    expect(resolved.plan).toBeNull();
    expect(codesOf(resolved)).toContain("MACRO_NESTING");
  });

  it("random strings at places with very long paths cost what their paths do", () => {
    const deep = (value: unknown): unknown =>
      Array.from({ length: 60 }).reduce((inner) => ({ ["k".repeat(10_000)]: inner }), value);
    const list = Array.from({ length: 50 }, () => "$RANDOM_STRING(1)");
    expect(codesOf(planOf({ app_values: { a: deep(list) } }))).toEqual(["MACRO_BUDGET"]);
  });

  it.each([[], ["--explain"]])("`slipway plan` says so in few words and ends with exit code 1: %j", (...more) => {
    const script = join(folder, "app.json");
    const facts = join(folder, "facts.json");
    writeFileSync(
      script,
      JSON.stringify(rawScript({ installation_questions: doubling(60), app_values: { a: "$QUESTION(q0)" } })),
    );
    writeFileSync(facts, JSON.stringify(HOST));
    const args = ["src/cli/bin.ts", "plan", script, "--host-facts", facts, "--format", "json", ...more];
    let output = "";
    try {
      execFileSync(process.execPath, args, { encoding: "utf8", stdio: "pipe", maxBuffer: 64 * 1024 * 1024 });
    } catch (error) {
      output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    }
    const document = JSON.parse(output);
    expect(codesOf(document)).toContain("MACRO_BUDGET");
    // the questions are there, without a default of megabytes each
    expect(output).toContain('"q59"');
    expect(output).not.toContain('"default":');
    expect(output.length).toBeLessThan(50_000);
  });
});

describe("answers", () => {
  const script = { installation_questions: [rawQuestion("name")], app_values: { a: "$QUESTION(name)" } };

  it("a text of more than 64 KB is one refusal that does not repeat it", () => {
    const { problems, plan } = planOf(script, { answers: { name: "x".repeat(10 * 1024 * 1024) } });
    expect(plan).toBeNull();
    expect(problems).toMatchObject([{ code: "ANSWER_TOO_LONG", path: ["answers", "name"] }]);
    expect(problems[0]?.message.length).toBeLessThan(200);
  });

  it("100,000 answers to unknown questions are one refusal", () => {
    const answers = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, "x"]));
    expect(codesOf(planOf(script, { answers }))).toEqual(["ANSWER_TOO_MANY"]);
  });
});

describe("the macro parser", () => {
  it("macros and the JSON of branches, however they are nested, are read or refused without overflowing the stack", () => {
    for (const levels of [1, 20, 60, 100]) {
      for (const macros of [10, 50, 90, 100]) {
        let text = "1";
        for (let count = 0; count < macros; count += 1) {
          text = `$IF(a,${"[".repeat(levels)}${text}${"]".repeat(levels)})`;
        }
        const refused = parseTemplate(text).faults.some(({ code }) => code === "MACRO_NESTING");
        expect(refused).toBe(macros * (levels + 1) > 99);
      }
    }
  });

  it("no text makes it throw, whatever stands in it", () => {
    const token = fc.constantFrom(
      "$IF(",
      "$QUESTION(",
      "$MEMORY(",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      ":",
      "'",
      '"',
      ",",
      "==",
      "!",
      "a",
      "1",
      "\\",
      " ",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), fc.integer({ min: 1, max: 3_000 }), (tokens, times) => {
        parseTemplate(tokens.join("").repeat(times));
      }),
      { numRuns: 300 },
    );
  });
});
