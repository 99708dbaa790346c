/** TextEncoder and TextDecoder (Encoding standard, section 7). */
import { decodeText, findEncodingName } from "../../bridge/bridge.ts";
import { countUtf8Bytes } from "../console.ts";
import { exposeMembers, toDictionary, toDomString, toExactBuffer, toUsvString, toView } from "../webidl.ts";
import type { Decoder } from "./decoded-text.ts";
import { createDecoder } from "./text-decoders.ts";

/** Encodes a text as UTF-8; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(countUtf8Bytes(text.toWellFormed()));
  encodeInto(text, bytes);
  return bytes;
}

/** Writes as many whole characters as fit; returns UTF-16 units read and bytes written. */
function encodeInto(text: string, bytes: Uint8Array): { read: number; written: number } {
  const room = bytes.length;
  let read = 0;
  let written = 0;
  while (read < text.length) {
    let point = text.charCodeAt(read);
    let units = 1;
    if (point < 0x80) {
      if (written >= room) break;
      bytes[written++] = point;
      read += 1;
      continue;
    }
    if ((point & 0xf800) === 0xd800) {
      const low = text.charCodeAt(read + 1);
      if (point < 0xdc00 && (low & 0xfc00) === 0xdc00) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        units = 2;
      } else point = 0xfffd;
    }
    const length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (written + length > room) break;
    if (length === 2) bytes[written++] = 0xc0 | (point >> 6);
    else {
      if (length === 3) bytes[written++] = 0xe0 | (point >> 12);
      else {
        bytes[written++] = 0xf0 | (point >> 18);
        bytes[written++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[written++] = 0x80 | ((point >> 6) & 0x3f);
    }
    bytes[written++] = 0x80 | (point & 0x3f);
    read += units;
  }
  return { read, written };
}

const LABELS: { readonly [encoding: string]: readonly string[] } = {
  "utf-8": ["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"],
  "utf-16be": ["unicodefffe", "utf-16be"],
  "utf-16le": ["csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff", "utf-16", "utf-16le"],
  "x-user-defined": ["x-user-defined"],
};
const KNOWN = new Map(Object.entries(LABELS).flatMap(([name, labels]) => labels.map((label) => [label, name])));

function toEncoding(label: unknown): string {
  const text = toDomString(label)
    .replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "")
    .toLowerCase();
  const name = KNOWN.get(text) ?? findEncodingName(text);
  if (name === null || name === "replacement") {
    throw Object.assign(new RangeError(`The "${toDomString(label)}" encoding is not supported`), {
      code: "ERR_ENCODING_NOT_SUPPORTED",
    });
  }
  KNOWN.set(text, name);
  return name;
}

/** From this size on the child decodes UTF-8 faster than this file, whose code no JIT compiles. */
const CHILD_DECODES_FROM = 2048;

/** Decodes a whole text as UTF-8, faults replaced, a leading BOM dropped ("UTF-8 decode"). */
export function decodeUtf8(bytes: Uint8Array<ArrayBuffer>): string {
  return new TextDecoder().decode(bytes);
}

/** The same with a leading BOM kept ("UTF-8 decode without BOM"). */
export function decodeUtf8KeepingBom(bytes: Uint8Array<ArrayBuffer>): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export class TextDecoder {
  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;
  #decoder: Decoder | undefined;
  #bomSeen = false;

  constructor(label: unknown = "utf-8", options: unknown = undefined) {
    this.#encoding = toEncoding(label);
    const { fatal, ignoreBOM } = toDictionary(options, "TextDecoderOptions");
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding(): string {
    return this.#encoding;
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }

  decode(input: unknown = undefined, options: unknown = undefined): string {
    const encoding = this.#encoding;
    const bytes = input === undefined ? new Uint8Array() : toView(input);
    if (bytes === undefined) throw new TypeError("TextDecoder.decode: the input is not an ArrayBuffer or view");
    const stream = Boolean(toDictionary(options, "TextDecodeOptions")["stream"]);
    if (!stream && this.#decoder === undefined && encoding === "utf-8" && bytes.length >= CHILD_DECODES_FROM) {
      return decodeText(
        { op: "text.decode", decoder: 0, label: encoding, fatal: this.#fatal, ignoreBOM: this.#ignoreBOM, stream },
        toExactBuffer(bytes),
      );
    }
    this.#decoder ??= createDecoder(encoding, this.#fatal);
    const decoder = this.#decoder;
    if (!stream) this.#decoder = undefined;
    let bomSeen = this.#bomSeen;
    let text: string;
    try {
      text = decoder.decode(bytes, !stream);
    } catch (error) {
      this.#decoder = undefined;
      this.#bomSeen = false;
      throw error;
    }
    if (!bomSeen && !this.#ignoreBOM && encoding.startsWith("utf-") && text.length > 0) {
      bomSeen = true;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    this.#bomSeen = stream && bomSeen;
    return text;
  }
}
exposeMembers(TextDecoder, "TextDecoder");

export class TextEncoder {
  readonly #encoding = "utf-8";

  get encoding(): string {
    return this.#encoding;
  }
  encode(input: unknown = ""): Uint8Array<ArrayBuffer> {
    void this.#encoding;
    return encodeUtf8(toUsvString(input));
  }
  encodeInto(source: unknown, destination: unknown): { read: number; written: number } {
    void this.#encoding;
    const text = toDomString(source);
    if (!(destination instanceof Uint8Array)) {
      throw new TypeError("TextEncoder.encodeInto: the destination is not a Uint8Array");
    }
    return encodeInto(text, destination);
  }
}
exposeMembers(TextEncoder, "TextEncoder", { encodeInto: 2 });
