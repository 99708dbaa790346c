/** Every phrase of a language by its path, those about something said of a 2. */
export function listPhrases(words: object): ReadonlyMap<string, string> {
  return new Map(walk(words, ""));
}

function* walk(part: unknown, path: string): Generator<readonly [string, string]> {
  if (typeof part === "string") yield [path, part];
  else if (typeof part === "function") yield [path, String(path.endsWith(".needs") ? part(["2"]) : part(2, 2, 2))];
  else for (const [name, inside] of Object.entries(Object(part))) yield* walk(inside, `${path}.${name}`);
}
