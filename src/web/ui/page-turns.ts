/** The ways to the page before and the page after of a list that comes in pages. */
import { css, html, nothing, type TemplateResult } from "lit";
import { icon } from "./icons.ts";
import type { Words } from "./words.ts";

export interface PageTurns {
  readonly back: () => unknown;
  /** Undefined on the last page. */
  readonly on: (() => unknown) | undefined;
}

/** Renders them; nothing where all of the list is on one page. `turned`: how many pages are before this one. */
export function renderPageTurns(
  { common }: Words,
  turned: number,
  { back, on }: PageTurns,
): TemplateResult | typeof nothing {
  if (turned === 0 && on === undefined) return nothing;
  return html`<nav class="pages" aria-label=${common.pages}>
    <button type="button" ?disabled=${turned === 0} @click=${back}>${icon("chevron-left")} ${common.before}</button>
    <span>${common.page(turned + 1)}</span>
    <button type="button" ?disabled=${on === undefined} @click=${() => on?.()}>${common.after} ${icon("chevron-right")}</button>
  </nav>`;
}

export const pageTurnStyles = css`
  .pages {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: center;
    gap: 8px;
  }
`;
