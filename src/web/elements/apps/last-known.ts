/** That the host does not answer, and how old what is shown is. */
import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../../api/types.ts";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";

/** A line with the time the host said what is shown; nothing where it answers. */
export function renderLastKnown(words: Words, lastKnown: App["lastKnown"]): TemplateResult | typeof nothing {
  if (lastKnown === undefined) return nothing;
  return html`<p class="last-known">${icon("cloud-off")} <span>${words.apps.lastKnown(lastKnown.at)}</span></p>`;
}
