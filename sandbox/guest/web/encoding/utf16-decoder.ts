import { createInvalidError, type Decoder, Units } from "./decoded-text.ts";

/** UTF-16 decoder (Encoding standard, section 14.2). */
export class Utf16Decoder implements Decoder {
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
