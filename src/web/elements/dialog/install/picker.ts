/**
 * What can be chosen beside the answers: optional questions, steps that may be left out, and links, each with its gates. Tells
 * new choices by `slip-choices {choices}`.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Form, FormLink, FormLinkTarget, FormStep, Json, Problem } from "../../../api/types.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import "../questions/questions.ts";
import { listQuestions, placeProblems, setAnswer } from "../questions/answers.ts";
import type { SlipQuestions } from "../questions/questions.ts";
import {
  type AppChoices,
  type Choices,
  isConsented,
  listChecked,
  NO_CHOICES,
  nameLink,
  readTarget,
  setTarget,
} from "./choices.ts";
import { isTerms, nameGates, renderConsent, rowStyles } from "./consent.ts";

export class SlipPicker extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    form: { attribute: false },
    choices: { attribute: false },
    problems: { attribute: false },
    terms: { attribute: false },
  };
  static override styles = [
    ...SlipElement.styles,
    rowStyles,
    css`
      :host {
        display: grid;
        gap: 18px;
      }
    `,
  ];

  declare form: Form | undefined;
  declare choices: Choices;
  /** Of the whole request. */
  declare problems: readonly Problem[];
  /** Whether it shows terms that are agreed to by default, or all other consents; undefined: every consent. */
  declare terms: boolean | undefined;

  constructor() {
    super();
    this.form = undefined;
    this.choices = NO_CHOICES;
    this.problems = [];
  }

  protected override render() {
    const { form, words } = this;
    if (form === undefined) return nothing;
    const questions = listQuestions(form.steps).filter(({ required }) => !required);
    const { dialog } = words;
    return html`${
      questions.length === 0 || form.links.length === 0
        ? nothing
        : html`<section class="rows" aria-label=${dialog.optionalQuestions}>
            <h3>${dialog.optionalQuestions}</h3>
            <div class="row">${this.#renderAnswers(toStep(questions))}</div>
          </section>`
    }
    ${this.#renderConsents(form)}
    ${
      form.links.length === 0
        ? nothing
        : html`<section class="rows" aria-label=${form.linksTitle ?? nothing}>
            <h3>${form.linksTitle}</h3>
            ${form.links.map((link) => link.targets.map((target) => this.#renderTarget(form, link, target)))}
          </section>`
    }`;
  }

  /** Puts the keyboard into the first question that is refused; false where none is. */
  focusRefused(): boolean {
    return [...this.renderRoot.querySelectorAll<SlipQuestions>("slip-questions")].some((part) => part.focusRefused());
  }

  #renderAnswers(step: FormStep): TemplateResult {
    return html`<slip-questions
      .step=${step}
      .answers=${this.choices.answers}
      .problems=${placeProblems(this.problems)}
    ></slip-questions>`;
  }

  #renderConsents(form: Form): TemplateResult | typeof nothing {
    const title = this.words.dialog.consents;
    const shown = form.consents.filter((consent) => this.terms === undefined || this.terms === isTerms(consent));
    if (shown.length === 0) return nothing;
    return html`<section class="rows" aria-label=${this.terms ? nothing : title}>
      <h3>${title}</h3>
      ${shown.map((consent) =>
        renderConsent(
          this.words,
          consent,
          {
            isChecked: isConsented(consent, this.choices.consents),
            gates: nameGates(consent.requiresConsents, form.consents),
          },
          (isOn) => this.#choose({ consents: { ...this.choices.consents, [consent.hookId]: isOn } }),
        ),
      )}
    </section>`;
  }

  #renderTarget(form: Form, link: FormLink, target: FormLinkTarget): TemplateResult {
    const { dialog } = this.words;
    const isThere = target.installed || target.installable;
    const isOpen = link.available && isThere;
    const isChecked = isOpen && listChecked(link, this.choices).includes(target.appId);
    const gates = nameGates(link.requiresConsents, [...form.consents, ...(target.consents ?? [])]);
    const reason = isThere ? (link.reason ?? dialog.needs(gates)) : dialog.notInCatalog;
    return html`<div class="row ${isOpen ? "" : "closed"}" data-link=${nameLink(link)} data-target=${target.appId}>
      <label>
        <input
          type="checkbox"
          .checked=${isChecked}
          ?disabled=${!isOpen}
          @change=${({ target: box }: Event) =>
            box instanceof HTMLInputElement &&
            this.#tell(setTarget(form, this.choices, link, target.appId, box.checked))}
        />
        <span>
          <span class="title">${target.installable ? target.label : dialog.linkTo(link.title, target.name)}</span>
          ${target.installable ? html`<span class="small">${link.title}</span>` : nothing}
          ${link.description === undefined ? nothing : html`<span class="muted small">${link.description}</span>`}
          ${isOpen ? nothing : html`<span class="small reason">${reason}</span>`}
        </span>
      </label>
      ${this.#renderInline(form, link, target)}
    </div>`;
  }

  /** What a target that is installed with it asks, once; of a closed row only what opens it. */
  #renderInline(form: Form, link: FormLink, target: FormLinkTarget): TemplateResult | typeof nothing {
    const { steps = [], consents = [], appId } = target;
    const isShownBy = (other: FormLink) => other.available && listChecked(other, this.choices).includes(appId);
    const isFirst = form.links.find(isShownBy) === link;
    const questions = isFirst ? listQuestions(steps) : [];
    const gates = isFirst || link.available || link.runsOnAppId !== appId ? [] : link.requiresConsents;
    const shown = consents.filter(({ hookId }) => isFirst || gates.includes(hookId));
    if (questions.length === 0 && shown.length === 0) return nothing;
    const chosen = readTarget(this.choices, appId);
    const choose = (next: AppChoices, choices = this.choices) =>
      this.#tell({ ...choices, installs: { ...choices.installs, [appId]: next } });
    return html`<div class="inline">
      ${
        questions.length === 0
          ? nothing
          : html`<slip-questions
              .step=${toStep(questions)}
              .answers=${chosen.answers}
              .problems=${placeProblems(this.problems, { target: appId })}
              @slip-answer=${(event: CustomEvent<{ key: string; value: Json | undefined }>) => {
                event.stopPropagation();
                const { key, value } = event.detail;
                choose({ ...chosen, answers: setAnswer(chosen.answers, key, value) });
              }}
            ></slip-questions>`
      }
      ${shown.map((consent) =>
        renderConsent(
          this.words,
          consent,
          {
            isChecked: isConsented(consent, chosen.consents),
            gates: nameGates(consent.requiresConsents, consents),
          },
          (isOn) => {
            const next = { ...chosen, consents: { ...chosen.consents, [consent.hookId]: isOn } };
            // The engine judges a target's consents with the link that installs it.
            choose(next, isFirst ? this.choices : setTarget(form, this.choices, link, appId, true));
          },
        ),
      )}
    </div>`;
  }

  #choose(changed: Partial<Choices>): void {
    this.#tell({ ...this.choices, ...changed });
  }

  #tell(choices: Choices): void {
    this.choices = choices;
    this.tell("slip-choices", { choices });
  }
}

/** Questions on one screen, whatever their group. */
function toStep(questions: FormStep["sections"][number]["questions"]): FormStep {
  return { title: "", rail: false, sections: [{ title: "", questions }] };
}

define("slip-picker", SlipPicker);
