/** What all elements share: the address of the engine's interface, the words, and a way to end what they began. */
import { LitElement, type PropertyDeclarations, type PropertyValues } from "lit";
import { whenLive } from "../api/client.ts";
import { base } from "./base.ts";
import type { SlipProperties } from "./element-types.ts";
import type { InnerEvent, SlipEvents } from "./events.ts";
import { onWords, type Words, words } from "./words.ts";

/**
 * Base of every element. Subclasses name their properties in `static override properties = { ...SlipElement.properties }`
 * and `declare` each, so that no field shadows an accessor; defaults are set in the constructor.
 */
export abstract class SlipElement extends LitElement {
  static override properties: PropertyDeclarations = { api: { type: String } };
  static override styles = [base];

  /** Address of the interface, with its `/api`; elements with the same one share a client, a stream and a table of tasks. */
  declare api: string;
  #connection: AbortController | undefined;
  /** What `api` was when the element came into its document. */
  #connectedTo = "";

  constructor() {
    super();
    this.api = "/api";
  }

  /** The words of the chosen language; read while rendering. */
  protected get words(): Words {
    return words();
  }

  /** Aborts when the element leaves its document: pass it to whatever was begun for it. */
  get connected(): AbortSignal {
    this.#connection ??= new AbortController();
    return this.#connection.signal;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#connectedTo = this.api;
    onWords(() => this.requestUpdate(), this.connected);
    whenLive(() => {
      for (const button of this.renderRoot.querySelectorAll(".again")) button.dispatchEvent(new Event("live"));
    }, this.connected);
  }

  /** Some frameworks set properties of an element that is in its document already: whatever it began begins anew there. */
  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!this.isConnected || this.#connectedTo === this.api) return;
    this.disconnectedCallback();
    this.connectedCallback();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#connection?.abort();
    this.#connection = undefined;
  }

  /** Tells the page around, through every shadow root; false where a listener prevented what follows. */
  tell<Name extends keyof SlipEvents | InnerEvent>(
    name: Name,
    detail: Name extends keyof SlipEvents ? SlipEvents[Name] : object,
  ): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

/** The class of an element, which has the properties its tag is known by. */
export type ElementClass<Tag> = Tag extends keyof SlipProperties
  ? new () => HTMLElement & SlipProperties[Tag]
  : CustomElementConstructor;

/** Registers an element that has the properties its tag is known by. */
export const define: <Tag extends `slip-${string}`>(name: Tag, element: ElementClass<Tag>) => void = register;

/** Registers an element once, whatever number of bundles of this package a page loads. */
export function register(name: `slip-${string}`, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
