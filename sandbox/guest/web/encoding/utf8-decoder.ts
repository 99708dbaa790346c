import { createInvalidError, type Decoder, Units } from "./decoded-text.ts";

/** UTF-8 decoder (Encoding standard, section 8.1.1). */
export class Utf8Decoder implements Decoder {
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
