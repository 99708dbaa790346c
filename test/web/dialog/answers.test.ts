import { describe, expect, it } from "vitest";
import type { Problem, Question } from "../../../src/web/api/types.ts";
import {
  isAboutAnswer,
  placeProblems,
  readShown,
  regenerate,
  setAnswer,
  toRequestAnswers,
} from "../../../src/web/elements/dialog/questions/answers.ts";

function ask(key: string, type: Question["type"], more: Partial<Question> = {}): Question {
  return { key, type, question: key, required: false, installonly: false, ...more };
}

function fault(path: Problem["path"], code = "ANSWER_TYPE"): Problem {
  return { code, path, message: "no", severity: "error", line: 0, column: 0, length: 0 };
}

describe("answers of a dialog", () => {
  it("show what was given, else what is offered", () => {
    const question = ask("name", "text", { default: "admin" });
    expect(readShown(question, {})).toBe("admin");
    expect(readShown(question, { name: "" })).toBe("");
    expect(readShown(ask("toString", "text"), {})).toBeUndefined();
  });

  it("are sent where they were given alone, numbers as numbers", () => {
    const questions = [ask("name", "text"), ask("port", "number"), ask("rate", "number"), ask("on", "boolean")];
    const answers = { port: " 8080 ", rate: "0,5", on: false, elsewhere: "x" };
    expect(toRequestAnswers(questions, answers)).toEqual({ port: 8080, rate: 0.5, on: false });
  });

  it("leave to the engine what is no number, and to its default what was emptied", () => {
    const questions = [ask("port", "number")];
    for (const port of ["80x", "0x10", "1e3", "1.000,5"])
      expect(toRequestAnswers(questions, { port })).toEqual({ port });
    expect(toRequestAnswers(questions, { port: " " })).toEqual({});
  });

  it("count by their default again where one is taken back", () => {
    expect(setAnswer({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
    expect(setAnswer({ b: 2 }, "a", null)).toEqual({ a: null, b: 2 });
  });

  it("have their problems at their question, those of a target at the target's", () => {
    const own = fault(["answers", "port"]);
    const second = fault(["answers", "port"], "ANSWER_OPTION");
    const ofTarget = fault(["links", 0, "install", "media", "answers", "port"]);
    const whole = fault([]);
    const all = [own, ofTarget, whole, second];
    expect([...placeProblems(all)]).toEqual([["port", [own, second]]]);
    expect([...placeProblems(all, { target: "media" })]).toEqual([["port", [ofTarget]]]);
    expect([...placeProblems(all, { target: "notes" })]).toEqual([]);
    expect(all.filter((problem) => !isAboutAnswer(problem))).toEqual([whole]);
  });
});

describe("a password that is made anew", () => {
  it("is as long as the one before, of letters and digits, by the numbers it is given", () => {
    expect(regenerate("abc", () => Uint32Array.of(0, 61, 62))).toBe("A9A");
    const made = regenerate("x".repeat(40), (count) => crypto.getRandomValues(new Uint32Array(count)));
    expect(made).toMatch(/^[A-Za-z0-9]{40}$/);
  });
});
