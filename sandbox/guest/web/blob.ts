/** Blob and File (File API, sections 3 and 4). */
import { readNow } from "../bridge/bridge.ts";
import { decodeUtf8, encodeUtf8 } from "./encoding/encoding.ts";
import { concatenate, createByteStream, type ReadableStream } from "./streams.ts";
import {
  exposeMembers,
  isObject,
  requireConstructorArguments,
  toDictionary,
  toDomString,
  toSequence,
  toUsvString,
  toView,
} from "./webidl.ts";

/** The bytes of a blob, shared with it. */
let bytesOf: (blob: Blob) => Uint8Array<ArrayBuffer>;
let isBlob: (value: unknown) => value is Blob;
let blobOf: (bytes: Uint8Array<ArrayBuffer>, type: string) => Blob;

export class Blob {
  static {
    bytesOf = (blob) => blob.#bytes;
    isBlob = (value): value is Blob => typeof value === "object" && value !== null && #bytes in value;
    blobOf = (bytes, type) => {
      const blob = new Blob();
      blob.#bytes = bytes;
      blob.#type = normalizeType(type);
      return blob;
    };
  }

  #bytes: Uint8Array<ArrayBuffer>;
  #type: string;

  constructor(parts: unknown = undefined, options: unknown = undefined) {
    const list = toParts(parts);
    const dictionary = toDictionary(options, "BlobPropertyBag");
    const endings = toEndings(dictionary["endings"]);
    const type = dictionary["type"];
    this.#type = type === undefined ? "" : normalizeType(toDomString(type));
    this.#bytes = concatenate(list.map((part) => readPart(part, endings))).slice();
  }

  get size(): number {
    return this.#bytes.length;
  }
  get type(): string {
    return this.#type;
  }
  slice(start: unknown = 0, end: unknown = undefined, type: unknown = ""): Blob {
    const size = this.#bytes.length;
    const from = toOffset(start, size);
    const to = end === undefined ? size : toOffset(end, size);
    return blobOf(this.#bytes.subarray(from, Math.max(from, to)), toDomString(type));
  }
  async text(): Promise<string> {
    return decodeUtf8(this.#bytes);
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#bytes.slice();
  }
  stream(): ReadableStream<Uint8Array> {
    return createByteStream(this.#bytes);
  }
}
exposeMembers(Blob, "Blob");

function toParts(parts: unknown): readonly unknown[] {
  if (parts === undefined) return [];
  const list = isObject(parts)
    ? toSequence(parts, (part) => (isBlob(part) || toView(part) !== undefined ? part : toUsvString(part)))
    : undefined;
  if (list === undefined) throw new TypeError("Blob: the parts are not an iterable object");
  return list;
}

function toEndings(value: unknown): "transparent" | "native" {
  if (value === undefined) return "transparent";
  const endings = toDomString(value);
  if (endings === "transparent" || endings === "native") return endings;
  throw new TypeError(`"${endings}" is not an EndingType`);
}

function readPart(part: unknown, endings: "transparent" | "native"): Uint8Array<ArrayBuffer> {
  if (isBlob(part)) return bytesOf(part);
  const view = toView(part);
  if (view !== undefined) return view;
  const text = part as string;
  return encodeUtf8(endings === "native" ? text.replace(/\r\n?/g, "\n") : text);
}

/** Lower case; empty when a character is outside U+0020 to U+007E. */
function normalizeType(type: string): string {
  return /^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : "";
}

/** `[Clamp] long long`, counted from the end when negative. */
function toOffset(value: unknown, size: number): number {
  const number = Number(value);
  const offset = Number.isNaN(number) ? 0 : Math.round(Math.min(Math.max(number, -(2 ** 53)), 2 ** 53));
  return offset < 0 ? Math.max(size + offset, 0) : Math.min(offset, size);
}

export class File extends Blob {
  readonly #name: string;
  readonly #lastModified: number;

  constructor(...args: readonly [parts: unknown, name: unknown, options?: unknown]) {
    requireConstructorArguments(args.length, 2, "File");
    const [parts, name, options] = args;
    if (parts === undefined) throw new TypeError("File: the parts are not an iterable object");
    super(parts, options);
    this.#name = toUsvString(name);
    const { lastModified } = toDictionary(options, "FilePropertyBag");
    this.#lastModified = lastModified === undefined ? readNow() : Math.trunc(Number(lastModified)) || 0;
  }

  get name(): string {
    return this.#name;
  }
  get lastModified(): number {
    return this.#lastModified;
  }
  get webkitRelativePath(): string {
    void this.#name;
    return "";
  }
}
exposeMembers(File, "File", { new: 2 });

/** Makes a blob of bytes nobody else changes. */
export function createBlob(bytes: Uint8Array<ArrayBuffer>, type: string): Blob {
  return blobOf(bytes, type);
}

/** The bytes of a blob; not to be changed. */
export function readBlobBytes(blob: Blob): Uint8Array<ArrayBuffer> {
  return bytesOf(blob);
}

export { isBlob };
