/** A list of which no more is shown than somebody asks for: a catalog may hold thousands of links with one app. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";

/** Rows that are shown at first, and as many more each time. */
export const ROWS = 25;

export interface BoundedList<Row> {
  readonly rows: readonly Row[];
  /** How many are shown. */
  readonly shown: number;
  readonly render: (row: Row) => TemplateResult;
  readonly more: () => void;
}

/** The rows, and a button for more of them. */
export function renderBounded<Row>(words: Words, { rows, shown, render, more }: BoundedList<Row>): TemplateResult {
  const left = rows.length - shown;
  return html`<ul class="rows">${rows.slice(0, shown).map(render)}</ul>
    ${
      left > 0
        ? html`<button type="button" class="quiet" @click=${more}>${icon("chevron-down")} ${words.appPage.more(left)}</button>`
        : nothing
    }`;
}
