/**
 * An app that was installed by other means, before it is taken over: which answers are known, and which a person may give.
 * Connecting it opens it. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-closed`.
 */
import { html, nothing, type TemplateResult } from "lit";
import { call, pathOf } from "../../../api/client.ts";
import type { AdoptedAnswer, AdoptPreview, AdoptRequest, Json, UnknownAnswer } from "../../../api/types.ts";
import { Again } from "../../../ui/again.ts";
import { define } from "../../../ui/element.ts";
import { showUnseen } from "../../../ui/format/show-unseen.ts";
import type { Words } from "../../../ui/words.ts";
import { differenceStyles, renderDifferences, writeValue } from "../change/differences.ts";
import { renderProblems } from "../problems.ts";
import { type Answers, isAboutAnswer, placeProblems, setAnswer, toRequestAnswers } from "../questions/answers.ts";
import "../questions/questions.ts";
import { ConfirmDialog, type ConfirmFrame, renderFate } from "./confirm-dialog.ts";

interface Shown {
  /** What nobody knows unless a person gives it. */
  readonly asked: readonly UnknownAnswer[];
  readonly answers: Answers;
  /** With these answers. */
  readonly preview: AdoptPreview;
}

export class SlipAdopt extends ConfirmDialog<Shown> {
  static override properties = { ...ConfirmDialog.properties, answers: { state: true } };
  static override styles = [...ConfirmDialog.styles, differenceStyles];

  /** Given so far, by question key. */
  declare protected answers: Answers;
  protected readonly lifecycle = "adopt";
  readonly #again = new Again(() => this.read());

  constructor() {
    super();
    this.answers = {};
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#again.stop();
  }

  protected override forget(): void {
    super.forget();
    this.answers = {};
  }

  protected override async ask(signal: AbortSignal): Promise<Shown> {
    const { api, app, answers } = this;
    const look = (body: AdoptRequest) =>
      call<AdoptPreview>(api, pathOf("apps", app, "adopt", "preview"), { method: "POST", body, signal });
    // What is given is unknown no more, and is asked on all the same.
    const { unknown: asked } = await look({});
    return { asked, answers, preview: await look({ answers: toRequestAnswers(asked, answers) }) };
  }

  protected override describe({ dialog: { adopt } }: Words, shown: Shown | undefined): ConfirmFrame {
    return {
      heading: adopt.heading(shown?.preview.name ?? this.app),
      content: html`<p>${adopt.stays}</p>${shown && this.#renderShown(shown)}`,
      confirm: adopt.confirm,
      picture: "plus",
      agreed: shown && shown.answers === this.answers ? toAgreed(shown) : undefined,
    };
  }

  #renderShown({ asked, preview }: Shown): TemplateResult {
    const { words } = this;
    const { adopt } = words.dialog;
    const { answers, differences, generated, problems } = preview;
    const questions = asked.map((one) => ({ ...one, description: tellReason(words, one) }));
    const known = answers.filter(({ source }) => source === "recovered");
    return html`${
      known.length === 0
        ? nothing
        : html`<section class="list" aria-labelledby="known">
            <h3 id="known">${adopt.known}</h3>
            <ul class="list">${known.map(renderKnown)}</ul>
          </section>`
    }
    ${
      questions.length === 0
        ? nothing
        : html`<section class="list" aria-labelledby="asked">
            <h3 id="asked">${adopt.unknown}</h3>
            <slip-questions .step=${{ title: "", rail: false, sections: [{ title: "", questions }] }} .answers=${this.answers}
              .problems=${placeProblems(problems)} @slip-answer=${this.#takeAnswer}></slip-questions>
          </section>`
    }
    ${generated.unknown.length === 0 ? nothing : html`<p>${adopt.lost(generated.unknown.length)}</p>`}
    ${renderProblems(
      words,
      problems.filter((problem) => !isAboutAnswer(problem)),
    )}
    ${renderDifferences(words, { differences }, adopt.later)}`;
  }

  #takeAnswer({ detail }: CustomEvent<{ key: string; value: Json | undefined }>): void {
    this.answers = setAnswer(this.answers, detail.key, detail.value);
    this.#again.ask();
  }
}

/** A password is known, and not shown. */
function renderKnown({ question, value = "********" }: AdoptedAnswer): TemplateResult {
  return renderFate("check", html`<bdi>${question}</bdi>`, showUnseen(writeValue(value)));
}

function tellReason({ dialog: { adopt } }: Words, { description = "", reason }: UnknownAnswer): string {
  return `${description} ${adopt.reasons[reason]}`.trim();
}

/** Names what was shown, so that nothing else is taken over. */
function toAgreed({ asked, answers, preview: { appId, problems, revision } }: Shown): ConfirmFrame["agreed"] {
  if (problems.some(({ severity }) => severity === "error")) return undefined;
  return { appId, body: { answers: toRequestAnswers(asked, answers), revision } };
}

define("slip-adopt", SlipAdopt);
