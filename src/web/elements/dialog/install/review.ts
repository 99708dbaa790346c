/**
 * The last page of an install: what will happen, what keeps it from happening, the links that fire, and Customize Install,
 * which nobody has to open. Tells `slip-show-answer {key}` for an answer that is refused.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Form, FormLinkTarget, Preview, Problem } from "../../../api/types.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import { icon } from "../../../ui/icons.ts";
import type { Words } from "../../../ui/words.ts";
import "./picker.ts";
import { problemStyles, renderAdvice, renderProblems } from "../problems.ts";
import { isAboutAnswer, isAboutTarget, listQuestions, placeProblems } from "../questions/answers.ts";
import { tellProblem } from "../questions/field.ts";
import { type Choices, NO_CHOICES } from "./choices.ts";
import { isTerms } from "./consent.ts";
import { type Effect, listInstallEffects, listShortages } from "./effects.ts";
import type { SlipPicker } from "./picker.ts";

export class SlipReview extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    form: { attribute: false },
    preview: { attribute: false },
    choices: { attribute: false },
    isChecked: { attribute: false },
    isOpen: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    ...problemStyles,
    css`
      :host {
        display: grid;
        gap: 18px;
      }
      .effects {
        display: grid;
        gap: 8px;
        margin-top: 10px;
      }
      .effects li {
        display: flex;
        align-items: start;
        gap: 10px;
      }
      .effects svg {
        margin-top: 2px;
        color: var(--muted);
      }
      details {
        border: 1px solid var(--line);
        border-radius: var(--radius);
      }
      summary {
        display: flex;
        align-items: center;
        gap: 10px;
        min-height: 44px;
        padding: 8px 14px;
        cursor: pointer;
        font-weight: 600;
        list-style: none;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      summary span {
        flex: 1;
      }
      details > :not(summary) {
        padding: 14px;
        border-top: 1px solid var(--line);
      }
    `,
  ];

  declare form: Form | undefined;
  declare preview: Preview | undefined;
  declare choices: Choices;
  /** Whether somebody wanted to go on: what a target asks is refused from then on, not before it could be answered. */
  declare isChecked: boolean;
  declare isOpen: boolean;

  constructor() {
    super();
    this.form = undefined;
    this.preview = undefined;
    this.choices = NO_CHOICES;
    this.isChecked = false;
    this.isOpen = false;
  }

  protected override render() {
    const { form, preview, words } = this;
    if (form === undefined || preview === undefined) return nothing;
    const errors = preview.problems.filter(
      (problem) => problem.severity === "error" && !isOfPart(problem) && (this.isChecked || !isAboutTarget(problem)),
    );
    return html`${this.#renderAway(form)}
      <section aria-labelledby="happens">
        <h3 id="happens">${words.dialog.whatHappens}</h3>
        <ul class="effects">
          ${listInstallEffects(words, preview).map(renderEffect)}
        </ul>
      </section>
      ${listShortages(preview).map(
        ({ required, found, hint }) =>
          html`<p class="note">
            ${icon("info")} <span>${words.dialog.shortage(String(required), found)}<br />${hint ?? nothing}</span>
          </p>`,
      )}
      ${this.#renderMissing(preview)} ${renderAdvice(preview.advice)}
      ${this.#renderRefusedAnswers(form, errors)}
      ${renderProblems(
        words,
        errors.filter((problem) => !isAboutAnswer(problem)),
      )}
      ${this.isOpen ? nothing : this.#renderFiring(form, preview)} ${this.#renderPicker(form, errors)}`;
  }

  /** Opens the picker at what is refused in it; the button that was pressed is gone then. */
  #showPicker(): void {
    this.isOpen = true;
    setTimeout(() => this.focusRefused());
  }

  /** Shows the first thing that is refused; false where nothing is. */
  focusRefused(): boolean {
    const pickers = [...this.renderRoot.querySelectorAll<SlipPicker>("slip-picker")];
    if (pickers.some((picker) => picker.focusRefused())) return true;
    const problem = this.renderRoot.querySelector<HTMLElement>(".problem");
    problem?.focus();
    return problem !== null;
  }

  #renderAway({ lastKnown }: Form): TemplateResult | typeof nothing {
    return lastKnown === undefined
      ? nothing
      : html`<p class="note">${icon("cloud-off")} ${this.words.dialog.hostAway}</p>`;
  }

  /** The parts of scripts it goes on without, in an owner's words; the author's are folded. */
  #renderMissing({ installs, problems, ...app }: Preview): TemplateResult | typeof nothing {
    const { dialog } = this.words;
    const said = [app, ...installs].flatMap(({ name, missing }) =>
      missing === undefined ? [] : [dialog.missing(name, listParts(dialog.parts, missing))],
    );
    const text = html`${icon("info")}<span>${said.join(" ")}</span>`;
    const reasons = problems.filter(isOfPart);
    if (said.length === 0) return nothing;
    if (reasons.length === 0) return html`<p class="note">${text}</p>`;
    return html`<details class="missing">
      <summary>${text}${icon("chevron-down")}</summary>
      <ul class="small">
        ${reasons.map((problem) => html`<li><bdi>${tellProblem(this.words, problem)}</bdi></li>`)}
      </ul>
    </details>`;
  }

  /** Links by name, while the picker that names them is closed. */
  #renderFiring({ collapsed, links }: Form, preview: Preview): TemplateResult | typeof nothing {
    const { dialog } = this.words;
    if (collapsed.length === 0) return nothing;
    return html`<div class="note">
      ${icon("link")}
      <div>
        <p>${dialog.alsoConnects}</p>
        <ul>
          ${collapsed.map(({ hookId, runsOnAppId, title, targets }) => {
            const link = links.find((other) => other.hookId === hookId && other.runsOnAppId === runsOnAppId);
            const names = targets.map((id) => link?.targets.find(({ appId }) => appId === id)?.name ?? id);
            const planned = preview.links.find((one) => one.hookId === hookId && one.runsOnAppId === runsOnAppId);
            return html`<li>
              <strong>${title}</strong> (${names.join(", ")})${planned?.fires === false ? ` — ${dialog.linkFaulty}` : nothing}
            </li>`;
          })}
        </ul>
      </div>
    </div>`;
  }

  /** Consents are asked where there is no link to hide them behind, too; terms are never hidden. */
  #renderPicker(form: Form, problems: readonly Problem[]): TemplateResult | typeof nothing {
    const pick = (shown: Form, terms?: boolean) =>
      html`<slip-picker .form=${shown} .choices=${this.choices} .problems=${problems} .terms=${terms}></slip-picker>`;
    if (form.links.length === 0) return form.consents.length === 0 ? nothing : pick(form);
    return html`${form.consents.some(isTerms) ? pick({ ...form, links: [] }, true) : nothing}<details
      ?open=${this.isOpen}
      @toggle=${({ currentTarget }: Event) => {
        this.isOpen = currentTarget instanceof HTMLDetailsElement && currentTarget.open;
      }}
    >
      <summary>
        ${icon("settings-2")}<span>${form.button}</span>${icon(this.isOpen ? "chevron-up" : "chevron-down")}
      </summary>
      ${this.isOpen ? pick(form, false) : nothing}
    </details>`;
  }

  /** The answers that are refused, each with the way to its question; those of targets stand in the picker. */
  #renderRefusedAnswers({ steps, links }: Form, problems: readonly Problem[]): TemplateResult | typeof nothing {
    const { dialog } = this.words;
    const refused = [...placeProblems(problems)];
    const ofTargets = problems.filter(isAboutTarget);
    const targets = links.flatMap((link) => link.targets);
    if (refused.length === 0 && ofTargets.length === 0) return nothing;
    const asked = listQuestions(steps);
    return html`<ul class="problems">
      ${refused.map(
        ([key, [problem]]) => html`<li class="problem refusal" tabindex="-1">
          ${icon("circle-alert")}
          <div>
            <p>
              <strong>${asked.find((question) => question.key === key)?.question ?? key}</strong>:
              ${problem === undefined ? nothing : tellProblem(this.words, problem)}
            </p>
            <p class="ways">
              <button type="button" @click=${() => this.tell("slip-show-answer", { key })}>${dialog.showAnswer}</button>
            </p>
          </div>
        </li>`,
      )}
      ${ofTargets.map(
        (problem) => html`<li class="problem refusal" tabindex="-1">
          ${icon("circle-alert")}
          <div>
            <p><strong>${nameQuestion(targets, problem.path)}</strong>: ${tellProblem(this.words, problem)}</p>
            ${
              this.isOpen
                ? nothing
                : html`<p class="ways">
                  <button
                    type="button"
                    @click=${this.#showPicker}
                  >
                    ${dialog.showAnswer}
                  </button>
                </p>`
            }
          </div>
        </li>`,
      )}
    </ul>`;
  }
}

/** Whether it only leaves a part of a script out. */
function isOfPart({ path: [part], severity }: Problem): boolean {
  return severity === "error" && (part === "hooks" || part === "widgets");
}

function listParts(words: Words["dialog"]["parts"], missing: NonNullable<Preview["missing"]>): string {
  const { steps, connections, widgets } = missing;
  return [
    steps > 0 && words.steps(steps),
    connections > 0 && words.connections(connections),
    widgets > 0 && words.widgets(widgets),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The target an answer is for, and the question it answers. */
function nameQuestion(targets: readonly FormLinkTarget[], [, , , app, , key]: Problem["path"]): string {
  const { name = app, steps = [] } = targets.find(({ appId, steps: asked }) => appId === app && asked) ?? {};
  return `${name}, ${listQuestions(steps).find((question) => question.key === key)?.question ?? key}`;
}

function renderEffect({ icon: picture, text, path, note }: Effect): TemplateResult {
  const [before, after = ""] = text.split("{path}");
  return html`<li>
    ${icon(picture)}
    <span
      >${before}${path === undefined ? nothing : html`<code>${path}</code>`}${after}${
        note === undefined ? nothing : html`<span class="muted">, ${note}</span>`
      }</span
    >
  </li>`;
}

define("slip-review", SlipReview);
