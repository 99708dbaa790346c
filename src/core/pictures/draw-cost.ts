/**
 * Whether a browser draws an SVG in no time. Twenty lines that refer to each other, each some times, are drawn a billion
 * times, on the thread of the page they are a picture of.
 */
import { addCost, type Cost, ENDLESS, measureEmbedded, NOTHING } from "./embedded-picture.ts";
import { MOST_PIXELS } from "./measure-picture.ts";
import { readSvg, type SvgElement } from "./read-svg.ts";
import { findNamed, readStyleSheet, type StyleRule } from "./svg-styles.ts";

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

/** The pixels of the pictures within an SVG in UTF-8; null where the bytes are none, or one that takes long to draw. */
export function measureSvg(bytes: Uint8Array): number | null {
  const text = readUtf8(bytes);
  const root = text === null ? null : readSvg(text);
  return root?.name === "svg" ? new Drawing(root).measure() : null;
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
  readonly #styles = new Map<string, Set<StyleRule>>();
  readonly #styleCosts = new Map<string, Cost>();
  readonly #ruleCosts = new Map<StyleRule, Cost>();
  readonly #costs = new Map<SvgElement, Cost>();
  #elements = 0;
  #isRefused = false;

  constructor(root: SvgElement) {
    this.#root = root;
    this.#look(root);
  }

  /** Pixels; null where it is refused. */
  measure(): number | null {
    if (this.#isRefused || this.#elements > MOST_DRAWN) return null;
    const { drawn, pixels } = this.#count(this.#root, 0);
    return drawn <= MOST_DRAWN && pixels <= MOST_PIXELS ? pixels : null;
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
    for (const rule of rules ?? []) {
      for (const selector of rule.selectors) {
        const about = this.#styles.get(selector) ?? new Set();
        this.#styles.set(selector, about.add(rule));
      }
    }
  }

  #admits(element: string, [name, value]: SvgElement["attributes"][number]): boolean {
    if (name !== "href") return findNamed(name === "style" ? value : `${name}:${value}`) !== null;
    if (value === "" || value.startsWith("#")) return !value.includes("%");
    return element === "a" || (element === "image" && /^data:image\/(?:png|jpe?g|webp);/.test(value));
  }

  /** What is drawn for one: what its references lead to may be drawn for each that is in it. */
  #count(element: SvgElement, level: number): Cost {
    const known = this.#costs.get(element);
    if (known !== undefined) return known;
    // Whatever comes back to it while it is counted goes on without end.
    this.#costs.set(element, ENDLESS);
    let within: Cost = { drawn: 1, pixels: measureEmbedded(element) };
    for (const child of element.children) within = addCost(within, this.#count(child, level));
    let named = NOTHING;
    for (const [name, value] of element.attributes) {
      if (name === "href") within = addCost(within, this.#countNamed(value.slice(1), level), REPEATED);
      else for (const id of findNamed(`${name}:${value}`) ?? []) named = addCost(named, this.#countNamed(id, level));
    }
    for (const selector of listSelectors(element)) named = addCost(named, this.#countStyles(selector, level));
    const cost = {
      drawn: within.drawn * (1 + named.drawn) * weigh(element),
      pixels: within.pixels + within.drawn * named.pixels,
    };
    this.#costs.set(element, cost);
    return cost;
  }

  /** Counted once, however many elements the rules are about. */
  #countStyles(selector: string, level: number): Cost {
    const known = this.#styleCosts.get(selector);
    if (known !== undefined) return known;
    const rules = this.#styles.get(selector);
    if (rules === undefined) return NOTHING;
    this.#styleCosts.set(selector, ENDLESS);
    let cost = NOTHING;
    for (const rule of rules) cost = addCost(cost, this.#countRule(rule, level));
    this.#styleCosts.set(selector, cost);
    return cost;
  }

  /** Looked at once, however many selectors it has. */
  #countRule(rule: StyleRule, level: number): Cost {
    const known = this.#ruleCosts.get(rule);
    if (known !== undefined) return known;
    this.#ruleCosts.set(rule, ENDLESS);
    let cost = NOTHING;
    for (const id of rule.ids) cost = addCost(cost, this.#countNamed(id, level));
    this.#ruleCosts.set(rule, cost);
    return cost;
  }

  /** A gradient is no more than its colours. */
  #countNamed(id: string, level: number): Cost {
    const target = this.#byId.get(id);
    if (target === undefined || target.name.endsWith("Gradient")) return NOTHING;
    return level >= MOST_LEVELS ? ENDLESS : this.#count(target, level + 1);
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
