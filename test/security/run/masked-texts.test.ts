/** No secret leaves a run in any form it is commonly written in, nor because a text was cut through its middle. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { createMask, MASKED, maskJson } from "../../../src/core/report/mask.ts";
import { fuzz } from "../../support/fuzz.ts";
import { cpuMs } from "../../support/held-thread.ts";
import { SLOWNESS } from "../../support/slowness.ts";
import { runScript } from "./hostile-runs.ts";

const sandbox = createSandbox({ scriptIo: createScriptIo() });
afterAll(() => sandbox.close());

const utf8 = (text: string) => Buffer.from(text, "utf8");
const hexOf = (character: string, digits: number) => character.charCodeAt(0).toString(16).padStart(digits, "0");

/** How a secret may be written; each form must not be left of a masked text. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  "JSON in JSON": (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  "\\u escapes": (secret) =>
    secret
      .split("")
      .map((c) => `\\u${hexOf(c, 4)}`)
      .join(""),
  "\\u escapes in capitals": (secret) =>
    secret
      .split("")
      .map((c) => `\\u${hexOf(c, 4).toUpperCase()}`)
      .join(""),
  "percent encoding": encodeURIComponent,
  "percent encoding in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  "percent encoding of every byte": (secret) =>
    [...utf8(secret)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "percent encoding twice": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "a form": (secret) => new URLSearchParams({ p: secret }).toString().slice(2),
  "HTML names": (secret) =>
    secret.replace(
      /[&<>"']/g,
      (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" })[c] ?? c,
    ),
  "HTML decimals": (secret) => [...secret].map((c) => `&#${c.codePointAt(0)};`).join(""),
  "HTML hexadecimals": (secret) => [...secret].map((c) => `&#x${c.codePointAt(0)?.toString(16)};`).join(""),
  hexadecimal: (secret) => utf8(secret).toString("hex"),
  "hexadecimal in capitals": (secret) => utf8(secret).toString("hex").toUpperCase(),
};

const secretTexts = fc.oneof(
  fc.string({ minLength: 6, maxLength: 80 }),
  fc.string({ minLength: 6, maxLength: 40, unit: "binary" }),
  fc.array(fc.constantFrom(..."aZ0 +/\\\"'&<>%\n=ä€"), { minLength: 6, maxLength: 50 }).map((units) => units.join("")),
);

test("a mask finds a secret one of whose characters stands for itself and one is escaped", () => {
  expect(createMask(["a\\\\&aaaaa"])("a\\\\&amp;aaaaa")).toBe("********");
});

test("as many secrets as there may be take no longer than few, and many places no longer than few", () => {
  const secrets = Array.from({ length: 2_000 }, (_, index) => `${"a".repeat(24)}${index}`);
  const mask = createMask(secrets);
  const texts = ["a", "%", "%25", "\\", "&amp;", "a%61", "\\u0061"].map((part) => part.repeat(8_192 / part.length));
  const values = Array.from({ length: 20_000 }, (_, index) => `value ${index}`);
  const before = cpuMs();
  for (const text of texts) mask(text);
  const places = values.map((_, index) => [index]);
  expect(maskJson(values, mask, places)).toEqual(values.map(() => MASKED));
  // With each secret followed on its own, one text took a minute; with each place looked up among all, the list 3 s.
  expect(cpuMs() - before).toBeLessThan(1_000 * SLOWNESS);
});

fuzz("what is masked goes without each secret, whatever they share and in whichever way it is escaped", 200, () => {
  const units = fc.array(fc.constantFrom(..."a%25&amp;\\u0061#x;+ \n"), { minLength: 6, maxLength: 40 });
  const secret = units.map((all) => all.join(""));
  const forms = fc.constantFrom(...Object.values(FORMS));
  return fc.property(fc.array(fc.tuple(secret, forms), { minLength: 1, maxLength: 12 }), secret, (written, between) => {
    const mask = createMask(written.map(([one]) => one));
    const text = written.map(([one, form]) => `${between}${form(one)}`).join("");
    const before = cpuMs();
    const masked = mask(text);
    expect(cpuMs() - before).toBeLessThan(500 * SLOWNESS);
    for (const [one, form] of written)
      expect(masked.split(MASKED).some((left) => left.includes(form(one)))).toBe(false);
    const steps = mask.inSteps(text);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value).toBe(masked);
  });
});

describe("a mask leaves nothing of a secret written as", () => {
  test.each(Object.entries(FORMS))("%s", (_name, form) => {
    fc.assert(
      fc.property(
        fc.array(secretTexts, { minLength: 1, maxLength: 3 }),
        fc.string(),
        fc.string(),
        (secrets, before, behind) => {
          const mask = createMask(secrets);
          for (const secret of secrets.filter((each) => each.isWellFormed())) {
            const masked = mask(`${before}${form(secret)}${behind}`);
            expect(masked).toContain(MASKED);
            expect(masked.split(MASKED).some((left) => left.includes(form(secret)))).toBe(false);
          }
        },
      ),
    );
  });

  test("base64 and base64url, with anything before and behind", () => {
    fc.assert(
      fc.property(secretTexts, fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (secret, before, behind) => {
        const mask = createMask([secret]);
        for (const kind of ["base64", "base64url"] as const) {
          const masked = mask(utf8(`${before}${secret}${behind}`).toString(kind));
          expect(masked).toContain(MASKED);
          const start = utf8(before.toWellFormed()).length;
          // what is left at either side decodes to no more than what stood there and a part of one character
          const left = masked.split(MASKED)[0] ?? "";
          expect(Buffer.from(left, kind).length).toBeLessThanOrEqual(start + 1);
        }
      }),
    );
  });

  test("one line of several", () => {
    const mask = createMask(["-----BEGIN KEY-----\nfirst-line-of-it\nsecond-line-of-it\n"]);
    expect(mask("a second-line-of-it b")).toBe(`a ${MASKED} b`);
    expect(mask("first-line-of-it\r\n")).toBe(`${MASKED}\r\n`);
  });

  test("a text that was cut anywhere", () => {
    const secret = 'S3cret-"with-quotes" & more';
    const mask = createMask([secret]);
    for (const form of Object.values(FORMS)) {
      const text = `${"x".repeat(3_000)}${form(secret)}`;
      for (let length = 3_001; length < text.length; length += 7) {
        expect(mask.ofCut(text.slice(0, length))).toMatch(new RegExp(`^x*(${MASKED.replaceAll("*", "\\*")})?$`));
      }
    }
  });

  test("a megabyte of log with 20 secrets is masked within seconds", () => {
    const secrets = Array.from({ length: 20 }, (_, i) => `secret-number-${i}-of-twenty`);
    const mask = createMask(secrets);
    const since = performance.now();
    for (const line of ["GET /library?x=%20y\\u0041 200 ", "&#x", "%25", "\\\\u00", "secret-number-1"]) {
      for (let i = 0; i < 256; i += 1) mask(line.repeat(4096).slice(0, 4096));
    }
    expect(performance.now() - since).toBeLessThan(10_000 * SLOWNESS);
  });
});

describe("a script's secret, where its text is cut", () => {
  const SECRET = "hunter2-hunter2-hunter2";
  const secrets = [SECRET];
  // every place of a cut falls into the secret once
  const PLACES = [190, 490, 1_990, 2_990, 4_085, 8_180];

  test.each([
    ["a log line", (text: string) => `ctx.log(${text});`],
    ["a shown value", (text: string) => `console.log({ value: ${text} });`],
    ["a message", (text: string) => `throw new Error(${text});`],
    ["a failure's context", (text: string) => `ctx.fail("x", [{ label: ${text}, value: ${text} }]);`],
    ["a checkpoint's text", (text: string) => `await ctx.emitCheckpoint("a", ${text});`],
    ["an error at a checkpoint", (text: string) => `await ctx.awaitCheckpointRetry("a", ${text}, { "l": ${text} });`],
  ])(
    "%s holds no part of it",
    async (_name, body) => {
      for (const place of PLACES) {
        const text = `"é".repeat(${place}) + ctx.inputs.secret + "-".repeat(9000)`;
        const { outcome, calls, log } = await runScript(sandbox, body(text), {
          secrets,
          context: { resourceId: "app", event: "userAction", inputs: { secret: SECRET }, baseUrl: "" },
        });
        const { usage: _, ...ending } = outcome;
        expect(JSON.stringify([ending, calls, log])).not.toContain("hunter");
      }
    },
    120_000,
  );
});
