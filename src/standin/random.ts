/** Repeatable randomness: equal seeds give equal ids (docs/host-api.md, section 11, duty 12). */
export interface Random {
  /** `length` lower-case hexadecimal characters. */
  hex(length: number): string;
  /** A version 4 UUID. */
  uuid(): string;
  /** At least `low`, below `high`. */
  between(low: number, high: number): number;
}

/** A mulberry32 generator: 32 bits of state, good enough for ids, not for secrets. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  const drawNext = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const drawHex = (length: number): string => {
    let text = "";
    while (text.length < length) text += drawNext().toString(16).padStart(8, "0");
    return text.slice(0, length);
  };
  return {
    hex: drawHex,
    uuid: () => {
      const digits = drawHex(32);
      const variant = (8 + (Number.parseInt(digits.slice(16, 17), 16) % 4)).toString(16);
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
    },
    between: (low, high) => low + (drawNext() / 2 ** 32) * (high - low),
  };
}
