/** Problems and refusals as a dialog shows them. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { ApiError } from "../../api/client.ts";
import type { Preview, Problem } from "../../api/types.ts";
import { icon } from "../../ui/icons.ts";
import { refusalStyles, renderRefusal } from "../../ui/refusal.ts";
import type { Words } from "../../ui/words.ts";
import { tellProblem } from "./questions/field.ts";

/** What keeps the whole from being taken, each with its hint; nothing where there is none. */
export function renderProblems(words: Words, problems: readonly Problem[]): TemplateResult | typeof nothing {
  if (problems.length === 0) return nothing;
  return html`<ul class="problems">
    ${problems.map(
      (problem) => html`<li class="problem refusal" tabindex="-1">
        ${icon("circle-alert")}
        <div>
          <p>${tellProblem(words, problem)}</p>
          ${problem.hint === undefined ? nothing : html`<p class="small">${problem.hint}</p>`}
        </div>
      </li>`,
    )}
  </ul>`;
}

/** What on the host may keep it from working, each with what to do; it refuses nothing. */
export function renderAdvice(advice: Preview["advice"]): TemplateResult {
  return html`${advice.map(
    ({ message, hint }) => html`<p class="note">${icon("info")} <span>${message}<br />${hint}</span></p>`,
  )}`;
}

/** Why the engine did not take it, or that it can't be reached, with a way to try again and what else `ways` offers. */
export function renderRefused(
  words: Words,
  refusal: ApiError | undefined,
  again: () => unknown,
  ways: TemplateResult | typeof nothing = nothing,
): TemplateResult | typeof nothing {
  const { unreachable } = words.dialog;
  return refusal === undefined ? nothing : renderRefusal(refusal, words, again, { unreachable, ways });
}

/** Styles of all. */
export const problemStyles = [
  refusalStyles,
  css`
    .problems {
      display: grid;
      gap: 8px;
    }
    .note {
      display: flex;
      align-items: start;
      gap: 10px;
      padding: 12px 14px;
      border-radius: calc(var(--radius) - 2px);
      background: var(--sunken);
    }
  `,
];
