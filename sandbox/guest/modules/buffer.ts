/** `node:buffer`: the package `buffer` with the encoding `base64url`, which it lacks, and the web's own classes. */
import { Buffer } from "buffer";
import { apply, defineProperty } from "../bridge/primordials.ts";
import { Blob, File } from "../web/blob.ts";
import { atob, btoa } from "../web/encoding/base64.ts";

const { toString: toText, write } = Buffer.prototype;
const { from, byteLength, isEncoding } = Buffer;

function isBase64Url(encoding: unknown): boolean {
  return typeof encoding === "string" && encoding.toLowerCase() === "base64url";
}

const prototypeMembers = {
  toString(this: Buffer, encoding?: unknown, ...range: unknown[]): string {
    if (!isBase64Url(encoding)) return apply(toText, this, [encoding, ...range] as never);
    const text: string = apply(toText, this, ["base64", ...range] as never);
    return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  },
  /** `write(text, offset?, length?, encoding?)`: the last argument may be the encoding wherever it stands. */
  write(this: Buffer, ...args: unknown[]): number {
    return apply(write, this, args.map(normalizeEncoding) as never);
  },
};

const staticMembers = {
  from(...args: unknown[]): Buffer {
    return apply(from, Buffer, args.map(normalizeEncoding) as never);
  },
  byteLength(...args: unknown[]): number {
    return apply(byteLength, Buffer, args.map(normalizeEncoding) as never);
  },
  isEncoding(encoding: unknown): boolean {
    return isBase64Url(encoding) || apply(isEncoding, Buffer, [encoding as string]);
  },
};

/** The package's base64 reader takes the URL alphabet too; only the name is unknown to it. */
function normalizeEncoding(argument: unknown, position: number): unknown {
  return position > 0 && isBase64Url(argument) ? "base64" : argument;
}

for (const [holder, members] of [
  [Buffer.prototype, prototypeMembers],
  [Buffer, staticMembers],
] as const) {
  for (const [key, value] of Object.entries(members)) {
    defineProperty(holder, key, { value, configurable: true, writable: true });
  }
}

/** The module `node:buffer` of a script. */
export const buffer = {
  Buffer,
  atob,
  btoa,
  Blob,
  File,
  constants: { MAX_LENGTH: 2 ** 31 - 1 },
  kMaxLength: 2 ** 31 - 1,
};

export { Buffer };
