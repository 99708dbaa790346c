/**
 * The options of an installed app: every question on one screen, and what the answers change before it is done. Connecting it
 * opens it. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-closed`.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Form, Json, Problem } from "../../../api/types.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import "../dialog-frame.ts";
import "../questions/questions.ts";
import type { SlipDialog } from "../dialog-frame.ts";
import { Draft } from "../draft.ts";
import { pressOnEnter } from "../press-on-enter.ts";
import { problemStyles, renderProblems, renderRefusal, renderTaskWay } from "../problems.ts";
import { isAboutAnswer, placeProblems, setAnswer } from "../questions/answers.ts";
import type { SlipQuestions } from "../questions/questions.ts";
import { differenceStyles, renderDifferences } from "./differences.ts";

export class SlipOptions extends SlipElement {
  static override properties = { ...SlipElement.properties, app: { type: String } };
  static override styles = [
    ...SlipElement.styles,
    problemStyles,
    differenceStyles,
    css`
      .body {
        display: grid;
        gap: 22px;
      }
    `,
  ];

  /** Id of the catalog app. */
  declare app: string;
  readonly #draft = new Draft(this, () => ({ api: this.api, appId: this.app, mode: "options" }));

  constructor() {
    super();
    this.app = "";
  }

  protected override render() {
    const { words } = this;
    const { form, preview, refusal } = this.#draft;
    return html`<slip-dialog
      heading=${words.dialog.change.options(preview?.name ?? this.app)}
      @keydown=${pressOnEnter}
    >
      <div class="body" @slip-answer=${this.#takeAnswer}>
        ${
          form === undefined && refusal === undefined
            ? html`<p class="muted" role="status">${words.common.loading}</p>`
            : nothing
        }
        ${form === undefined ? nothing : this.#renderOptions(form)}
        ${renderRefusal(words, refusal, () => this.#draft.judge(), renderTaskWay(words, refusal, this))}
      </div>
      <button slot="buttons" type="button" @click=${() => this.#cancel()}>${words.common.cancel}</button>
      <button
        slot="buttons"
        type="button"
        class="primary"
        ?disabled=${form === undefined || this.#draft.isStarting}
        @click=${() => this.#apply()}
      >
        ${words.dialog.change.apply}
      </button>
    </slip-dialog>`;
  }

  #renderOptions({ steps }: Form): TemplateResult {
    const { dialog } = this.words;
    const { choices, preview } = this.#draft;
    const errors = this.#errors;
    return html`${steps.length === 0 ? html`<p class="muted">${dialog.change.noQuestions}</p>` : nothing}
    ${steps.map(
      (step) => html`<slip-questions
        .step=${step}
        .answers=${choices.answers}
        .problems=${placeProblems(errors)}
      ></slip-questions>`,
    )}
    ${renderProblems(
      this.words,
      errors.filter((problem) => !isAboutAnswer(problem)),
    )}
    ${preview === undefined ? nothing : renderDifferences(this.words, preview)}`;
  }

  get #errors(): readonly Problem[] {
    const { preview, refusal } = this.#draft;
    const all = [...(preview?.problems ?? []), ...(refusal?.details?.problems ?? [])];
    return all.filter(({ severity }) => severity === "error");
  }

  async #apply(): Promise<void> {
    const isJudged = await this.#draft.judge();
    const isFaulty = this.#errors.some(isAboutAnswer);
    const task = isJudged && !isFaulty ? await this.#draft.start("update") : undefined;
    if (task === undefined) {
      await this.updateComplete;
      this.renderRoot.querySelector<SlipQuestions>("slip-questions")?.focusRefused();
      return;
    }
    this.tell("slip-started", { taskId: task.id, task });
    this.#close();
  }

  #cancel(): void {
    this.#draft.discard();
    this.#close();
  }

  #close(): void {
    this.renderRoot.querySelector<SlipDialog>("slip-dialog")?.close();
  }

  #takeAnswer({ detail }: CustomEvent<{ key: string; value: Json | undefined }>): void {
    const { choices } = this.#draft;
    this.#draft.change({ ...choices, answers: setAnswer(choices.answers, detail.key, detail.value) });
  }
}

define("slip-options", SlipOptions);
