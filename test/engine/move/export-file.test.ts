/** The file of an export: written, read, sealed, and refused where it is not what was written. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json/json.ts";
import { type ExportContents, MAX_EXPORT, writeExport } from "../../../src/engine/move/export-file.ts";
import { readExport } from "../../../src/engine/move/read-export.ts";
import { SecretSeal } from "../../../src/engine/move/seal-secrets.ts";

const SECRETS = { demo: { answers: { password: "correct horse" }, randoms: { '["app_values","key"]': "x7Gh" } } };
const CONTENTS: ExportContents = {
  slipway: "export",
  version: 1,
  made: "2026-01-31T12:00:00.000Z",
  locations: { Media: "/mnt/tank/media" },
  apps: [{ appId: "demo", version: "1.0.0", script: { version: "1.2.0" }, answers: { user: "ada" }, consents: {} }],
  links: [{ runsOnAppId: "demo", hookId: "connect", targets: ["other"] }],
  policies: { all: { mode: "automatic", cron: "0 3 * * *" }, apps: { demo: { mode: "manual" } } },
};
const PASSPHRASE = "Größe of a secret";

const key = fc.string({ minLength: 1, maxLength: 10 }).filter((text) => text !== "__proto__");
const appId = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const contents: fc.Arbitrary<ExportContents> = fc.record({
  slipway: fc.constant("export" as const),
  version: fc.constant(1 as const),
  made: fc.constant("2026-01-31T12:00:00.000Z"),
  locations: fc.dictionary(
    key,
    fc.string({ maxLength: 20 }).map((text) => `/${text}`),
  ),
  apps: fc.uniqueArray(
    fc.record({
      appId,
      version: fc.string({ maxLength: 10 }),
      script: fc.record({ version: fc.string({ maxLength: 10 }) }),
      answers: fc.dictionary(
        key,
        fc.jsonValue({ maxDepth: 3 }).map((value): Json => JSON.parse(JSON.stringify(value))),
      ),
      consents: fc.dictionary(key, fc.boolean()),
    }),
    { maxLength: 4, selector: (app) => app.appId },
  ),
  links: fc.uniqueArray(
    fc.record({ runsOnAppId: appId, hookId: key, targets: fc.uniqueArray(appId, { minLength: 1, maxLength: 3 }) }),
    { maxLength: 3, selector: (link) => JSON.stringify([link.runsOnAppId, link.hookId]) },
  ),
  policies: fc.record({ all: fc.constant({ mode: "manual" as const }), apps: fc.constant({}) }),
});

/** Code, message and details of the error a call throws. */
async function refusal(call: () => unknown): Promise<{ readonly code?: string; readonly message?: string }> {
  try {
    await call();
  } catch (error) {
    return Object(error);
  }
  return {};
}

/** The text with a member changed, and a digest that fits it: what somebody writes who knows how files are made. */
function forge(text: string, change: (file: Record<string, unknown>) => void): string {
  const { digest: _, ...file } = JSON.parse(text);
  change(file);
  const digest = createHash("sha256").update(JSON.stringify(file)).digest("hex");
  return `${JSON.stringify({ ...file, digest }, null, 2)}\n`;
}

describe("an export", () => {
  it("reads back as itself, whatever is in it", () => {
    fc.assert(
      fc.property(contents, (given) => {
        const { digest: _, ...file } = readExport(writeExport(given, null)).file;
        expect(file).toEqual(given);
      }),
      { numRuns: 60 },
    );
  });

  it("is refused with any one character changed, added or left out", () => {
    const text = writeExport(CONTENTS, null);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ unit: "binary", maxLength: 1 }), (at, other) => {
        fc.pre(text.slice(at, at + 1) !== other);
        expect(() => readExport(text.slice(0, at) + other + text.slice(at + 1))).toThrow(
          expect.objectContaining({ code: expect.stringMatching(/^EXPORT_(INVALID|CHANGED|VERSION_UNKNOWN)$/) }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("opens for its passphrase alone, however that was typed, and for what it said when it was sealed", async () => {
    const seal = new SecretSeal();
    const text = writeExport(CONTENTS, await seal.seal(SECRETS, CONTENTS, PASSPHRASE));
    for (const secret of ["correct horse", "x7Gh", PASSPHRASE]) expect(text).not.toContain(secret);
    const open = async (file: string, passphrase: string) => {
      const { file: read, raw } = readExport(file);
      return read.secrets === undefined ? null : seal.open(raw, read.secrets, passphrase);
    };
    expect(await open(text, PASSPHRASE.normalize("NFD"))).toEqual(SECRETS);
    const forged = [
      forge(text, (file) => (file["apps"] = [{ ...CONTENTS.apps[0], answers: { user: "eve" } }])),
      forge(text, (file) => Object.assign(Object(file["secrets"]), { sealed: "AAAA" })),
    ];
    const refused = [await refusal(() => open(text, "another one"))];
    for (const file of forged) refused.push(await refusal(() => open(file, PASSPHRASE)));
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "EXPORT_PASSPHRASE_WRONG"));
  });

  it.each([
    ["asks for gigabytes", { cost: 2 ** 24 }],
    ["asks for a key that is soon guessed", { cost: 2 ** 10 }],
    ["asks for more work", { parallelization: 64 }],
    ["asks for larger blocks", { blockSize: 1024 }],
    ["has a short salt", { salt: "AAAA" }],
  ])("is refused where it %s, before a key is made", async (_, change) => {
    const kdf = { name: "scrypt", cost: 131_072, blockSize: 8, parallelization: 1, salt: `${"A".repeat(22)}==` };
    const secrets = { kdf: { ...kdf, ...change }, cipher: "aes-256-gcm", nonce: "A".repeat(16), sealed: "AAAA" };
    const text = forge(writeExport(CONTENTS, null), (file) => (file["secrets"] = secrets));
    const [name = ""] = Object.keys(change);
    expect(await refusal(() => readExport(text))).toMatchObject({
      code: "EXPORT_INVALID",
      message: expect.stringMatching(new RegExp(`: \\d+:\\d+: "secrets\\.kdf\\.${name}"`)),
    });
  });

  it("is refused with the place of what is wrong, and a version that is not known by its name", async () => {
    const text = writeExport(CONTENTS, null);
    const line = text.split("\n").findIndex((one) => one.includes('"appId"')) + 1;
    const cases: readonly (readonly [string, string, RegExp])[] = [
      [text.replace('"demo"', '"../demo"'), "EXPORT_INVALID", new RegExp(` ${line}:\\d+: "apps\\.0\\.appId"`)],
      [text.replace('"made"', '"maid"'), "EXPORT_INVALID", /"made"/],
      [text.replace('"version": 1,', '"version": 2,'), "EXPORT_VERSION_UNKNOWN", /2, known is 1/],
      [text.replace('"version": 1,', '"version": 1, "version": 1,'), "EXPORT_CHANGED", /was changed/],
      [forge(text, (file) => Object(file["apps"]).push(CONTENTS.apps[0])), "EXPORT_INVALID", /"apps\.1": .*twice/],
      [
        forge(text, (file) => Object(file["links"]).push({ ...CONTENTS.links[0], targets: ["third"] })),
        "EXPORT_INVALID",
        /"links\.1": .*twice/,
      ],
      [
        forge(text, (file) => (file["links"] = [{ ...CONTENTS.links[0], targets: ["other", "other"] }])),
        "EXPORT_INVALID",
        /"links\.0\.targets\.1": .*twice/,
      ],
      ["[1]", "EXPORT_INVALID", /not an object/],
      ["{}", "EXPORT_INVALID", /not an export/],
      ["no JSON", "EXPORT_INVALID", / 1:1: not JSON/],
      [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "EXPORT_INVALID", / 1:201: nested too deep/],
      [
        forge(text, (file) => (file["apps"] = [{ ...CONTENTS.apps[0], answers: { a: nest(40) } }])),
        "EXPORT_INVALID",
        /32 levels/,
      ],
      [`"${"x".repeat(MAX_EXPORT)}"`, "EXPORT_TOO_LARGE", /at most/],
      [text.replaceAll("\n", "\r\n"), "EXPORT_CHANGED", /was changed/],
      [text.replace("ada", "eve"), "EXPORT_CHANGED", /was changed/],
    ];
    for (const [file, code, message] of cases) {
      expect(await refusal(() => readExport(file))).toMatchObject({ code, message: expect.stringMatching(message) });
    }
  });
});

function nest(levels: number): Json {
  return levels === 0 ? 1 : [nest(levels - 1)];
}
