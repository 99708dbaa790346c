/** The box of a step that may be left out: its own words, the link to terms, and why it is out of reach. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { FormConsent } from "../../../api/types.ts";
import { isWebAddress } from "../../../ui/web-address.ts";
import type { Words } from "../../../ui/words.ts";

/** Shows one consent; `gates` are the labels of those it waits for, `set` takes the new standing. */
export function renderConsent(
  words: Words,
  consent: FormConsent,
  { isChecked, gates }: { readonly isChecked: boolean; readonly gates: readonly string[] },
  set: (isChecked: boolean) => void,
): TemplateResult {
  const { available, label, description, link } = consent;
  const refers = link !== undefined && isWebAddress(link.url);
  return html`<div class="row ${available ? "" : "closed"}">
    <label>
      <input
        type="checkbox"
        .checked=${isChecked && available}
        ?disabled=${!available}
        @change=${({ target }: Event) => target instanceof HTMLInputElement && set(target.checked)}
      />
      <span>
        <span class="title">${label}</span>
        ${
          description === undefined && !refers
            ? nothing
            : html`<span class="muted small"
                >${description} ${
                  refers
                    ? html`<a href=${link.url} target="_blank" rel="noopener noreferrer">${link.label}</a>`
                    : nothing
                }</span
              >`
        }
        ${available ? nothing : html`<span class="small reason">${words.dialog.needs(gates)}</span>`}
      </span>
    </label>
  </div>`;
}

/** A consent that is on by default and links to third-party terms: they are seen before they are agreed to. */
export function isTerms({ default: isOn, link }: FormConsent): boolean {
  return isOn && link !== undefined;
}

/** The labels of the consents a row waits for. */
export function nameGates(ids: readonly string[], consents: readonly FormConsent[]): readonly string[] {
  return ids.map((id) => consents.find(({ hookId }) => hookId === id)?.label ?? id);
}

/** Styles of the rows of the picker. */
export const rowStyles = css`
  .rows {
    display: grid;
    gap: 8px;
  }
  .row {
    display: grid;
    gap: 12px;
    padding: 10px 12px;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) - 2px);
    background: var(--surface);
  }
  .row.closed {
    border-style: dashed;
    background: var(--sunken);
  }
  .row label {
    display: flex;
    align-items: start;
    gap: 12px;
    min-height: 24px;
  }
  .row label > span {
    display: grid;
    min-width: 0;
  }
  .row input[type="checkbox"] {
    flex: none;
    width: 20px;
    height: 20px;
    margin: 2px 0 0;
    accent-color: var(--action);
  }
  .inline {
    display: grid;
    gap: 16px;
    padding-inline-start: 32px;
  }
  h3,
  h4 {
    font-size: 0.875em;
    color: var(--muted);
  }
  @media (max-width: 620px) {
    .inline {
      padding-inline-start: 0;
    }
  }
  @media (pointer: coarse) {
    .row label {
      min-height: 44px;
    }
  }
`;
