/** The way through a dialog: its steps as a line, the present one told to screen readers too. */
import { css, html, nothing, type TemplateResult } from "lit";
import { icon } from "../../../ui/icons.ts";
import type { Words } from "../../../ui/words.ts";

/** Shows the titles of all steps; `at` is the present one. */
export function renderSteps(words: Words, titles: readonly string[], at: number): TemplateResult {
  return html`<ol class="steps" aria-label=${words.dialog.steps}>
    ${titles.map(
      (title, step) => html`<li class=${step < at ? "done" : ""} aria-current=${step === at ? "step" : nothing}>
        ${step < at ? icon("check") : nothing}<span>${title}</span>
      </li>`,
    )}
  </ol>`;
}

/** Styles of it. */
export const stepStyles = css`
  .steps {
    display: flex;
    gap: 6px;
  }
  .steps li {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 6px;
    min-width: 0;
    padding-top: 8px;
    border-top: 3px solid var(--line);
    color: var(--muted);
    font-size: 0.875em;
  }
  .steps span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .steps svg {
    width: 16px;
    height: 16px;
    color: var(--good);
  }
  .steps .done {
    border-color: var(--good);
  }
  .steps [aria-current] {
    border-color: var(--action);
    color: var(--text);
    font-weight: 600;
  }
  @media (max-width: 620px) {
    .steps li:not([aria-current]) span {
      position: absolute;
      width: 1px;
      height: 1px;
      clip-path: inset(50%);
    }
  }
`;
