/** Problems and refusals as a dialog shows them. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { ApiError } from "../../api/client.ts";
import type { Problem } from "../../api/types.ts";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";
import { tellProblem } from "./questions/field.ts";

/** What keeps the whole from being taken, each with its hint; nothing where there is none. */
export function renderProblems(words: Words, problems: readonly Problem[]): TemplateResult | typeof nothing {
  if (problems.length === 0) return nothing;
  return html`<ul class="problems">
    ${problems.map(
      (problem) => html`<li class="problem">
        ${icon("circle-alert")}
        <div>
          <p>${tellProblem(words, problem)}</p>
          ${problem.hint === undefined ? nothing : html`<p class="small">${problem.hint}</p>`}
        </div>
      </li>`,
    )}
  </ul>`;
}

/** A refusal of the engine, or that it can't be reached, with a way to try again and what else `ways` offers. */
export function renderRefusal(
  words: Words,
  refusal: ApiError | undefined,
  again: () => unknown,
  ways: TemplateResult | typeof nothing = nothing,
): TemplateResult | typeof nothing {
  if (refusal === undefined) return nothing;
  const { code, message, status, details } = refusal;
  return html`<div class="problem" role="alert">
    ${icon(status === 0 ? "wifi-off" : "circle-alert")}
    <div>
      <p>${status === 0 ? words.dialog.unreachable : message}</p>
      ${details?.hint === undefined || details.hint === "" ? nothing : html`<p class="small">${details.hint}</p>`}
      ${status === 0 ? nothing : html`<p class="small"><code>${code}</code></p>`}
      <p class="ways"><button type="button" @click=${again}>${words.common.tryAgain}</button>${ways}</p>
    </div>
  </div>`;
}

/** The way to the task that is in the way, where the refusal names one: `slip-open-task {taskId}`. */
export function renderTaskWay(
  words: Words,
  refusal: ApiError | undefined,
  from: HTMLElement,
): TemplateResult | typeof nothing {
  const { taskId } = refusal?.details ?? {};
  if (taskId === undefined) return nothing;
  const open = () =>
    from.dispatchEvent(new CustomEvent("slip-open-task", { detail: { taskId }, bubbles: true, composed: true }));
  return html`<button type="button" @click=${open}>${words.dialog.showTask}</button>`;
}

/** Styles of all. */
export const problemStyles = css`
  .problems {
    display: grid;
    gap: 8px;
  }
  .problem {
    display: flex;
    align-items: start;
    gap: 10px;
    padding: 12px 14px;
    border: 1px solid var(--bad);
    border-radius: calc(var(--radius) - 2px);
    background: var(--bad-soft);
    color: var(--bad);
  }
  .problem > div {
    display: grid;
    gap: 4px;
    min-width: 0;
  }
  .problem button {
    color: var(--text);
  }
  .small {
    font-size: 0.875em;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  code {
    font-family: var(--mono);
    font-size: 0.9em;
  }
`;
