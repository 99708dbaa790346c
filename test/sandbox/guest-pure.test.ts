/** The guest's own parsers and codecs against Node's, by property; they run here as they are. */
import nodePath from "node:path/posix";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseUrl } from "../../sandbox/guest/bridge/parse-url.ts";
import * as path from "../../sandbox/guest/modules/path.ts";
import { atob, btoa } from "../../sandbox/guest/web/encoding/base64.ts";
import { encodeUtf8, TextDecoder as GuestTextDecoder } from "../../sandbox/guest/web/encoding/encoding.ts";
import { drawRandom, seedRandom } from "../../sandbox/guest/web/random.ts";
import { URLSearchParams as GuestSearchParams } from "../../sandbox/guest/web/url-search-params.ts";

const pathText = fc
  .array(fc.constantFrom("/", "//", ".", "..", "a", "b.c", ".d", "e.", " ", "ü"), { maxLength: 8 })
  .map((parts) => parts.join(""));

/** The members both sides have. */
function agreeing({ normalize, dirname, basename, extname, isAbsolute, parse }: typeof path | typeof nodePath) {
  return { normalize, dirname, basename: (text: string) => basename(text), extname, isAbsolute, parse };
}

describe("node:path", () => {
  test.each(["normalize", "dirname", "basename", "extname", "isAbsolute", "parse"] as const)(
    "%s agrees with Node",
    (name) => {
      fc.assert(
        fc.property(pathText, (text) => {
          // Node's parse alone takes the last dot of ".." for an extension, and keeps no second slash.
          fc.pre(name !== "parse" || !/(^|\/)\.\.\/*$|\/\//.test(text));
          expect(agreeing(path)[name](text)).toEqual(agreeing(nodePath)[name](text));
        }),
      );
    },
  );
  test("join agrees with Node", () => {
    fc.assert(
      fc.property(fc.array(pathText), (parts) => {
        expect(path.join(...parts)).toBe(nodePath.join(...parts));
      }),
    );
  });
  test("resolve and relative agree with Node from the root", () => {
    fc.assert(
      fc.property(pathText, pathText, (from, to) => {
        expect(path.resolve(from, to)).toBe(nodePath.resolve("/", from, to));
        expect(path.relative(`/${from}`, `/${to}`)).toBe(nodePath.relative(`/${from}`, `/${to}`));
      }),
    );
  });
  test("basename with a suffix agrees with Node", () => {
    fc.assert(
      fc.property(pathText, fc.constantFrom("", ".c", "a", "."), (text, suffix) => {
        // Node answers "/" for "/" with a suffix and "" without one.
        fc.pre(nodePath.basename(text) !== "");
        expect(path.basename(text, suffix)).toBe(nodePath.basename(text, suffix));
      }),
    );
  });
});

describe("a URL behind an origin that is known", () => {
  const parseByNode = (text: string, base?: string) => URL.parse(text, base)?.href ?? null;
  const origin = fc.constantFrom("http://h", "https://a.b:81", "http://127.0.0.1:8096", "http://H", "http://h:80");
  const tail = fc
    .array(
      fc.constantFrom(
        "/",
        ".",
        "..",
        "a",
        "~",
        "-",
        "_",
        "?",
        "&",
        "=",
        "#",
        "%2e",
        "%",
        "\\",
        "@",
        ":",
        "'",
        " ",
        "\n",
        "ü",
      ),
    )
    .map((parts) => parts.join(""));

  test("is what Node's parser makes of it", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(origin, tail), { minLength: 2 }), (urls) => {
        for (const [begin, end] of urls) {
          const text = `${begin}/${end}`;
          expect(parseUrl(text, undefined, parseByNode)).toBe(parseByNode(text));
        }
      }),
    );
  });

  test("is parsed once for all paths of plain characters", () => {
    const asked: string[] = [];
    const ask = (text: string) => {
      asked.push(text);
      return parseByNode(text);
    };
    const paths = ["/api/v1/items", "/api/v1/items?page=2", "/a/../b", "/a/./b", "/%2e%2e/b", "/b#c"];
    const found = paths.map((path) => parseUrl(`http://once.example${path}`, undefined, ask));
    expect(found).toEqual(paths.map((path) => parseByNode(`http://once.example${path}`)));
    expect(asked).toEqual([paths[0], ...paths.slice(2)].map((path) => `http://once.example${path}`));
  });
});

describe("base64", () => {
  test("btoa and atob agree with Node", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const binary = Buffer.from(bytes).toString("latin1");
        expect(btoa(binary)).toBe(Buffer.from(bytes).toString("base64"));
        expect(atob(btoa(binary))).toBe(binary);
      }),
    );
  });
});

describe("UTF-8", () => {
  test("encoding agrees with Node, lone surrogates too", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("", "\ud800", "\udc00x"), (text, tail) => {
        expect([...encodeUtf8(text + tail)]).toEqual([...new TextEncoder().encode(text + tail)]);
      }),
    );
  });
  test.each(["utf-8", "utf-16le", "utf-16be"])("%s decodes any bytes as Node does, in any pieces", (label) => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 6 }), fc.boolean(), (chunks, ignoreBOM) => {
        const decode = (decoder: { decode(input?: Uint8Array, options?: { stream: boolean }): string }) =>
          chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
        expect(decode(new GuestTextDecoder(label, { ignoreBOM }))).toBe(decode(new TextDecoder(label, { ignoreBOM })));
      }),
    );
  });
});

test("a form survives serializing and parsing, and reads as Node's does", () => {
  const pair = fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const text = new GuestSearchParams(pairs).toString();
      expect(text).toBe(new URLSearchParams(pairs).toString());
      expect([...(new GuestSearchParams(text) as unknown as Iterable<unknown>)]).toEqual(pairs);
    }),
  );
});

test("the seeded numbers lie in [0, 1), repeat for a seed, and spread", () => {
  fc.assert(
    fc.property(fc.string(), (seed) => {
      seedRandom(seed);
      const numbers = Array.from({ length: 200 }, drawRandom);
      seedRandom(seed);
      expect(Array.from({ length: 200 }, drawRandom)).toEqual(numbers);
      expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
      expect(new Set(numbers).size).toBeGreaterThan(190);
    }),
  );
});
