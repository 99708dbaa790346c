/**
 * How a character may be written: `\"`, `\u0022`, `%22`, `&quot;`, `&#34;`, and those escaped once or twice more.
 */

/** Most UTF-16 units one unit of a secret takes where it is escaped: three bytes, each `%2525hh`. */
export const FORM_REACH = 21;

/** How often an escape is escaped: not at all, once, twice. */
const LEVELS = [0, 1, 2] as const;

/** The escapes of some characters, unit by unit, each with the characters it stands for where it ends. */
export interface Ways {
  readonly next: Map<number, Ways>;
  readonly characters: string[];
}

/** Prepares the escapes of every character of some texts. */
export function indexWays(texts: Iterable<string>): Ways {
  const ways = createWays();
  const characters = new Set<string>();
  for (const text of texts) for (const character of text) characters.add(character);
  for (const character of characters)
    for (const written of new Set(LEVELS.flatMap((level) => listEscapes(character, level))))
      if (written !== character) addWritten(ways, written, character);
  return ways;
}

function createWays(): Ways {
  return { next: new Map(), characters: [] };
}

function addWritten(ways: Ways, written: string, character: string): void {
  let node = ways;
  for (let at = 0; at < written.length; at += 1) {
    const unit = written.charCodeAt(at);
    const next = node.next.get(unit) ?? createWays();
    node.next.set(unit, next);
    node = next;
  }
  node.characters.push(character);
}

/** Whether a text holds anything that begins an escape. */
export function mayBeEscaped(text: string): boolean {
  return /[%\\&+\r]/.test(text);
}

/** What the escapes at a place stand for, each with the place behind it. */
export function listReadings(
  text: string,
  start: number,
  ways: Ways,
): readonly (readonly [characters: string, end: number])[] {
  let node = ways.next.get(text.charCodeAt(start));
  if (node === undefined) return NO_READINGS;
  const readings: (readonly [string, number])[] = [];
  for (let at = start + 1; node !== undefined; at += 1) {
    for (const character of node.characters) readings.push([character, at]);
    node = node.next.get(text.charCodeAt(at));
  }
  return readings;
}

const NO_READINGS: readonly (readonly [string, number])[] = [];

function listEscapes(character: string, level: number): readonly string[] {
  return [
    ...escapeByBackslash(character, level),
    ...encodePercent(character, level),
    ...encodeEntities(character, level),
    ...(character === " " ? ["+"] : []),
    ...(character === "\n" ? ["\r\n"] : []),
  ];
}

/** As `JSON.stringify` and its like write it, `level` times more. */
function escapeByBackslash(character: string, level: number): readonly string[] {
  const before = "\\".repeat(2 ** level);
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  const escapes = [units, units.map((hex) => hex.toUpperCase())].map((hexes) =>
    hexes.map((hex) => `${before}u${hex}`).join(""),
  );
  const letter = LETTERS.get(character);
  if (letter !== undefined) escapes.push(before + letter);
  if (character === "\\") escapes.push(before + before);
  if ("\"'/`".includes(character)) escapes.push(`${"\\".repeat(2 ** (level + 1) - 1)}${character}`, before + character);
  return escapes;
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
  ["\b", "b"],
  ["\f", "f"],
  ["\v", "v"],
]);

/** As `encodeURIComponent` writes it, also where it would leave the character alone. */
function encodePercent(character: string, level: number): readonly string[] {
  const sign = `%${"25".repeat(level)}`;
  const bytes = [...Buffer.from(character.toWellFormed(), "utf8")].map((byte) => byte.toString(16).padStart(2, "0"));
  const lower = bytes.map((hex) => sign + hex).join("");
  return [lower, bytes.map((hex) => sign + hex.toUpperCase()).join("")];
}

/** As HTML and XML may write it. */
function encodeEntities(character: string, level: number): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const [decimal, hex] = [String(code), code.toString(16)];
  const names = [
    ...[decimal, decimal.padStart(3, "0"), decimal.padStart(4, "0")].map((digits) => `#${digits}`),
    ...[hex, hex.padStart(2, "0"), hex.padStart(4, "0")].flatMap((digits) => [
      `#x${digits}`,
      `#x${digits.toUpperCase()}`,
      `#X${digits.toUpperCase()}`,
    ]),
  ];
  const name = NAMES.get(character);
  return [...names, ...(name === undefined ? [] : [name])].map((each) => `&${"amp;".repeat(level)}${each};`);
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['"', "quot"],
  ["&", "amp"],
  ["'", "apos"],
  ["<", "lt"],
  [">", "gt"],
  ["\u00a0", "nbsp"],
]);
