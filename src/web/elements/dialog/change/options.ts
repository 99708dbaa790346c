/**
 * The options of an installed app: every question on one screen, and what the answers change before it is done. Connecting it
 * opens it. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-closed`.
 */
import { html, nothing, type TemplateResult } from "lit";
import { call, pathOf } from "../../../api/client.ts";
import type { Form, Json, Problem, RevealedAnswer } from "../../../api/types.ts";
import { define } from "../../../ui/element.ts";
import type { Words } from "../../../ui/words.ts";
import "../questions/questions.ts";
import { renderProblems } from "../problems.ts";
import { isAboutAnswer, placeProblems, setAnswer } from "../questions/answers.ts";
import type { Reveal } from "../questions/password.ts";
import type { SlipQuestions } from "../questions/questions.ts";
import { ChangeDialog, type ChangeFrame } from "./change-dialog.ts";
import { renderDifferences } from "./differences.ts";

export class SlipOptions extends ChangeDialog {
  /** The engine writes into its log that it was asked. */
  readonly #reveal: Reveal = async (key, signal) => {
    const path = `${pathOf("apps", this.app, "answers", key)}/reveal`;
    return (await call<RevealedAnswer>(this.api, path, { method: "POST", signal })).value;
  };

  constructor() {
    super("options");
  }

  protected override describe({ dialog: { change } }: Words): ChangeFrame {
    const { form, preview } = this.draft;
    return {
      heading: change.options(preview?.name ?? this.app),
      content: form === undefined ? nothing : this.#renderOptions(form),
      confirm: change.apply,
      canStart: form !== undefined,
    };
  }

  protected override async start(): Promise<void> {
    const revision = this.draft.form?.request.revision;
    const isJudged = await this.draft.judge();
    const isFaulty = this.#errors.some(isAboutAnswer);
    if (isJudged && !isFaulty && (await this.startTask("update", revision))) return;
    await this.updateComplete;
    this.renderRoot.querySelector<SlipQuestions>("slip-questions")?.focusRefused();
  }

  #renderOptions({ steps }: Form): TemplateResult {
    const { dialog } = this.words;
    const { choices, preview } = this.draft;
    const errors = this.#errors;
    return html`${steps.length === 0 ? html`<p class="muted">${dialog.change.noQuestions}</p>` : nothing}
    ${steps.map(
      (step) => html`<slip-questions
        .step=${step}
        .answers=${choices.answers}
        .problems=${placeProblems(errors)}
        .reveal=${this.#reveal}
        @slip-answer=${this.#takeAnswer}
      ></slip-questions>`,
    )}
    ${renderProblems(
      this.words,
      errors.filter((problem) => !isAboutAnswer(problem)),
    )}
    ${preview === undefined ? nothing : renderDifferences(this.words, preview)}`;
  }

  get #errors(): readonly Problem[] {
    const { preview, refusal } = this.draft;
    const all = [...(preview?.problems ?? []), ...(refusal?.details?.problems ?? [])];
    return all.filter(({ severity }) => severity === "error");
  }

  #takeAnswer({ detail }: CustomEvent<{ key: string; value: Json | undefined }>): void {
    const { choices } = this.draft;
    this.draft.change({ ...choices, answers: setAnswer(choices.answers, detail.key, detail.value) });
  }
}

define("slip-options", SlipOptions);
