import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import { planDocument } from "../../../src/core/plan/plan-document.ts";
import { resolvePlan } from "../../../src/core/plan/resolve-plan.ts";
import type { Question } from "../../../src/core/script/dictionary.ts";
import { parseDictionary } from "../../../src/core/script/parse/parse-dictionary.ts";
import { countingRandom, HOST } from "../../support/scripts/plans.ts";
import { realScripts } from "../../support/scripts/real-catalog.ts";

const real = realScripts();

/** Answers of every question but passwords with a default, so that both answers and generated values are seen. */
function answersTo(questions: readonly Question[]): Record<string, Json> {
  return Object.fromEntries(
    questions.flatMap((question) => {
      const answer = answerTo(question);
      return answer === undefined ? [] : [[question.key, answer] as const];
    }),
  );
}

function answerTo({ type, key, options, default: fallback }: Question): Json | undefined {
  switch (type) {
    case "text":
      return `answer to ${key}`;
    case "password":
      return fallback === undefined ? `password of ${key}` : undefined;
    case "number":
      return 7;
    case "boolean":
      return true;
    case "select":
      return options?.at(-1)?.value;
  }
}

describe.skipIf(real === null)("the plan of a real script", () => {
  const { folder, ids } = real ?? { folder: "", ids: [] };
  it.each(ids)("%s is the golden one", async (appId) => {
    const text = readFileSync(join(folder, `${appId}.json`), "utf8");
    const { dictionary, problems } = parseDictionary({ appId, text });
    if (dictionary === null) throw new Error(`${appId} is refused`);
    const answers = answersTo(dictionary.questions);
    const facts = { ...HOST, gpus: [{ slot: "0000:01:00.0", vendor: "NVIDIA", uuid: "GPU-1" }] };
    const request = {
      dictionary,
      request: { answers },
      facts,
      mode: "install",
      random: countingRandom(),
      text,
    } as const;
    const resolved = resolvePlan(request);
    expect(resolved.plan).not.toBeNull();
    const document = planDocument(
      appId,
      resolved,
      problems.filter(({ severity }) => severity === "error"),
    );
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(`golden/plans/${appId}.json`);
  });
});
