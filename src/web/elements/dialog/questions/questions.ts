/**
 * A page of questions in its sections, with a rail where the engine gives it one. Every change is told by
 * `slip-answer {key, value}`: whoever shows the page keeps the answers.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { FormStep, Problem, Question } from "../../../api/types.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import type { Reveal } from "./password.ts";
import "./password.ts";
import "./question.ts";
import { type Answers, readShown } from "./answers.ts";

type Section = FormStep["sections"][number];

export class SlipQuestions extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    step: { attribute: false },
    answers: { attribute: false },
    problems: { attribute: false },
    reveal: { attribute: false },
    current: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    css`
      .page,
      section {
        display: grid;
        gap: 18px;
        align-content: start;
        min-width: 0;
      }
      .page.rail {
        grid-template-columns: minmax(120px, 168px) minmax(0, 1fr);
        gap: 28px;
      }
      section + section {
        padding-top: 18px;
        border-top: 1px solid var(--line);
      }
      nav {
        position: sticky;
        top: 0;
        display: grid;
        gap: 4px;
        align-self: start;
      }
      nav button {
        justify-content: start;
        border-color: transparent;
        text-align: start;
      }
      nav button[aria-current="true"] {
        background: var(--sunken);
        color: var(--action);
        font-weight: 600;
      }
      @media (max-width: 620px) {
        .page.rail {
          grid-template-columns: minmax(0, 1fr);
          gap: 18px;
        }
        nav {
          display: none;
        }
      }
    `,
  ];

  declare step: FormStep | undefined;
  declare answers: Answers;
  /** Why answers are refused, by question key. */
  declare problems: ReadonlyMap<string, readonly Problem[]>;
  /** Where stored passwords can be shown. */
  declare reveal: Reveal | undefined;
  declare current: number;

  constructor() {
    super();
    this.step = undefined;
    this.answers = {};
    this.problems = new Map();
    this.current = 0;
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    const before = changed.get("step");
    if (changed.has("step") && before !== undefined && Object(before).title !== this.step?.title) this.current = 0;
  }

  protected override render() {
    const { step } = this;
    if (step === undefined) return nothing;
    return html`<div class="page ${step.rail ? "rail" : ""}">
      ${step.rail ? this.#renderRail(step.sections) : nothing}
      <div class="page">${step.sections.map((section, at) => this.#renderSection(section, at, step.rail))}</div>
    </div>`;
  }

  /** Puts the keyboard into the first question that is refused; false where none is. */
  focusRefused(): boolean {
    const fields = [...this.renderRoot.querySelectorAll<HTMLElement>("slip-question, slip-password")];
    const refused = fields.find(({ id }) => this.problems.has(id.slice("question-".length)));
    refused?.focus();
    return refused !== undefined;
  }

  #renderRail(sections: readonly Section[]): TemplateResult {
    return html`<nav aria-label=${this.words.questions.sections}>
      ${sections.map(
        ({ title }, at) => html`<button
          type="button"
          aria-current=${at === this.current ? "true" : "false"}
          @click=${() => this.#show(at)}
        >
          ${title}
        </button>`,
      )}
    </nav>`;
  }

  #renderSection({ title, questions }: Section, at: number, isNamed: boolean): TemplateResult {
    return html`<section
      role="group"
      aria-label=${title === "" ? nothing : title}
      @focusin=${() => {
        this.current = at;
      }}
    >
      ${isNamed ? html`<h3 id="section-${at}" tabindex="-1">${title}</h3>` : nothing}
      ${repeat(
        questions,
        ({ key }) => key,
        (question) => this.#renderQuestion(question),
      )}
    </section>`;
  }

  #renderQuestion(question: Question): TemplateResult {
    const value = readShown(question, this.answers);
    const problems = this.problems.get(question.key) ?? [];
    const id = `question-${question.key}`;
    return question.type === "password"
      ? html`<slip-password id=${id} .question=${question} .value=${value} .problems=${problems} .reveal=${this.reveal}></slip-password>`
      : html`<slip-question id=${id} .question=${question} .value=${value} .problems=${problems}></slip-question>`;
  }

  #show(at: number): void {
    this.current = at;
    const heading = this.renderRoot.querySelector<HTMLElement>(`#section-${at}`);
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: "start" });
  }
}

define("slip-questions", SlipQuestions);
