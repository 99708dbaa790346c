/** The marks of an app as badges. */
import { html, type TemplateResult } from "lit";
import { icon } from "../../ui/icons.ts";
import type { Mark } from "./describe-app.ts";

/** One mark: a picture and a word. */
export function renderMark({ icon: name, tone, word }: Mark): TemplateResult {
  return html`<span class=${tone === "plain" ? "badge" : `badge ${tone}`}>${icon(name)}<bdi>${word}</bdi></span>`;
}
