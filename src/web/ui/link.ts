/** A way to a place of the page: a link where the page is ours, else a button that tells the page around what was chosen. */
import { html, type TemplateResult } from "lit";
import { addressOf, type Place } from "./places.ts";

/** Renders it; `tell` is called where there is no address to go to. */
export function renderLink(place: Place, content: unknown, tell: () => void, className = "link"): TemplateResult {
  const address = addressOf(place);
  return address === undefined
    ? html`<button type="button" class=${className} @click=${tell}>${content}</button>`
    : html`<a class=${className} href=${address}>${content}</a>`;
}
