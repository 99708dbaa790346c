/** What every decoder of the guest has: its shape, its units, its refusal. */

/** Collects UTF-16 units in blocks that `String.fromCharCode` takes as arguments. */
export class Units {
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

/** What a fatal decoder throws, as Node words it. */
export function createInvalidError(encoding: string): TypeError {
  return Object.assign(new TypeError(`The encoded data was not valid for encoding ${encoding}`), {
    code: "ERR_ENCODING_INVALID_ENCODED_DATA",
  });
}
