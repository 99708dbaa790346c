/** What stands for secrets in a journal that others see. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concealContext, createConcealment, deriveDraw, listSecrets } from "../../../sandbox/desk/concealment.ts";
import { createMask } from "../../../src/core/report/mask.ts";

const secret = fc.string({ unit: "grapheme", minLength: 6, maxLength: 60 }).filter((text) => text.trim().length >= 6);
const WRITINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ text }),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => new URLSearchParams({ text }).toString(),
  (text) => Buffer.from(`user:${text}`).toString("base64"),
  (text) => Buffer.from(`a:${text}`).toString("base64url"),
  (text) => Buffer.from(text).toString("hex"),
];
const writing = fc.constantFrom(...WRITINGS);
const binary = Uint8Array.of(0xff, 0xfe);

describe("a concealment", () => {
  test("leaves nothing that the mask would find, in texts and in bytes", () => {
    fc.assert(
      fc.property(secret, writing, fc.string(), fc.boolean(), (value, write, around, isText) => {
        const { text, bytes } = createConcealment([value], []);
        const body = Buffer.concat([isText ? Buffer.of() : binary, Buffer.from(`${around}${write(value)}${around}`)]);
        const hidden = Buffer.from(bytes(body));
        const mask = createMask([value, Buffer.from(value).toString("latin1")]);
        for (const shown of [hidden.toString(), hidden.toString("latin1"), text(write(value))]) {
          expect(mask(shown)).toBe(shown);
        }
      }),
    );
  });

  test("leaves what holds no secret as it is, to the byte", () => {
    const { bytes } = createConcealment(["marker-secret"], []);
    fc.assert(fc.property(fc.uint8Array(), (body) => bytes(body) === body));
  });

  test("gives other bytes for a draw wherever they are repeated, in the same form", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 48 }), fc.nat(), (drawn, index) => {
        const shown = deriveDraw("seed", index, drawn.length);
        const { text, bytes } = createConcealment([], [{ bytes: drawn, shown }]);
        for (const form of ["hex", "base64", "base64url"] as const) {
          const repeated = text(`"${Buffer.from(drawn).toString(form)}"`);
          // a text of both base64 and base64url is answered in one of them
          expect(Buffer.from(repeated.slice(1, -1), form)).toEqual(Buffer.from(shown));
        }
        const body = Buffer.concat([binary, drawn]);
        expect(Buffer.from(bytes(body))).toEqual(Buffer.concat([binary, shown]));
      }),
    );
  });

  test("finds many draws, and large ones, in the forms crypto gives them, and is quick about it", () => {
    const draws = [...Array.from({ length: 400 }, () => 32), ...Array.from({ length: 4 }, () => 65_536)].map(
      (length, index) => ({ bytes: randomBytes(length), shown: deriveDraw("seed", index, length) }),
    );
    const write = (all: readonly Uint8Array[]) =>
      all.map((bytes) => `${Buffer.from(bytes).toString("base64")} ${Buffer.from(bytes).toString("hex")}`).join("\n");
    const before = process.threadCpuUsage();
    const { text, bytes } = createConcealment([], draws);
    expect(text(write(draws.map((draw) => draw.bytes)))).toBe(write(draws.map(({ shown }) => shown)));
    const body = Buffer.concat([binary, ...draws.map((draw) => draw.bytes)]);
    expect(Buffer.from(bytes(body)).equals(Buffer.concat([binary, ...draws.map(({ shown }) => shown)]))).toBe(true);
    const { user, system } = process.threadCpuUsage(before);
    // minutes, where each is searched for in every form and in parts
    expect((user + system) / 1e6).toBeLessThan(10);
  });

  test("takes secret inputs out by their place, whatever their length, and the rest of a context by value", () => {
    const context = {
      inputs: { pin: "1234", password: "marker-secret", size: 1234, note: "1234" },
      baseUrl: "http://a/?k=marker-secret",
    };
    const concealment = createConcealment(["1234", "marker-secret"], []);
    expect(concealContext(context, ["pin", "password"], concealment)).toEqual({
      inputs: { pin: "SECRET_1", password: "SECRET_2", size: 1234, note: "1234" },
      baseUrl: "http://a/?k=SECRET_2",
    });
  });

  test("takes texts and numbers out of secret inputs of any form, which they keep", () => {
    const context = { inputs: { pair: [7_654_321, { pin: "", key: "marker-secret", isOn: true }] }, port: 7_654_321 };
    const concealment = createConcealment(listSecrets(context, ["pair"]), []);
    expect(concealContext(context, ["pair"], concealment)).toEqual({
      inputs: { pair: [999_000_001, { pin: "", key: "SECRET_2", isOn: true }] },
      port: 999_000_001,
    });
    expect(concealment.text("id 7654321")).toBe("id 999000001");
  });
});
