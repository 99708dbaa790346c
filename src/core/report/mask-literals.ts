/** Forms of a secret that are one text each: as it is, in base64, in hexadecimal; found in one pass over a text. */
import type { Span } from "./span.ts";

/** As it is, base64 and base64url as far as they are its own at each alignment, hexadecimal in both cases. */
export function listLiteralForms(secret: string): readonly string[] {
  const utf8 = Buffer.from(secret.toWellFormed(), "utf8");
  // what `btoa` takes: one byte per character
  const latin1 = /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(secret) ? [Buffer.from(secret, "latin1")] : [];
  return [secret, ...[utf8, ...latin1].flatMap((bytes) => [...listBase64Forms(bytes), ...listHexForms(bytes)])];
}

function listHexForms(bytes: Buffer): readonly string[] {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase()];
}

/** The characters that depend on nothing before or behind the secret, for each place it can have among threes of bytes. */
function listBase64Forms(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const inner = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Texts by their first two UTF-16 units. */
export interface LiteralIndex {
  /** Whether a text begins with units of this sum, so that most places are passed without a look-up. */
  readonly begins: Uint8Array;
  readonly byStart: ReadonlyMap<number, readonly string[]>;
}

const SUMS = 4096;

/** Prepares texts of at least two units to be found. */
export function indexLiterals(forms: readonly string[]): LiteralIndex {
  const begins = new Uint8Array(SUMS);
  for (const form of forms) begins[addUnits(form.charCodeAt(0), form.charCodeAt(1))] = 1;
  const byStart = Map.groupBy(new Set(forms), (form) => computeStart(form.charCodeAt(0), form.charCodeAt(1)));
  return { begins, byStart };
}

/** Every place from `start` and before `end` where one of the texts begins. */
export function findLiterals(text: string, { begins, byStart }: LiteralIndex, start: number, end: number): Span[] {
  const spans: Span[] = [];
  const last = Math.min(end, text.length - 1);
  for (let at = start, first = text.charCodeAt(at); at < last; at += 1) {
    const second = text.charCodeAt(at + 1);
    if (begins[addUnits(first, second)] === 1) {
      for (const form of byStart.get(computeStart(first, second)) ?? []) {
        if (text.startsWith(form, at)) spans.push([at, at + form.length]);
      }
    }
    first = second;
  }
  return spans;
}

function addUnits(first: number, second: number): number {
  return (first * 31 + second) & (SUMS - 1);
}

function computeStart(first: number, second: number): number {
  return first * 0x1_0000 + second;
}
