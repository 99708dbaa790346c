/** What a person can press, and why they can't press the rest. */
import { html, nothing, type TemplateResult } from "lit";
import type { ActionEntry } from "../../api/types.ts";
import { type IconName, icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";

/** By the kind its author gave it. */
const KINDS: Readonly<Record<NonNullable<ActionEntry["kind"]>, IconName>> = {
  connect: "link",
  custom: "play",
  maintain: "refresh-cw",
};

/** Shows each action with its button; `isPressing` while one is being started. */
export function renderActions(
  words: Words,
  actions: readonly ActionEntry[],
  isPressing: boolean,
  press: (action: ActionEntry) => unknown,
): TemplateResult | typeof nothing {
  if (actions.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="actions">
    <h2 id="actions">${words.appPage.actions}</h2>
    <ul class="rows">
      ${actions.map((action, index) => {
        const { title, description, kind = "custom", state, reason } = action;
        return html`<li>
          <div>
            <button type="button" ?disabled=${state === "disabled" || isPressing}
              aria-describedby=${reason === undefined ? nothing : `why-${index}`} @click=${() => press(action)}>
              ${icon(KINDS[kind])} <bdi>${title}</bdi>
            </button>
            ${description === undefined ? nothing : html`<p class="muted small"><bdi>${description}</bdi></p>`}
            ${
              reason === undefined
                ? nothing
                : html`<p class="muted small why" id="why-${index}">${icon("lock")} <bdi>${reason}</bdi></p>`
            }
          </div>
        </li>`;
      })}
    </ul>
  </section>`;
}
