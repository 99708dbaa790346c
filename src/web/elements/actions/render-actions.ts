/** Actions as buttons, each with why it can't be pressed, and what became of the last press. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { ActionEntry } from "../../api/types.ts";
import type { SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import { refusalStyles, renderRefusal, renderTaskWay } from "../../ui/refusal.ts";
import type { Words } from "../../ui/words.ts";
import type { Presses } from "./presses.ts";

/** Renders one button; `id` is its own among the element's, so that its reason is read with it. */
export function renderAction(
  { title, state, reason }: ActionEntry,
  id: string,
  presses: Presses,
  press: () => unknown,
): TemplateResult {
  return html`<div class="action">
    <button
      type="button"
      ?disabled=${state === "disabled" || presses.isPressing}
      aria-describedby=${reason === undefined ? nothing : id}
      @click=${press}
    >
      ${title}
    </button>
    ${reason === undefined ? nothing : html`<p class="why muted" id=${id}>${icon("info")} ${reason}</p>`}
  </div>`;
}

/** Renders the outcome of the last press: the way to its task (`slip-open-task {taskId}`), or why there is none. */
export function renderPressed(words: Words, presses: Presses, from: Pick<SlipElement, "tell">): TemplateResult {
  const { started, refusal } = presses;
  return html`${
    started === undefined
      ? nothing
      : html`<p class="started">
          ${icon("circle-check")} <span>${words.actions.started(started.title)}</span>
          <button type="button" class="quiet" @click=${() => from.tell("slip-open-task", { taskId: started.taskId })}>${words.actions.showTask}</button>
        </p>`
  }
    ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => void presses.again(), { ways: renderTaskWay(words, refusal.details?.taskId, from) })}`;
}

/** Styles of both. */
export const actionStyles = [
  refusalStyles,
  css`
    .action button {
      width: 100%;
      min-width: 0;
    }
    .why,
    .started {
      display: flex;
      align-items: center;
      gap: 6px;
      margin-top: 4px;
      font-size: 0.875em;
    }
    .started {
      flex-wrap: wrap;
      color: var(--good);
    }
  `,
];
