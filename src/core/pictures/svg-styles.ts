/** Styles of an SVG, as far as they say what else is drawn. */

/** A rule of a style sheet that names elements. */
export interface StyleRule {
  /** `.class`, `#id`, or `*` for one that is not understood. */
  readonly selectors: readonly string[];
  /** Ids of what it names. */
  readonly ids: readonly string[];
}

/** Most names in a style sheet: each is looked up for each element its rule is about. */
const MOST_NAMES = 1_000;

/** What would lead elsewhere, hide what it leads to, move, or take as long to draw as its numbers say. */
const REFUSED = [
  /\\|@import|@keyframes|@font-face/i,
  /\b(?:var|src|image|image-set|cross-fade|element|paint)\(/i,
  /\b(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)\(/i,
  /stroke-dasharray\s*:(?!\s*(?:none\b|0\s*(?:[;}]|$)))/i,
];

/** Ids of elements that declarations name; null where they lead elsewhere, or to what is not understood. */
export function findNamed(declarations: string): readonly string[] | null {
  if (REFUSED.some((words) => words.test(declarations))) return null;
  const ids = [...declarations.matchAll(/\burl\(\s*(?:"#([^"%]*)"|'#([^'%]*)'|#([^"'()%\s]*))\s*\)/gi)];
  const all = declarations.match(/url\(/gi)?.length ?? 0;
  return all === ids.length ? ids.map(([, one, other, bare]) => one ?? other ?? bare ?? "") : null;
}

/** The rules of a style sheet that name elements; null where it is refused. */
export function readStyleSheet(css: string): readonly StyleRule[] | null {
  const all = findNamed(css);
  const written = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ");
  if (all === null || all.length > MOST_NAMES || findNamed(written) === null) return null;
  const rules: StyleRule[] = [];
  let known = 0;
  for (const block of written.split("}")) {
    const [declarations = "", selectors] = block.split("{").toReversed();
    const ids = selectors === undefined ? [] : (findNamed(declarations) ?? []);
    known += ids.length;
    if (ids.length > 0) rules.push({ selectors: readSelectors(selectors ?? ""), ids });
  }
  // Something is named in another place: beside rules within a rule, or in a comment that may be none.
  return known < all.length ? [...rules, { selectors: ["*"], ids: all }] : rules;
}

function readSelectors(selectors: string): readonly string[] {
  const wanted = selectors.split(",").map((selector) => selector.trim());
  return wanted.every((one) => /^[.#][\w-]+$/.test(one)) ? wanted : ["*"];
}
