/** A part of the page whose file did not come. */
import { html, type TemplateResult } from "lit";
import type { Words } from "./words.ts";

/**
 * Says so, with a way to load the page again: a browser asks for a module that failed once no second time, and an engine that
 * was updated has other files.
 */
export function renderNotLoaded({ common }: Words): TemplateResult {
  return html`<p role="alert">${common.notLoaded}
    <button type="button" @click=${() => location.reload()}>${common.reload}</button></p>`;
}
