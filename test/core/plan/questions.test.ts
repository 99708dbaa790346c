import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import { checkAnswer } from "../../../src/core/plan/answers.ts";
import type { Question } from "../../../src/core/script/dictionary.ts";
import { planOf, rawQuestion } from "../../support/scripts/plans.ts";

const OPTIONS = [
  { text: "One", value: 1 },
  { text: "Two", value: "two" },
];

describe("answers are checked against their question", () => {
  const rows: readonly (readonly [type: Question["type"], answer: Json, code: string | null])[] = [
    ["text", "x", null],
    ["text", "", null],
    ["text", 5, "ANSWER_TYPE"],
    ["text", ["x"], "ANSWER_TYPE"],
    ["password", "x", null],
    ["password", true, "ANSWER_TYPE"],
    ["number", 0, null],
    ["number", -1.5, null],
    ["number", "5", "ANSWER_TYPE"],
    ["number", "", "ANSWER_TYPE"],
    ["boolean", false, null],
    ["boolean", "false", "ANSWER_TYPE"],
    ["boolean", 0, "ANSWER_TYPE"],
    ["select", 1, null],
    ["select", "two", null],
    ["select", "1", "ANSWER_OPTION"],
    ["select", "Two", "ANSWER_OPTION"],
    ["select", { value: 1 }, "ANSWER_OPTION"],
  ];
  it.each(rows)("%s: %j is %s", (type, answer, code) => {
    const fault = checkAnswer({ key: "k", type, required: false, options: OPTIONS }, answer);
    expect(fault?.code ?? null).toBe(code);
  });

  it('"" does not satisfy required, like a missing answer; false and 0 do', () => {
    const asked = (type: Question["type"], answer?: Json) =>
      checkAnswer({ key: "k", type, required: true }, answer)?.code ?? null;
    expect(asked("text", "")).toBe("ANSWER_REQUIRED");
    expect(asked("text")).toBe("ANSWER_REQUIRED");
    expect(asked("number", 0)).toBeNull();
    expect(asked("boolean", false)).toBeNull();
  });

  it("never repeats a text of the wrong type: it may be a misplaced password", () => {
    expect(checkAnswer({ key: "k", type: "number", required: false }, "hunter2!")?.message).not.toContain("hunter2!");
  });
});

describe("a required yes or no without a default", () => {
  const script = (changes: Record<string, unknown> = {}) => ({
    installation_questions: [rawQuestion("agree", { type: "boolean", required: true, ...changes })],
    app_values: { agree: "$QUESTION(agree)" },
  });

  it("is offered as no, which counts where nobody answers", () => {
    for (const changes of [{}, { default: "" }, { default: null }]) {
      const { form, plan, problems } = planOf(script(changes));
      expect(problems).toEqual([]);
      expect(form.steps[0]?.sections[0]?.questions).toMatchObject([{ key: "agree", default: false }]);
      expect(plan).toMatchObject({ appValues: { agree: false }, answers: { agree: false } });
    }
  });

  it("is answered as given, and stays so", () => {
    const { plan } = planOf(script(), { answers: { agree: true } });
    const stored = { live: plan?.appValues ?? {}, answers: plan?.answers ?? {} };
    expect(planOf(script(), { mode: "options", stored }).plan?.answers).toEqual({ agree: true });
  });

  it("with one is offered as it says, and one that is not required as nothing", () => {
    expect(planOf(script({ default: true })).plan?.appValues).toEqual({ agree: true });
    expect(planOf(script({ required: false })).plan?.appValues).toEqual({ agree: "" });
  });
});

describe("all faults are reported at once, each with its key", () => {
  const installation_questions = [
    rawQuestion("port", { type: "number" }),
    rawQuestion("name", { required: true, default: "" }),
    rawQuestion("ok", { default: "fine" }),
    rawQuestion("mode", { type: "select", options: OPTIONS, required: true }),
  ];
  const app_values = { port: "$QUESTION(port)", name: "n-$QUESTION(name)", ok: "$QUESTION(ok)", ip: "$SERVER_LAN_IP" };

  it("an answer to no question is an error; values that faults spoil are null, the others resolved", () => {
    const { plan, problems, draft } = planOf(
      { installation_questions, app_values },
      { answers: { port: "80", constructor: 1 } },
    );
    expect(plan).toBeNull();
    expect(problems.map(({ code, path }) => [code, path]).toSorted()).toEqual([
      ["ANSWER_REQUIRED", ["answers", "mode"]],
      ["ANSWER_REQUIRED", ["answers", "name"]],
      ["ANSWER_TYPE", ["answers", "port"]],
      ["ANSWER_UNKNOWN", ["answers", "constructor"]],
    ]);
    expect(draft.appValues).toEqual({ port: null, name: null, ok: "fine", ip: "192.168.1.20" });
  });

  it("a consent for a hook that asks for none is an error", () => {
    const { problems } = planOf({}, { request: { consents: { nothing: true } } });
    expect(problems).toMatchObject([{ code: "ANSWER_CONSENT", path: ["consents", "nothing"] }]);
  });
});

describe("defaults", () => {
  const formOf = (questions: readonly Record<string, unknown>[], app_values = {}) => {
    const { form, plan, problems } = planOf({ installation_questions: questions, app_values });
    return {
      questions: form.steps.flatMap((step) => step.sections.flatMap((section) => section.questions)),
      plan,
      problems,
    };
  };

  it("a default that is a macro is generated once and is that answer everywhere", () => {
    const app_values = { a: "$QUESTION(k)", b: { c: "<$QUESTION(k)>" } };
    const { questions, plan } = formOf(
      [rawQuestion("k", { type: "password", default: "$RANDOM_STRING(16)" })],
      app_values,
    );
    const offered = questions[0]?.default;
    expect(offered).toMatch(/^R1x{14}$/);
    expect(questions[0]?.generated).toBe(true);
    expect(plan?.answers).toEqual({ k: offered });
    expect(plan?.appValues).toEqual({ a: offered, b: { c: `<${offered}>` } });
    expect(plan?.secrets).toEqual([offered]);
  });

  it("with macros that generate nothing are resolved and not marked as generated", () => {
    const { questions } = formOf([rawQuestion("k", { default: "https://$SERVER_LAN_IP:30032" })]);
    expect(questions[0]?.default).toBe("https://192.168.1.20:30032");
    expect(questions[0]).not.toHaveProperty("generated");
  });

  it("take the type of their question", () => {
    const { plan } = formOf([
      rawQuestion("mb", { type: "number", default: "$MEMORY(10%, 1)" }),
      rawQuestion("port", { type: "number", default: "$IF(true, 8080, 1)" }),
      rawQuestion("plex", { type: "boolean", default: "$APP_INSTALLED(plex)" }),
      rawQuestion("text", { default: "$MEMORY(10%, 1)" }),
      rawQuestion("mode", { type: "select", options: OPTIONS, default: "$IF(true, 1)" }),
    ]);
    expect(plan?.answers).toEqual({ mb: 1600, port: 8080, plex: true, text: "1600", mode: 1 });
  });

  it("that are written as text are values of their question's type, and stay as written where they are none", () => {
    const { questions } = formOf([
      rawQuestion("port", { type: "number", default: "8080" }),
      rawQuestion("on", { type: "boolean", default: "false" }),
      rawQuestion("mode", { type: "select", options: [{ text: "One", value: 1 }], default: "1" }),
      rawQuestion("many", { type: "number", default: "many" }),
    ]);
    expect(questions.map((question) => question.default)).toEqual([8080, false, 1, "many"]);
  });

  it("that do not fit their question once resolved are an error at the default", () => {
    const { problems } = formOf([rawQuestion("n", { type: "number", default: "$SERVER_LAN_IP" })]);
    expect(problems).toMatchObject([{ code: "ANSWER_TYPE", path: ["installation_questions", 0, "default"] }]);
  });

  it("may use other answers, in any order, and a circle of them is an error", () => {
    const chain = [rawQuestion("a", { default: "$QUESTION(b)/a" }), rawQuestion("b", { default: "b" })];
    expect(formOf(chain).plan?.answers).toEqual({ a: "b/a", b: "b" });
    const circle = [rawQuestion("a", { default: "$QUESTION(b)" }), rawQuestion("b", { default: "$QUESTION(a)" })];
    expect(formOf(circle).problems.map(({ code }) => code)).toContain("MACRO_CYCLE");
  });

  it("that lead through too many questions are refused with a problem instead of a stack overflow", () => {
    const chain = Array.from({ length: 499 }, (_, index) =>
      rawQuestion(`q${index}`, { default: `$QUESTION(q${index + 1})` }),
    );
    const { plan, problems } = formOf([...chain, rawQuestion("q499", { default: "end" })]);
    expect(plan).toBeNull();
    expect(problems[0]).toMatchObject({ code: "MACRO_NESTING", severity: "error" });
  });

  it("a random default is kept by its question's key, wherever the question stands in a newer script", () => {
    const k = rawQuestion("k", { default: "$RANDOM_STRING(9)" });
    const first = planOf({ installation_questions: [k] }).plan;
    const newer = planOf(
      { installation_questions: [rawQuestion("new", { default: "$RANDOM_STRING(9)" }), k] },
      { stored: { randoms: first?.randoms ?? {} }, random: (length) => "z".repeat(length) },
    ).plan;
    expect(newer?.answers).toEqual({ new: "zzzzzzzzz", k: first?.answers["k"] });
  });

  it("a null answer is no answer: the default counts", () => {
    const { plan } = planOf({ installation_questions: [rawQuestion("k", { default: "d" })] }, { answers: { k: null } });
    expect(plan?.answers).toEqual({ k: "d" });
  });
});

describe("grouping rules", () => {
  const outline = (
    groups: readonly (string | undefined)[],
    mode: "install" | "custom" | "options" | "reinstall" = "install",
  ) => {
    const installation_questions = groups.map((group, index) =>
      rawQuestion(`q${index}`, group === undefined ? {} : { group }),
    );
    return planOf({ installation_questions }, { mode }).form.steps.map(({ title, rail, sections }) => {
      return [title, rail, sections.map((section) => [section.title, section.questions.map(({ key }) => key).join()])];
    });
  };

  it("1: only a slash with a space on each side splits, and only the first", () => {
    expect(outline(["TCP/IP settings", "A / B / C"])).toEqual([
      ["TCP/IP settings", false, [["TCP/IP settings", "q0"]]],
      ["A", false, [["B / C", "q1"]]],
    ]);
  });

  it("2: the same step text shares a step, the same full value shares a section", () => {
    expect(outline(["A / X", "B", "A / Y", "A / X"])).toEqual([
      [
        "A",
        true,
        [
          ["X", "q0,q3"],
          ["Y", "q2"],
        ],
      ],
      ["B", false, [["B", "q1"]]],
    ]);
  });

  it("3: steps and sections stand in the order of their first question", () => {
    expect(outline(["Z / 2", "A / 1", "Z / 1"]).map(([title]) => title)).toEqual(["Z", "A"]);
  });

  it("4: a plain step value beside sections appears in the rail as General", () => {
    expect(outline(["A / X", "A"])).toEqual([
      [
        "A",
        true,
        [
          ["X", "q0"],
          ["General", "q1"],
        ],
      ],
    ]);
  });

  it("5: a step with a single section shows no rail", () => {
    expect(outline(["A / X", "A / X"])).toEqual([["A", false, [["X", "q0,q1"]]]]);
  });

  it("6: without group all questions stand on one screen", () => {
    expect(outline([undefined, undefined])).toEqual([["", false, [["", "q0,q1"]]]]);
  });

  it("7: grouping has no effect on the payload", () => {
    const values = (group?: string) => {
      const question = rawQuestion("k", { default: "d", ...(group === undefined ? {} : { group }) });
      return planOf({ installation_questions: [question], app_values: { k: "$QUESTION(k)" } }).plan?.appValues;
    };
    expect(values("A / B")).toEqual(values());
  });

  it.each(["custom", "options"] as const)("8: the %s dialog shows every question on one screen", (mode) => {
    expect(outline(["A / X", "B", undefined], mode)).toEqual([["", false, [["", "q0,q1,q2"]]]]);
  });

  it("no questions make no step", () => {
    expect(outline([])).toEqual([]);
  });
});

describe("an installonly question", () => {
  const script = {
    installation_questions: [rawQuestion("first", { installonly: true, required: true }), rawQuestion("later")],
    app_values: { first: "$QUESTION(first)" },
  };
  const asked = (mode: "install" | "custom" | "reinstall" | "options") => {
    const { form } = planOf(script, { mode });
    return form.steps.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions.map(({ key }) => key)));
  };

  it("is asked in install, custom install and reinstall, and hidden from the options dialog", () => {
    expect(asked("install")).toEqual(["first", "later"]);
    expect(asked("custom")).toEqual(["first", "later"]);
    expect(asked("reinstall")).toEqual(["first", "later"]);
    expect(asked("options")).toEqual(["later"]);
  });

  it("is recovered from the live configuration in the options dialog", () => {
    const { plan, problems } = planOf(script, { mode: "options", stored: { live: { first: "Ada" } } });
    expect(problems).toEqual([]);
    expect(plan?.appValues).toEqual({ first: "Ada" });
  });

  it("that can't be recovered is a warning: nobody can be asked", () => {
    const { problems } = planOf(script, { mode: "options" });
    expect(problems).toMatchObject([{ code: "ANSWER_LOST", severity: "warning", path: ["answers", "first"] }]);
  });
});
