import fc from "fast-check";
import { expect, it } from "vitest";
import { generateAnswer, generateRequired } from "../../src/check/trials/generate-answers.ts";
import { checkGivenAnswer } from "../../src/core/plan/answers.ts";
import { QUESTION_TYPES } from "../../src/core/script/script-words.ts";
import { createSeededRandom } from "../../src/standin/random.ts";

const SEED = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);

const value = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const question = fc.record({
  question: fc.string(),
  type: fc.constantFrom(...QUESTION_TYPES),
  key: fc.string({ minLength: 1, maxLength: 200 }),
  options: fc.array(fc.record({ text: fc.string(), value }), { maxLength: 5 }),
  required: fc.boolean(),
  installonly: fc.boolean(),
});

it(`a generated answer fits any question that has one, and the same seed gives the same, seed ${SEED}`, () => {
  fc.assert(
    fc.property(question, fc.nat(), (asked, seed) => {
      const answer = generateAnswer(asked, createSeededRandom(seed));
      expect(generateAnswer(asked, createSeededRandom(seed))).toEqual(answer);
      const canBe = asked.type !== "select" || asked.options.some((option) => option.value !== "");
      if (canBe) expect([answer === null, checkGivenAnswer(asked, answer)]).toEqual([false, null]);
      else expect(answer).toBeNull();
    }),
    { seed: SEED, numRuns: 500 },
  );
});

it(`what is required and has no default is answered, and nothing else, seed ${SEED}`, () => {
  fc.assert(
    fc.property(fc.uniqueArray(question, { selector: ({ key }) => key }), (asked) => {
      const able = asked.filter(({ type }) => type !== "select");
      const answered = Object.keys(generateRequired(able, createSeededRandom(1)));
      expect(answered.sort()).toEqual(able.flatMap(({ required, key }) => (required ? [key] : [])).sort());
    }),
    { seed: SEED },
  );
});
