/** The decoders behind TextDecoder (Encoding standard): UTF-8 and UTF-16 here, the legacy encodings in the child. */
import { decodeText } from "../../bridge/bridge.ts";
import { toExactBuffer } from "../webidl.ts";

/** Collects UTF-16 units in blocks that `String.fromCharCode` takes as arguments. */
class Units {
  readonly #block = new Uint16Array(4096);
  #length = 0;
  #text = "";

  add(unit: number): void {
    if (this.#length === this.#block.length) this.#flush();
    this.#block[this.#length++] = unit;
  }
  addPoint(point: number): void {
    if (point < 0x10000) {
      this.add(point);
      return;
    }
    this.add(0xd800 + ((point - 0x10000) >> 10));
    this.add(0xdc00 + ((point - 0x10000) & 0x3ff));
  }
  #flush(): void {
    this.#text += String.fromCharCode.apply(null, this.#block.subarray(0, this.#length) as never);
    this.#length = 0;
  }
  take(): string {
    this.#flush();
    return this.#text;
  }
}

/** One encoding's decoder: state between chunks is its own. */
export interface Decoder {
  /** `flush` ends the stream: an incomplete character becomes U+FFFD, or throws when fatal. */
  decode(bytes: Uint8Array<ArrayBuffer>, flush: boolean): string;
}

function createInvalidError(encoding: string): TypeError {
  return Object.assign(new TypeError(`The encoded data was not valid for encoding ${encoding}`), {
    code: "ERR_ENCODING_INVALID_ENCODED_DATA",
  });
}

/** UTF-8 decoder (Encoding standard, section 8.1.1). */
class Utf8Decoder implements Decoder {
  readonly #fatal: boolean;
  #point = 0;
  #needed = 0;
  #seen = 0;
  #lower = 0x80;
  #upper = 0xbf;

  constructor(fatal: boolean) {
    this.#fatal = fatal;
  }

  decode(bytes: Uint8Array<ArrayBuffer>, flush: boolean): string {
    const units = new Units();
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i] as number;
      if (this.#needed === 0) {
        if (byte < 0x80) units.add(byte);
        else if (!this.#begin(byte)) this.#fail(units);
        continue;
      }
      if (byte < this.#lower || byte > this.#upper) {
        this.#reset();
        this.#fail(units);
        i -= 1;
        continue;
      }
      this.#lower = 0x80;
      this.#upper = 0xbf;
      this.#point = (this.#point << 6) | (byte & 0x3f);
      this.#seen += 1;
      if (this.#seen !== this.#needed) continue;
      units.addPoint(this.#point);
      this.#reset();
    }
    if (flush && this.#needed > 0) {
      this.#reset();
      this.#fail(units);
    }
    return units.take();
  }

  #begin(byte: number): boolean {
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.#needed = 1;
      this.#point = byte & 0x1f;
    } else if (byte >= 0xe0 && byte <= 0xef) {
      if (byte === 0xe0) this.#lower = 0xa0;
      if (byte === 0xed) this.#upper = 0x9f;
      this.#needed = 2;
      this.#point = byte & 0xf;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      if (byte === 0xf0) this.#lower = 0x90;
      if (byte === 0xf4) this.#upper = 0x8f;
      this.#needed = 3;
      this.#point = byte & 0x7;
    } else return false;
    return true;
  }

  #reset(): void {
    this.#point = 0;
    this.#needed = 0;
    this.#seen = 0;
    this.#lower = 0x80;
    this.#upper = 0xbf;
  }

  #fail(units: Units): void {
    if (this.#fatal) {
      this.#reset();
      throw createInvalidError("utf-8");
    }
    units.add(0xfffd);
  }
}

/** UTF-16 decoder (Encoding standard, section 14.2). */
class Utf16Decoder implements Decoder {
  readonly #fatal: boolean;
  readonly #bigEndian: boolean;
  #lead = -1;
  #high = -1;

  constructor(fatal: boolean, bigEndian: boolean) {
    this.#fatal = fatal;
    this.#bigEndian = bigEndian;
  }

  decode(bytes: Uint8Array<ArrayBuffer>, flush: boolean): string {
    const units = new Units();
    for (const byte of bytes) {
      if (this.#lead < 0) {
        this.#lead = byte;
        continue;
      }
      const unit = this.#bigEndian ? (this.#lead << 8) | byte : (byte << 8) | this.#lead;
      this.#lead = -1;
      this.#take(unit, units);
    }
    if (flush && (this.#lead >= 0 || this.#high >= 0)) {
      this.#lead = -1;
      this.#high = -1;
      this.#fail(units);
    }
    return units.take();
  }

  #take(unit: number, units: Units): void {
    if (this.#high >= 0) {
      const high = this.#high;
      this.#high = -1;
      if ((unit & 0xfc00) === 0xdc00) {
        units.add(high);
        units.add(unit);
        return;
      }
      this.#fail(units);
    }
    if ((unit & 0xfc00) === 0xd800) this.#high = unit;
    else if ((unit & 0xfc00) === 0xdc00) this.#fail(units);
    else units.add(unit);
  }

  #fail(units: Units): void {
    if (this.#fatal) {
      this.#high = -1;
      throw createInvalidError(this.#bigEndian ? "utf-16be" : "utf-16le");
    }
    units.add(0xfffd);
  }
}

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
