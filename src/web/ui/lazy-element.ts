/** An element whose larger part is loaded when it is first shown. */
import { html, type TemplateResult } from "lit";
import { SlipElement } from "./element.ts";

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
  protected abstract renderLoaded(): TemplateResult;

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
    return html`<p role="alert">${this.words.common.notLoaded}
      <button type="button" @click=${() => this.#load()}>${this.words.common.tryAgain}</button></p>`;
  }
}
