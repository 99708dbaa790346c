/** What stands for an app without a picture. Pure. */

/** The first letters of the first two words of a name, as people read it, e.g. `DN` of `demo-notes`; `?` of no letters. */
export function readInitials(name: string): string {
  const words = name.slice(0, 200).match(/[\p{L}\p{N}]+/gu) ?? [];
  const initials = words.slice(0, 2).map((word) => [...word][0] ?? "");
  return initials.join("").toUpperCase() || "?";
}

/** A hue of 0 to 359 that stays with a text. */
export function chooseHue(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  return hash;
}
