/** An element whose larger part is loaded when it is first shown. */
import { html, type TemplateResult } from "lit";
import { type ElementClass, register, SlipElement } from "./element.ts";
import type { SlipProperties } from "./element-types.ts";
import { renderNotLoaded } from "./not-loaded.ts";

/** Base of an element that stands for one that comes later. */
export abstract class LazyElement extends SlipElement {
  static override properties = { ...SlipElement.properties, standing: { state: true } };

  declare standing: "loading" | "there" | "failed";

  constructor() {
    super();
    this.standing = "loading";
  }

  /** Imports the larger part. */
  protected abstract load(): Promise<unknown>;

  /** Renders it, once it is there. */
  protected abstract renderLoaded(): TemplateResult | HTMLElement;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  async #load(): Promise<void> {
    if (this.standing === "there") return;
    this.standing = "loading";
    try {
      await this.load();
      this.standing = "there";
    } catch {
      // The engine is away, or another version of it has other files.
      this.standing = "failed";
    }
  }

  protected override render() {
    if (this.standing === "there") return this.renderLoaded();
    if (this.standing === "loading") return html`<p class="muted">${this.words.common.loading}</p>`;
    return renderNotLoaded(this.words);
  }
}

/**
 * Defines an element that stands for one which is loaded when it is first shown, and has these attributes as properties.
 * The other keeps its class: it is registered as `NAME-view`, since its own name is taken.
 */
export function defineLazy<Tag extends keyof SlipProperties>(
  name: Tag,
  attributes: readonly (Exclude<keyof SlipProperties[Tag], "api"> & string)[],
  load: () => Promise<ElementClass<Tag>>,
): void {
  const view = `${name}-view` as const;
  const declared = Object.fromEntries(attributes.map((attribute) => [attribute, { type: String }]));
  const properties = ["api", ...attributes];
  class Lazy extends LazyElement {
    static override properties = { ...LazyElement.properties, ...declared };
    #view: HTMLElement | undefined;

    protected async load(): Promise<void> {
      register(view, await load());
    }

    protected renderLoaded(): HTMLElement {
      this.#view ??= document.createElement(view);
      for (const property of properties) {
        const value: unknown = Reflect.get(this, property);
        if (value !== undefined) Reflect.set(this.#view, property, value);
      }
      return this.#view;
    }
  }
  register(name, Lazy);
}
