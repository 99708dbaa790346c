/**
 * Whether a browser draws an SVG in no time. Twenty lines that refer to each other, each some times, are drawn a billion
 * times, on the thread of the page they are a picture of.
 */
import { readSvg, type SvgElement } from "./read-svg.ts";
import { findNamed, readStyleSheet } from "./svg-styles.ts";

/** Most elements to draw, those a reference repeats counted each time. */
const MOST_DRAWN = 10_000;
/** An element that is repeated, and what is in a pattern or filter, cost as much as so many that are drawn once. */
const REPEATED = 4;
const PAINTED = 10;
/** Most references in a row. */
const MOST_LEVELS = 16;

/** What moves, is a document of its own, is repeated for each corner of a path, or takes as long as its numbers say. */
const REFUSED: ReadonlySet<string> = new Set([
  "animate",
  "animateColor",
  "animateMotion",
  "animateTransform",
  "discard",
  "feConvolveMatrix",
  "feImage",
  "feMorphology",
  "feTurbulence",
  "foreignObject",
  "link",
  "marker",
  "set",
]);

/** Whether the bytes are an SVG in UTF-8 that is drawn in no time, wherever it is shown. */
export function isQuicklyDrawn(bytes: Uint8Array): boolean {
  const text = readUtf8(bytes);
  const root = text === null ? null : readSvg(text);
  return root !== null && root.name === "svg" && new Drawing(root).isLight();
}

function readUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

class Drawing {
  readonly #root: SvgElement;
  readonly #byId = new Map<string, SvgElement>();
  /** Ids that rules of style sheets name, by selector. */
  readonly #styles = new Map<string, (readonly string[])[]>();
  readonly #costs = new Map<SvgElement, number>();
  #elements = 0;
  #isRefused = false;

  constructor(root: SvgElement) {
    this.#root = root;
    this.#look(root);
  }

  isLight(): boolean {
    return !this.#isRefused && this.#elements <= MOST_DRAWN && this.#count(this.#root, 0) <= MOST_DRAWN;
  }

  #look(element: SvgElement): void {
    const { name, attributes, children, text } = element;
    this.#elements += 1;
    if (REFUSED.has(name) || attributes.some((attribute) => !this.#admits(name, attribute))) this.#isRefused = true;
    if (name === "style") this.#addStyles(text);
    const id = findAttribute(element, "id");
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
    for (const child of children) this.#look(child);
  }

  #addStyles(css: string): void {
    const rules = readStyleSheet(css);
    if (rules === null) this.#isRefused = true;
    for (const { selectors, ids } of rules ?? []) {
      for (const selector of selectors) this.#styles.set(selector, [...(this.#styles.get(selector) ?? []), ids]);
    }
  }

  #admits(element: string, [name, value]: SvgElement["attributes"][number]): boolean {
    if (name !== "href") return findNamed(name === "style" ? value : `${name}:${value}`) !== null;
    if (value === "" || value.startsWith("#")) return !value.includes("%");
    return element === "a" || (element === "image" && /^data:image\/(?:png|jpe?g|webp);/.test(value));
  }

  /** The elements drawn for one: what its references lead to may be drawn for each that is in it. */
  #count(element: SvgElement, level: number): number {
    const known = this.#costs.get(element);
    if (known !== undefined) return known;
    // Whatever comes back to it while it is counted goes on without end.
    this.#costs.set(element, Number.POSITIVE_INFINITY);
    let within = 1;
    for (const child of element.children) within += this.#count(child, level);
    let times = 1;
    for (const [name, value] of element.attributes) {
      if (name === "href") within += REPEATED * this.#countNamed(value.slice(1), level);
      else for (const id of findNamed(`${name}:${value}`) ?? []) times += this.#countNamed(id, level);
    }
    for (const selector of listSelectors(element)) {
      for (const ids of this.#styles.get(selector) ?? []) for (const id of ids) times += this.#countNamed(id, level);
    }
    const cost = within * times * weigh(element);
    this.#costs.set(element, cost);
    return cost;
  }

  /** A gradient is no more than its colours. */
  #countNamed(id: string, level: number): number {
    const target = this.#byId.get(id);
    if (target === undefined || target.name.endsWith("Gradient")) return 0;
    return level >= MOST_LEVELS ? Number.POSITIVE_INFINITY : this.#count(target, level + 1);
  }
}

function weigh({ name }: SvgElement): number {
  return name === "pattern" || name.startsWith("fe") ? PAINTED : 1;
}

function listSelectors(element: SvgElement): readonly string[] {
  const classes = (findAttribute(element, "class") ?? "").split(/\s+/).filter((name) => name !== "");
  return ["*", `#${findAttribute(element, "id") ?? ""}`, ...classes.map((name) => `.${name}`)];
}

function findAttribute({ attributes }: SvgElement, wanted: string): string | undefined {
  return attributes.find(([name]) => name === wanted)?.[1];
}
