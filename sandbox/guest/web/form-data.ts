/** FormData (XMLHttpRequest standard, section 4), and multipart/form-data both ways (RFC 7578, HTML section 4.10.21.7). */
import { Blob, File, isBlob, readBlobBytes } from "./blob.ts";
import { decodeUtf8, encodeUtf8 } from "./encoding/encoding.ts";
import { exposePairs } from "./pair-iterable.ts";
import { drawRandom } from "./random.ts";
import { concatenate } from "./streams.ts";
import { exposeMembers, toUsvString } from "./webidl.ts";

type Entry = readonly [name: string, value: string | File];

let entriesOf: (form: FormData) => Entry[];
let isFormData: (value: unknown) => value is FormData;

export class FormData {
  static {
    entriesOf = (form) => form.#entries;
    isFormData = (value): value is FormData => typeof value === "object" && value !== null && #entries in value;
  }

  #entries: Entry[] = [];

  constructor(form: unknown = undefined) {
    if (form !== undefined) throw new TypeError("FormData: there are no form elements here");
  }

  append(...args: readonly [name: unknown, value: unknown, filename?: unknown]): void {
    this.#entries.push(toEntry(args));
  }
  delete(name: unknown): void {
    const key = toUsvString(name);
    this.#entries = this.#entries.filter(([n]) => n !== key);
  }
  get(name: unknown): string | File | null {
    const key = toUsvString(name);
    return this.#entries.find(([n]) => n === key)?.[1] ?? null;
  }
  getAll(name: unknown): (string | File)[] {
    const key = toUsvString(name);
    return this.#entries.filter(([n]) => n === key).map(([, value]) => value);
  }
  has(name: unknown): boolean {
    const key = toUsvString(name);
    return this.#entries.some(([n]) => n === key);
  }
  set(...args: readonly [name: unknown, value: unknown, filename?: unknown]): void {
    const entry = toEntry(args);
    const first = this.#entries.findIndex(([n]) => n === entry[0]);
    if (first < 0) {
      this.#entries.push(entry);
      return;
    }
    this.#entries[first] = entry;
    this.#entries = this.#entries.filter(([n], index) => n !== entry[0] || index <= first);
  }
}
exposeMembers(FormData, "FormData", { append: 2, delete: 1, get: 1, getAll: 1, has: 1, set: 2 });
exposePairs(FormData, "FormData", (form) => entriesOf(form));

export { isFormData };

/** "Create an entry": a Blob becomes a File, a file name given renames it. */
function toEntry(args: readonly unknown[]): Entry {
  const [name, value, filename] = args;
  const key = toUsvString(name);
  if (!isBlob(value)) {
    if (args.length > 2) throw new TypeError("FormData: a file name is given, but the value is not a Blob");
    return [key, toUsvString(value)];
  }
  if (value instanceof File && filename === undefined) return [key, value];
  const options = value instanceof File ? { type: value.type, lastModified: value.lastModified } : { type: value.type };
  return [key, new File([value], filename === undefined ? "blob" : toUsvString(filename), options)];
}

/** The body a form is sent as, and its Content-Type. */
export function encodeMultipart(form: FormData): { bytes: Uint8Array<ArrayBuffer>; type: string } {
  const boundary = `----slipway${Math.floor(drawRandom() * 2 ** 53).toString(36)}${Math.floor(drawRandom() * 2 ** 53).toString(36)}`;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (const [name, value] of entriesOf(form)) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(normalizeLines(name))}"`;
    if (typeof value === "string") {
      chunks.push(encodeUtf8(`${head}\r\n\r\n${normalizeLines(value)}\r\n`));
      continue;
    }
    const type = value.type === "" ? "application/octet-stream" : value.type;
    chunks.push(encodeUtf8(`${head}; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`));
    chunks.push(readBlobBytes(value), encodeUtf8("\r\n"));
  }
  chunks.push(encodeUtf8(`--${boundary}--\r\n`));
  return { bytes: concatenate(chunks), type: `multipart/form-data; boundary=${boundary}` };
}

function escapeName(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

function normalizeLines(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}

/** "multipart/form-data parser"; throws a TypeError on any error. */
export function decodeMultipart(bytes: Uint8Array<ArrayBuffer>, boundary: string): FormData {
  const form = new FormData();
  const text = decodeLatin1(bytes);
  const delimiter = `--${boundary}`;
  let position = text.startsWith(delimiter) ? 0 : text.indexOf(`\r\n${delimiter}`) + 2;
  if (!text.startsWith(delimiter, position)) throw createMalformedError("the first boundary is missing");
  for (;;) {
    position += delimiter.length;
    if (text.startsWith("--", position)) return form;
    if (!text.startsWith("\r\n", position)) throw createMalformedError("a boundary is not followed by a line break");
    position += 2;
    const headEnd = text.startsWith("\r\n", position) ? position : text.indexOf("\r\n\r\n", position);
    if (headEnd < 0) throw createMalformedError("a part has no end of headers");
    const head = headEnd === position ? "" : text.slice(position, headEnd + 2);
    const bodyStart = headEnd + (headEnd === position ? 2 : 4);
    const bodyEnd = text.indexOf(`\r\n${delimiter}`, bodyStart);
    if (bodyEnd < 0) throw createMalformedError("a part has no end");
    appendPart(form, head, bytes.subarray(bodyStart, bodyEnd));
    position = bodyEnd + 2;
  }
}

function appendPart(form: FormData, head: string, body: Uint8Array<ArrayBuffer>): void {
  const disposition = /(?:^|\r\n)content-disposition:\s*form-data\s*;([^\r]*)/i.exec(head)?.[1];
  const name = disposition === undefined ? undefined : readParameter(disposition, "name");
  if (disposition === undefined || name === undefined) throw createMalformedError("a part has no name");
  const filename = readParameter(disposition, "filename");
  if (filename === undefined) {
    form.append(name, decodeUtf8(body));
    return;
  }
  const type = /(?:^|\r\n)content-type:[ \t]*([^\r]*)/i.exec(head)?.[1]?.trim() ?? "text/plain";
  form.append(name, new File([new Blob([body])], filename, { type }));
}

function readParameter(disposition: string, key: string): string | undefined {
  const value = new RegExp(`(?:^|[;\\s])${key}="([^"]*)"`, "i").exec(disposition)?.[1];
  if (value === undefined) return undefined;
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  return decodeUtf8(bytes).replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%22", '"');
}

function decodeLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) {
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + 4096) as never);
  }
  return text;
}

function createMalformedError(why: string): TypeError {
  return new TypeError(`The body is not valid multipart/form-data: ${why}`);
}
