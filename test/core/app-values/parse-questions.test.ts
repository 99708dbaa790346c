/** How questions are read, from whatever a catalog holds. */
import { expect, it } from "vitest";
import { parseAppSchema, parseQuestions } from "../../../src/core/app-values/parse-questions.ts";

it("a question that can't be read is left out and named", () => {
  const { questions, faults } = parseQuestions([
    { variable: "a", schema: { type: "string" } },
    { variable: "b", schema: { type: "colour" } },
    { variable: "c", schema: { type: "dict", attrs: [{ variable: "d" }, 5] } },
  ]);
  expect(questions.map(({ key }) => key)).toEqual(["a", "c"]);
  expect(faults).toEqual([
    { question: "b", message: 'the type "colour" is not known' },
    { question: "c.d", message: 'it has no "variable" or no "schema"' },
    { question: "c.?", message: 'it has no "variable" or no "schema"' },
  ]);
});

it("questions nested without end are read to 64 levels", () => {
  let question: object = { variable: "leaf", schema: { type: "string" } };
  for (let level = 0; level < 150; level += 1)
    question = { variable: "x", schema: { type: "dict", attrs: [question] } };
  const { faults } = parseQuestions(JSON.parse(JSON.stringify([question])));
  expect(faults.map(({ message }) => message)).toEqual(["it is nested deeper than 64 levels"]);
});

it.each([null, 5, {}, { app: "a", train: "b" }])("%j is no schema of an app", (value) => {
  expect(parseAppSchema(value)).toBeNull();
});

it("a schema without a list of questions says so", () => {
  expect(parseAppSchema({ app: "a", train: "b", version: "1", questions: 5 })?.faults).toEqual([
    { question: "", message: "the questions are no list" },
  ]);
});
