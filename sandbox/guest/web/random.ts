/** `Math.random` seeded per run (sfc32, public domain by Chris Doty-Humphrey), so that a run can be replayed. */

let a = 0;
let b = 0;
let c = 0;
let counter = 1;
const { imul } = Math;

/** Starts the sequence a seed stands for. */
export function seedRandom(seed: string): void {
  // FNV-1a over the seed with three different offsets fills the state.
  [a, b, c] = [hash(seed, 0x811c9dc5), hash(seed, 0x9e3779b9), hash(seed, 0x85ebca6b)];
  counter = 1;
  for (let i = 0; i < 12; i += 1) drawRandom();
}

function hash(text: string, offset: number): number {
  let value = offset;
  for (let i = 0; i < text.length; i += 1) value = imul(value ^ text.charCodeAt(i), 0x01000193);
  return value | 0;
}

/** A number in [0, 1). */
export function drawRandom(): number {
  const sum = (((a + b) | 0) + counter) | 0;
  counter = (counter + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = (c << 21) | (c >>> 11);
  c = (c + sum) | 0;
  return (sum >>> 0) / 4_294_967_296;
}
