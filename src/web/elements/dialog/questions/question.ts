/** One question of a dialog: its control by its type, told by `slip-answer {key, value}`. */
import { html, nothing, type TemplateResult } from "lit";
import type { Json, Problem } from "../../../api/types.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import { live } from "../../../ui/live.ts";
import { type Asked, DESCRIBED_BY, explainField, fieldStyles, nameField, refuseField } from "./field.ts";

class SlipQuestion extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    question: { attribute: false },
    value: { attribute: false },
    problems: { attribute: false },
  };
  static override styles = [...SlipElement.styles, fieldStyles];
  static override shadowRootOptions = { ...SlipElement.shadowRootOptions, delegatesFocus: true };

  declare question: Asked | undefined;
  /** What the control shows; undefined where nothing is given or offered. */
  declare value: Json | undefined;
  declare problems: readonly Problem[];

  constructor() {
    super();
    this.question = undefined;
    this.value = undefined;
    this.problems = [];
  }

  protected override render() {
    const { question, words, problems } = this;
    if (question === undefined) return nothing;
    const control = this.#renderControl(question);
    return question.type === "boolean"
      ? html`<div class="switch">${control}${nameField(words, question)}</div>
          ${explainField(question)} ${refuseField(words, problems)}`
      : html`${nameField(words, question)} ${explainField(question)} ${control}
          ${
            question.generated === true && question.default === undefined
              ? html`<p class="muted small">${words.questions.generatedIfEmpty}</p>`
              : nothing
          }
          ${refuseField(words, problems)}`;
  }

  #renderControl(question: Asked): TemplateResult {
    const refused = this.problems.length > 0 ? "true" : "false";
    switch (question.type) {
      case "boolean":
        return html`<input
          id="control"
          type="checkbox"
          aria-describedby=${DESCRIBED_BY}
          aria-invalid=${refused}
          .checked=${live(this.value === true)}
          @change=${({ target }: Event) => target instanceof HTMLInputElement && this.#give(target.checked)}
        />`;
      case "select":
        return this.#renderSelect(question, refused);
      default:
        return html`<input
          id="control"
          type="text"
          autocomplete="off"
          inputmode=${question.type === "number" ? "decimal" : "text"}
          placeholder=${question.isSet === true ? this.words.questions.kept : (question.placeholder ?? nothing)}
          aria-describedby=${DESCRIBED_BY}
          aria-invalid=${refused}
          aria-required=${question.required ? "true" : "false"}
          .value=${live(writeValue(this.value))}
          @input=${({ target }: Event) => target instanceof HTMLInputElement && this.#give(target.value)}
        />`;
    }
  }

  /** Values are any JSON: an option is named by its number. */
  #renderSelect({ options = [], required }: Asked, refused: string): TemplateResult {
    const chosen = options.findIndex(({ value }) => JSON.stringify(value) === JSON.stringify(this.value));
    return html`<select
      id="control"
      aria-describedby=${DESCRIBED_BY}
      aria-invalid=${refused}
      aria-required=${required ? "true" : "false"}
      @change=${({ target }: Event) =>
        target instanceof HTMLSelectElement && this.#give(options[Number(target.value)]?.value)}
    >
      ${chosen === -1 || !required ? html`<option value="-1" .selected=${live(chosen === -1)}>${this.words.questions.choose}</option>` : nothing}
      ${options.map(({ text }, at) => html`<option value=${at} .selected=${live(at === chosen)}>${text}</option>`)}
    </select>`;
  }

  /** A text that was emptied is an answer only where it takes the place of another. */
  #give(value: Json | undefined): void {
    this.value = value;
    const isNone = value === "" && this.question?.default === undefined;
    this.tell("slip-answer", { key: this.question?.key, value: isNone ? undefined : value });
  }
}

function writeValue(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

define("slip-question", SlipQuestion);
