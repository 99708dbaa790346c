/** The body mixin of Request and Response (Fetch standard, section 5.3). */

import { defineProperty } from "../bridge/primordials.ts";
import { createBlob, isBlob, readBlobBytes } from "./blob.ts";
import { decodeUtf8, decodeUtf8KeepingBom, encodeUtf8 } from "./encoding/encoding.ts";
import { decodeMultipart, encodeMultipart, FormData, isFormData } from "./form-data.ts";
import type { Headers } from "./headers.ts";
import { extractMimeType } from "./mime-type.ts";
import { createByteStream, isDisturbed, ReadableStream, readAllBytes, TransformStream } from "./streams.ts";
import { parseFormUrlEncoded, URLSearchParams } from "./url-search-params.ts";
import { toUsvString, toView } from "./webidl.ts";

/**
 * A body: bytes known at once, a stream, or both when a script asked for `.body` of known bytes. The stream is made when
 * asked for, because most scripts never do.
 */
export interface Body {
  bytes: Uint8Array<ArrayBuffer> | undefined;
  stream: ReadableStream | undefined;
  /** Read without the stream having been made. */
  used: boolean;
}

/** Makes a body of bytes. */
export function createBody(bytes: Uint8Array<ArrayBuffer>): Body {
  return { bytes, stream: undefined, used: false };
}

/** "Extract a body": the body and the Content-Type its kind implies. */
export function extractBody(value: unknown): { body: Body; type: string | undefined } {
  if (value instanceof ReadableStream) {
    if (isDisturbed(value) || value.locked) throw new TypeError("The stream has been read from or is locked");
    return { body: { bytes: undefined, stream: value, used: false }, type: undefined };
  }
  if (isBlob(value))
    return { body: createBody(readBlobBytes(value)), type: value.type === "" ? undefined : value.type };
  const view = toView(value);
  if (view !== undefined) return { body: createBody(view.slice()), type: undefined };
  if (isFormData(value)) {
    const { bytes, type } = encodeMultipart(value);
    return { body: createBody(bytes), type };
  }
  if (value instanceof URLSearchParams) {
    return {
      body: createBody(encodeUtf8(value.toString())),
      type: "application/x-www-form-urlencoded;charset=UTF-8",
    };
  }
  return { body: createBody(encodeUtf8(toUsvString(value))), type: "text/plain;charset=UTF-8" };
}

/** Whether the body has been read, wholly or in part. */
export function isUsed(body: Body | null): boolean {
  if (body === null) return false;
  return body.used || (body.stream !== undefined && isDisturbed(body.stream));
}

/** Whether the body may not be read (again). */
export function isUnusable(body: Body | null): boolean {
  return isUsed(body) || body?.stream?.locked === true;
}

/** The body's stream, made on first use. */
export function createBodyStream(body: Body): ReadableStream {
  body.stream ??= body.used ? createByteStream(new Uint8Array()) : createByteStream(body.bytes ?? new Uint8Array());
  return body.stream;
}

/** Reads the body to its end; a TypeError when it cannot be read any more. */
export function readBody(body: Body | null): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  if (isUnusable(body)) throw new TypeError("Body is unusable: it has already been read or is locked");
  if (body.stream !== undefined) return readAllBytes(body.stream);
  body.used = true;
  return body.bytes ?? new Uint8Array();
}

/** "Clone a body": both halves can be read. */
export function cloneBody(body: Body): Body {
  if (body.stream === undefined && body.bytes !== undefined) return createBody(body.bytes);
  const [mine, theirs] = createBodyStream(body).tee();
  body.stream = mine;
  return { bytes: undefined, stream: theirs, used: false };
}

/** Moves a body out of its owner, which is used from then on (`new Request(request)`). */
export function takeBody(body: Body): Body {
  const taken: Body = { ...body };
  if (body.stream !== undefined) {
    taken.stream = body.stream.pipeThrough(new TransformStream());
    taken.bytes = undefined;
  }
  body.used = true;
  return taken;
}

interface Owner {
  readonly body: Body | null;
  readonly headers: Headers;
}

/** Adds the mixin's members to a class; `ownerOf` checks the receiver. */
export function exposeBody(prototype: object, ownerOf: (receiver: unknown) => Owner): void {
  const read = async (receiver: unknown) => readBody(ownerOf(receiver).body);
  const methods = {
    async arrayBuffer(this: unknown) {
      const bytes = await read(this);
      return bytes.slice().buffer;
    },
    async blob(this: unknown) {
      const bytes = await read(this);
      return createBlob(bytes.slice(), extractMimeType(ownerOf(this).headers)?.text ?? "");
    },
    async bytes(this: unknown) {
      const bytes = await read(this);
      return bytes.slice();
    },
    async formData(this: unknown) {
      return parseForm(await read(this), ownerOf(this).headers);
    },
    async json(this: unknown) {
      return JSON.parse(decodeUtf8(await read(this)));
    },
    async text(this: unknown) {
      return decodeUtf8(await read(this));
    },
  };
  for (const [key, value] of Object.entries(methods)) {
    defineProperty(prototype, key, { value, enumerable: true, configurable: true, writable: true });
  }
  defineProperty(prototype, "body", {
    get(this: unknown) {
      const { body } = ownerOf(this);
      return body === null ? null : createBodyStream(body);
    },
    enumerable: true,
    configurable: true,
  });
  defineProperty(prototype, "bodyUsed", {
    get(this: unknown) {
      return isUsed(ownerOf(this).body);
    },
    enumerable: true,
    configurable: true,
  });
}

function parseForm(bytes: Uint8Array<ArrayBuffer>, headers: Headers): FormData {
  const type = extractMimeType(headers);
  if (type?.essence === "multipart/form-data") {
    const boundary = type.parameters.get("boundary");
    if (boundary === undefined) throw new TypeError("The multipart/form-data body has no boundary");
    return decodeMultipart(bytes, boundary);
  }
  if (type?.essence !== "application/x-www-form-urlencoded") {
    throw new TypeError("The body's Content-Type is neither multipart/form-data nor application/x-www-form-urlencoded");
  }
  const form = new FormData();
  for (const [name, value] of parseFormUrlEncoded(decodeUtf8KeepingBom(bytes))) form.append(name, value);
  return form;
}
