/** Cuts a text to at most so many bytes of UTF-8, at a character. */
export function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes - ELLIPSIS_BYTES));
  return `${text.slice(0, read)}…`;
}

const ELLIPSIS_BYTES = 3;
