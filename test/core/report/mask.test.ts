import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskResolved } from "../../../src/core/plan/plan-document.ts";
import { createMask, MASKED, maskJson } from "../../../src/core/report/mask.ts";
import { planOf, rawQuestion } from "../../support/scripts/plans.ts";

describe("secrets are masked by value", () => {
  const secret = 'p"ä/ß w+d\\%';
  const mask = createMask([secret]);
  const forms: readonly (readonly [name: string, written: string])[] = [
    ["as it is", secret],
    ["JSON-escaped", JSON.stringify({ secret })],
    ["JSON in JSON", JSON.stringify(JSON.stringify({ secret }))],
    ["URL-encoded", `https://host/?p=${encodeURIComponent(secret)}`],
    ["URL-encoded in lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["form-encoded", new URLSearchParams({ p: secret }).toString()],
  ];
  it.each(forms)("%s", (_name, written) => {
    const masked = mask(written);
    expect(masked).toContain(MASKED);
    expect(masked).not.toContain("w+d");
    expect(masked).not.toMatch(/p%22|p\\+"/i);
  });

  it("secrets shorter than 6 characters are masked by place only", () => {
    expect(createMask(["abcde"])("abcdefg")).toBe("abcdefg");
    expect(createMask(["abcdef"])("abcdefg")).toBe(`${MASKED}g`);
  });

  it("the longer of two that begin alike is masked whole", () => {
    expect(createMask(["secret", "secret-more"])("a secret-more b")).toBe(`a ${MASKED} b`);
  });

  it("any text holds no secret after masking", () => {
    const secrets = fc.array(fc.string({ minLength: 6, maxLength: 12 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(secrets, fc.array(fc.string(), { maxLength: 5 }), (list, texts) => {
        const text = texts.map((piece, index) => `${piece}${list[index % list.length]}`).join("|");
        const masked = createMask(list)(text).split(MASKED).join("\n");
        for (const one of list) if (!one.includes("\n")) expect(masked).not.toContain(one);
      }),
    );
  });
});

describe("secrets are masked in JSON", () => {
  it("in strings and keys, and by place whatever their length", () => {
    const mask = createMask(["hunter2!"]);
    const value = { "hunter2!": ["a hunter2!", 1], short: { pin: "123", port: 80 }, __proto__x: null };
    expect(maskJson(value, mask, [["short", "pin"]])).toEqual({
      [MASKED]: [`a ${MASKED}`, 1],
      short: { pin: MASKED, port: 80 },
      __proto__x: null,
    });
  });
});

describe("a masked plan", () => {
  const script = {
    installation_questions: [
      rawQuestion("pin", { type: "password" }),
      rawQuestion("token", { type: "password", default: "$RANDOM_STRING(24)" }),
    ],
    app_values: {
      list: ["$IF(false, x)", "$QUESTION(pin)"],
      url: "http://u:$QUESTION(token)@h",
      short: "$RANDOM_STRING(3)",
      plain: "123",
    },
  };

  it("holds no password answer and no generated string, long or short", () => {
    const resolved = planOf(script, { answers: { pin: "123" } });
    const dictionary = resolved.plan?.dictionary;
    if (dictionary === undefined) throw new Error("the script has a plan");
    const masked = maskResolved(dictionary, resolved);
    expect(masked.draft.appValues).toEqual({ list: [MASKED], url: MASKED, short: MASKED, plain: "123" });
    const [token] = masked.form.steps[0]?.sections[0]?.questions.slice(1) ?? [];
    expect(token).toMatchObject({ default: MASKED, generated: true });
    for (const secret of resolved.secrets)
      if (secret.length > 3) expect(JSON.stringify(masked.draft)).not.toContain(secret);
  });
});
