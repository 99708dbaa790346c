/** A refusal in words: what was refused, what to do about it, and its code for whoever looks it up. */
import { css, html, type TemplateResult } from "lit";
import type { ApiError } from "../api/client.ts";
import { icon } from "./icons.ts";
import type { Words } from "./words.ts";

export const refusalStyles = css`
  .refusal {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 4px 10px;
    padding: 10px 12px;
    border-radius: calc(var(--radius) - 2px);
    background: var(--bad-soft);
    color: var(--bad);
  }
  .refusal > div {
    display: grid;
    gap: 4px;
    justify-items: start;
  }
  .refusal code {
    font-family: var(--mono);
    font-size: 0.8125em;
  }
`;

/** Renders it; with `again` a button that tries it again. */
export function renderRefusal(
  { code, details, message }: ApiError,
  { common, app }: Words,
  again?: () => void,
): TemplateResult {
  const said = code === "UNREACHABLE" ? app.unreachable : (details?.detail ?? message);
  return html`<div class="refusal" role="alert">
    ${icon("triangle-alert")}
    <div>
      <strong>${said}</strong>
      ${details === undefined ? "" : html`<span>${details.hint}</span><code>${code}</code>`}
      ${again === undefined ? "" : html`<button type="button" @click=${again}>${common.tryAgain}</button>`}
    </div>
  </div>`;
}
