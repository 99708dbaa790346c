/** atob and btoa (HTML standard, section 8.3; "forgiving-base64 decode", Infra standard section 7). */
import { DOMException } from "../events/dom-exception.ts";
import { toDomString } from "../webidl.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));

/** Base64 of a text of characters up to U+00FF, each one byte. */
export function btoa(...args: readonly [data: unknown]): string {
  if (args.length < 1) throw new TypeError("btoa: 1 argument required, 0 given");
  const data = toDomString(args[0]);
  let text = "";
  for (let i = 0; i < data.length; i += 3) {
    const [a, b, c] = [data.charCodeAt(i), data.charCodeAt(i + 1), data.charCodeAt(i + 2)];
    if (a > 255 || b > 255 || c > 255) {
      throw new DOMException("The string contains characters above U+00FF", "InvalidCharacterError");
    }
    text += toLetter(a >> 2) + toLetter(((a & 3) << 4) | (b >> 4));
    text += Number.isNaN(b) ? "=" : toLetter(((b & 15) << 2) | (c >> 6));
    text += Number.isNaN(c) ? "=" : toLetter(c & 63);
  }
  return text;
}

function toLetter(value: number): string {
  return ALPHABET.charAt(value);
}

/** The bytes of a base64 text, one character each. */
export function atob(...args: readonly [data: unknown]): string {
  if (args.length < 1) throw new TypeError("atob: 1 argument required, 0 given");
  let data = toDomString(args[0]).replace(/[\t\n\f\r ]/g, "");
  if (data.length % 4 === 0) data = data.replace(/={1,2}$/, "");
  if (data.length % 4 === 1) throw createInvalidError();
  let text = "";
  let bits = 0;
  let count = 0;
  for (const character of data) {
    const value = VALUES.get(character);
    if (value === undefined) throw createInvalidError();
    bits = (bits << 6) | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += String.fromCharCode((bits >> count) & 255);
    bits &= (1 << count) - 1;
  }
  return text;
}

function createInvalidError(): DOMException {
  return new DOMException("The string is not correctly encoded base64", "InvalidCharacterError");
}
for (const each of [atob, btoa]) Object.defineProperty(each, "length", { value: 1, configurable: true });
