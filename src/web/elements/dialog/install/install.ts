/**
 * The install dialog: a page a step, then what will happen and what can be chosen. Connecting it opens it. Tells
 * `slip-started {taskId, task}` once it is started, `slip-open-task {taskId}` for one that is in its way, and `slip-closed`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Form, Json, Problem } from "../../../api/types.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import { icon } from "../../../ui/icons.ts";
import { renderTaskWay } from "../../../ui/refusal.ts";
import "../dialog-frame.ts";
import "../questions/questions.ts";
import type { SlipDialog } from "../dialog-frame.ts";
import { Draft } from "../draft.ts";
import { pressOnEnter } from "../press-on-enter.ts";
import { problemStyles, renderRefused } from "../problems.ts";
import { listQuestions, placeProblems, setAnswer } from "../questions/answers.ts";
import type { SlipQuestions } from "../questions/questions.ts";
import type { Choices } from "./choices.ts";
import { isOfRequest } from "./effects.ts";
import "./review.ts";
import type { SlipReview } from "./review.ts";
import { renderSteps, stepStyles } from "./steps.ts";

export class SlipInstall extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    mode: { type: String },
    page: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    ...problemStyles,
    stepStyles,
    css`
      .start {
        margin-inline-end: auto;
      }
      .body {
        display: grid;
        gap: 18px;
      }
    `,
  ];

  /** Id of the catalog app. */
  declare app: string;
  /** `custom`: every question on one screen; by default the install or reinstall, as the engine finds it. */
  declare mode: "custom" | undefined;
  declare page: number;
  readonly #draft = new Draft(this, () => ({ api: this.api, appId: this.app, mode: this.mode }));
  /** Steps whose refused answers are shown: those somebody wanted to leave. */
  readonly #checked = new Set<number>();

  constructor() {
    super();
    this.app = "";
    this.mode = undefined;
    this.page = 0;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has("app")) return;
    this.page = 0;
    this.#checked.clear();
  }

  protected override render() {
    const { words } = this;
    const { form, preview } = this.#draft;
    const name = preview?.name ?? this.app;
    const isAgain = form?.mode === "reinstall";
    return html`<slip-dialog
      heading=${isAgain ? words.dialog.reinstall(name) : words.dialog.install(name)}
      subheading=${isAgain ? words.dialog.reinstallNote : ""}
      @keydown=${pressOnEnter}
    >
      ${form === undefined ? nothing : this.#renderSteps(form)}
      <div class="body" @slip-answer=${this.#takeAnswer} @slip-choices=${this.#takeChoices}>
        ${
          form === undefined && this.#draft.refusal === undefined
            ? html`<p class="muted" role="status">${words.common.loading}</p>`
            : nothing
        }
        ${form === undefined ? nothing : this.#renderPage(form)} ${this.#renderRefusal()}
      </div>
      ${form === undefined ? nothing : this.#renderButtons(form)}
    </slip-dialog>`;
  }

  #renderSteps({ steps }: Form): TemplateResult | typeof nothing {
    if (steps.length === 0) return nothing;
    const titles = [...steps.map(({ title }) => title || this.words.dialog.questions), this.words.dialog.review];
    return html`<div slot="top">${renderSteps(this.words, titles, this.page)}</div>`;
  }

  #renderPage(form: Form): TemplateResult {
    const step = form.steps[this.page];
    const { choices, preview } = this.#draft;
    if (step === undefined) {
      return html`<slip-review
        .form=${form}
        .preview=${preview}
        .choices=${choices}
        .isChecked=${this.#checked.has(this.page)}
        @slip-show-answer=${({ detail }: CustomEvent<{ key: string }>) => this.#showAnswer(form, detail.key)}
      ></slip-review>`;
    }
    return html`<slip-questions
      .step=${step}
      .answers=${choices.answers}
      .problems=${this.#checked.has(this.page) ? placeProblems(this.#problems) : new Map()}
    ></slip-questions>`;
  }

  #renderButtons({ steps }: Form): TemplateResult {
    const { words } = this;
    const isLast = this.page >= steps.length;
    const { isStarting } = this.#draft;
    return html`${
      this.page === 0
        ? nothing
        : html`<button slot="buttons" type="button" class="start" @click=${() => this.#show(this.page - 1)}>
            ${words.common.back}
          </button>`
    }
      <button
        slot="buttons"
        type="button"
        class="primary"
        ?disabled=${isStarting}
        @click=${() => (isLast ? this.#start() : this.#goOn())}
      >
        ${isLast ? html`${icon("download")} ${isStarting ? words.dialog.starting : words.dialog.start}` : words.common.next}
      </button>`;
  }

  #renderRefusal(): TemplateResult | typeof nothing {
    const { refusal } = this.#draft;
    const ways = renderTaskWay(this.words, refusal?.details?.taskId, this);
    const isLast = this.page >= (this.#draft.form?.steps.length ?? Number.POSITIVE_INFINITY);
    return renderRefused(
      this.words,
      refusal,
      () => (isLast && !refusal?.isPassing ? this.#start() : this.#draft.judge()),
      ways,
    );
  }

  get #problems(): readonly Problem[] {
    const { preview, refusal } = this.#draft;
    return [...(preview?.problems ?? []), ...(refusal?.details?.problems ?? [])];
  }

  /** The next page, once the engine takes every answer of this one. */
  async #goOn(): Promise<void> {
    const { page } = this;
    if (!(await this.#draft.judge()) || page !== this.page) return;
    const step = this.#draft.form?.steps[page];
    const refused = placeProblems(this.#problems);
    if (step !== undefined && listQuestions([step]).some(({ key }) => refused.has(key))) {
      this.#checked.add(page);
      this.requestUpdate();
      await this.#focusRefused();
      return;
    }
    this.#show(page + 1);
  }

  #show(page: number): void {
    this.page = page;
    this.renderRoot.querySelector<SlipDialog>("slip-dialog")?.showTop();
  }

  async #showAnswer({ steps }: Form, key: string): Promise<void> {
    const page = steps.findIndex((step) => listQuestions([step]).some((question) => question.key === key));
    if (page === -1) return;
    this.#checked.add(page);
    this.#show(page);
    await this.#focusRefused();
  }

  /** Takes the person to the first thing that is refused. */
  async #focusRefused(): Promise<void> {
    await this.updateComplete;
    const part = this.renderRoot.querySelector<SlipQuestions | SlipReview>("slip-questions, slip-review");
    await part?.updateComplete;
    if (part?.focusRefused()) return;
    this.renderRoot.querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
  }

  /** Starts it, unless the engine says beforehand at which places of the request it would refuse it. */
  async #start(): Promise<void> {
    const revision = this.#draft.form?.request.revision;
    if (!(await this.#draft.judge())) return this.#focusRefused();
    this.#checked.add(this.page);
    this.requestUpdate();
    const isFaulty = this.#problems.some((problem) => problem.severity === "error" && isOfRequest(problem));
    const task = isFaulty ? undefined : await this.#draft.start("install", revision);
    if (task === undefined) return this.#focusRefused();
    this.tell("slip-started", { taskId: task.id, task });
    this.renderRoot.querySelector<SlipDialog>("slip-dialog")?.close();
  }

  #takeAnswer({ detail }: CustomEvent<{ key: string; value: Json | undefined }>): void {
    const { choices } = this.#draft;
    this.#draft.change({ ...choices, answers: setAnswer(choices.answers, detail.key, detail.value) });
  }

  #takeChoices({ detail }: CustomEvent<{ choices: Choices }>): void {
    this.#draft.change(detail.choices);
  }
}

define("slip-install", SlipInstall);
