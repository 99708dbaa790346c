/** TextEncoderStream and TextDecoderStream (Encoding standard, section 7.4 and 7.6). */

import { TransformStream } from "../streams.ts";
import { exposeMembers, toDomString, toView } from "../webidl.ts";
import { encodeUtf8, TextDecoder } from "./encoding.ts";

export class TextEncoderStream {
  readonly #transform: TransformStream;

  constructor() {
    let high = "";
    this.#transform = new TransformStream({
      transform(chunk: unknown, controller) {
        let text = high + toDomString(chunk);
        high = "";
        if (/[\ud800-\udbff]$/.test(text)) {
          high = text.slice(-1);
          text = text.slice(0, -1);
        }
        if (text !== "") controller.enqueue(encodeUtf8(text));
      },
      flush(controller) {
        if (high !== "") controller.enqueue(encodeUtf8(high));
      },
    });
  }

  get encoding(): string {
    void this.#transform;
    return "utf-8";
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
exposeMembers(TextEncoderStream, "TextEncoderStream");

export class TextDecoderStream {
  readonly #decoder: TextDecoder;
  readonly #transform: TransformStream;

  constructor(label: unknown = "utf-8", options: unknown = undefined) {
    const decoder = new TextDecoder(label, options);
    this.#decoder = decoder;
    this.#transform = new TransformStream({
      transform(chunk: unknown, controller) {
        const bytes = toView(chunk);
        if (bytes === undefined) throw new TypeError("a chunk is not an ArrayBuffer or view");
        const text = decoder.decode(bytes, { stream: true });
        if (text !== "") controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text !== "") controller.enqueue(text);
      },
    });
  }

  get encoding(): string {
    return this.#decoder.encoding;
  }
  get fatal(): boolean {
    return this.#decoder.fatal;
  }
  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM;
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
exposeMembers(TextDecoderStream, "TextDecoderStream");
