/** Gives words their names back: the build leaves each language but English as a list (scripts/build/packed-words.ts). */
export function nameWords(shape: object, words: readonly unknown[]): object {
  return Object.fromEntries(
    Object.entries(shape).map(([name, word], at) => {
      const given = words[at];
      return [name, Array.isArray(given) ? nameWords(word, given) : given];
    }),
  );
}
