/** What the options dialog says an update changes of the answers. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import { planOf, rawQuestion } from "../../support/scripts/plans.ts";

const SCRIPT = {
  installation_questions: [
    rawQuestion("flag", { type: "boolean" }),
    rawQuestion("pick", { type: "select", options: [{ text: "One", value: 1 }] }),
    rawQuestion("size", { type: "number" }),
    rawQuestion("word"),
    rawQuestion("key", { type: "password" }),
  ],
  app_values: {
    flag: "$QUESTION(flag)",
    pick: "$QUESTION(pick)",
    size: "$QUESTION(size)",
    url: "http://$QUESTION(word):$QUESTION(key)@host/$QUESTION(flag)",
  },
};

/** An app that was installed with these answers, as its options dialog finds it. */
function installed(answers: Readonly<Record<string, Json>>, script: Record<string, unknown> = SCRIPT) {
  const { plan } = planOf(script, { answers });
  if (plan === null) throw new Error("the script does not install");
  return { live: plan.appValues, answers: plan.answers, randoms: plan.randoms };
}

const change = (
  stored: ReturnType<typeof installed>,
  answers: Readonly<Record<string, Json>>,
  script: Record<string, unknown> = SCRIPT,
) => planOf(script, { mode: "options", stored, answers });

describe("a question nobody has answered", () => {
  it("is no difference, before and after an update", () => {
    const before = installed({});
    const untouched = change(before, {});
    expect(untouched.answerDifferences).toEqual([]);
    expect(untouched.plan?.appValues).toEqual(before.live);
    const { plan } = change(before, { flag: true });
    const after = { live: plan?.appValues ?? {}, answers: plan?.answers ?? {} };
    expect(planOf(SCRIPT, { mode: "options", stored: after }).answerDifferences).toEqual([]);
  });

  it("is none where the dialog leaves its field empty", () => {
    expect(change(installed({}), { word: "", key: "" }).answerDifferences).toEqual([]);
  });

  it("is one where somebody answers it, and none afterwards", () => {
    const given = { flag: false, pick: 1, size: 0, word: "w", key: "secret-key" };
    expect(change(installed({}), given).answerDifferences).toEqual([
      { key: "flag", question: "flag?", kind: "added", after: false },
      { key: "pick", question: "pick?", kind: "added", after: 1 },
      { key: "size", question: "size?", kind: "added", after: 0 },
      { key: "word", question: "word?", kind: "added", after: "w" },
      { key: "key", question: "key?", kind: "added" },
    ]);
    expect(change(installed(given), {}).answerDifferences).toEqual([]);
  });

  it("is one where its answer is taken away, or fits no more", () => {
    const stored = installed({ word: "w", pick: 1 });
    expect(change(stored, { word: "" }).answerDifferences).toEqual([
      { key: "word", question: "word?", kind: "changed", before: "w", after: "" },
    ]);
    const [flag, pick, ...others] = SCRIPT.installation_questions;
    const newer = {
      ...SCRIPT,
      installation_questions: [flag, { ...pick, options: [{ text: "Two", value: 2 }] }, ...others],
    };
    expect(change(stored, {}, newer).answerDifferences).toEqual([{ key: "pick", question: "pick?", kind: "changed" }]);
  });
});
