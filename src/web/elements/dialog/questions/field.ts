/** What stands around the control of every question: its name, what explains it, and why its answer was refused. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Problem, Question } from "../../../api/types.ts";
import { icon } from "../../../ui/icons.ts";
import type { Words } from "../../../ui/words.ts";

/** Ids of what describes the control, for its `aria-describedby`. */
export const DESCRIBED_BY = "about refused";

/** The part of a question a field shows. */
export type Asked = Omit<Question, "installonly" | "group"> & Partial<Pick<Question, "installonly">>;

/** The name of a control with the id `control`, and whether it may stay empty. */
export function nameField(words: Words, { question, required, type }: Asked): TemplateResult {
  return html`<label for="control"
    >${question}${required || type === "boolean" ? nothing : html` <span class="muted small">${words.questions.optional}</span>`}</label
  >`;
}

/** The author's own words. */
export function explainField({ description }: Asked): TemplateResult {
  return html`<p id="about" class="muted small" ?hidden=${description === undefined}>${description}</p>`;
}

/** Why the answer is not taken; empty while it is. */
export function refuseField(words: Words, problems: readonly Problem[]): TemplateResult {
  return html`<div id="refused">
    ${problems.map((problem) => html`<p class="refused small">${icon("circle-alert")} ${tellProblem(words, problem)}</p>`)}
  </div>`;
}

/** A problem in words of the page where they are plainer than the engine's. */
export function tellProblem(words: Words, { code, message }: Pick<Problem, "code" | "message">): string {
  const plain: Readonly<Record<string, string>> = words.questions.refused;
  return plain[code] ?? message;
}

/** Styles of a field. */
export const fieldStyles = css`
  :host {
    display: grid;
    gap: 6px;
  }
  label {
    font-weight: 600;
  }
  label .small {
    font-weight: 400;
  }
  .refused {
    display: flex;
    align-items: start;
    gap: 6px;
    color: var(--bad);
  }
  input[aria-invalid="true"],
  select[aria-invalid="true"] {
    border-color: var(--bad);
  }
  .switch {
    display: flex;
    align-items: center;
    gap: 10px;
    min-height: 32px;
  }
  .switch input {
    flex: none;
    width: 20px;
    height: 20px;
    margin: 0;
    accent-color: var(--action);
  }
  .switch label {
    flex: 1;
  }
`;
