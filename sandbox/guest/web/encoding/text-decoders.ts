/** The decoders behind TextDecoder (Encoding standard): UTF-8 and UTF-16 here, the legacy encodings in the child. */
import { decodeText } from "../../bridge/bridge.ts";
import { toExactBuffer } from "../webidl.ts";
import { type Decoder, Units } from "./decoded-text.ts";
import { Utf8Decoder } from "./utf8-decoder.ts";
import { Utf16Decoder } from "./utf16-decoder.ts";

/** x-user-defined (Encoding standard, section 14.5), which Node lacks. */
const userDefinedDecoder: Decoder = {
  decode(bytes) {
    const units = new Units();
    for (const byte of bytes) units.add(byte < 0x80 ? byte : 0xf700 + byte);
    return units.take();
  },
};

let lastDecoder = 0;

/** A legacy encoding, decoded in the child; `decoder` is the state's number there. */
class LegacyDecoder implements Decoder {
  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #decoder: number;

  constructor(encoding: string, fatal: boolean) {
    lastDecoder += 1;
    this.#decoder = lastDecoder;
    this.#encoding = encoding;
    this.#fatal = fatal;
  }

  decode(bytes: Uint8Array<ArrayBuffer>, flush: boolean): string {
    return decodeText(
      {
        op: "text.decode",
        decoder: this.#decoder,
        label: this.#encoding,
        fatal: this.#fatal,
        ignoreBOM: true,
        stream: !flush,
      },
      toExactBuffer(bytes),
    );
  }
}

/** A decoder of an encoding by its standard name. */
export function createDecoder(encoding: string, fatal: boolean): Decoder {
  switch (encoding) {
    case "utf-8":
      return new Utf8Decoder(fatal);
    case "utf-16le":
    case "utf-16be":
      return new Utf16Decoder(fatal, encoding === "utf-16be");
    case "x-user-defined":
      return userDefinedDecoder;
    default:
      return new LegacyDecoder(encoding, fatal);
  }
}
