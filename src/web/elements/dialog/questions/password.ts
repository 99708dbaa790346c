/**
 * A password of a dialog, told by `slip-answer {key, value}`: one that was generated is shown, made anew and copied; a stored
 * one is kept unless something is typed, and known here only from the press that shows it until the keyboard goes elsewhere.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { type ApiError, readRefusal } from "../../../api/client.ts";
import type { Json, Problem } from "../../../api/types.ts";
import { copyText } from "../../../ui/copy-text.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import { icon } from "../../../ui/icons.ts";
import { live } from "../../../ui/live.ts";
import { regenerate } from "./answers.ts";
import { type Asked, DESCRIBED_BY, explainField, fieldStyles, nameField, refuseField } from "./field.ts";

/** Asks for the stored password of a question; null where none is. Throws `ApiError`. */
export type Reveal = (key: string, signal: AbortSignal) => Promise<string | null>;

class SlipPassword extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    question: { attribute: false },
    value: { attribute: false },
    problems: { attribute: false },
    reveal: { attribute: false },
    stored: { state: true },
    refusal: { state: true },
    shown: { state: true },
    copied: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    fieldStyles,
    css`
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
      }
      .row input {
        flex: 1 1 180px;
        width: auto;
        min-width: 0;
        font-family: var(--mono);
      }
      .row button {
        min-width: 36px;
        padding: 6px;
      }
      @media (pointer: coarse) {
        .row button {
          min-width: 44px;
        }
      }
    `,
  ];
  static override shadowRootOptions = { ...SlipElement.shadowRootOptions, delegatesFocus: true };

  declare question: Asked | undefined;
  declare value: Json | undefined;
  declare problems: readonly Problem[];
  /** Where a stored one can be shown. */
  declare reveal: Reveal | undefined;
  /** The stored one, while it is shown. */
  declare stored: string | undefined;
  /** Why it is not. */
  declare refusal: ApiError | undefined;
  /** Undefined until somebody chooses: a generated one is shown then, a typed one is not. */
  declare shown: boolean | undefined;
  declare copied: "yes" | "no" | undefined;
  /** The stored one is asked for; aborted by whatever hides it. */
  #asking: AbortController | undefined;

  constructor() {
    super();
    this.question = undefined;
    this.value = undefined;
    this.problems = [];
    this.shown = undefined;
    this.copied = undefined;
    // Also where the dialog closes, or another window comes before this one.
    this.addEventListener("focusout", () => this.#hide());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#hide();
  }

  protected override render() {
    const { question, problems, words } = this;
    if (question === undefined) return nothing;
    const text = typeof this.value === "string" ? this.value : "";
    const isGenerated = question.generated === true && text !== "" && text === question.default;
    const shown = this.shown ?? isGenerated;
    const kept = question.isSet === true && text === "";
    return html`${nameField(words, question)} ${explainField(question)}
      <div class="row">
        <input
          id="control"
          type=${shown ? "text" : "password"}
          autocomplete="new-password"
          spellcheck="false"
          autocapitalize="off"
          placeholder=${kept ? words.questions.kept : (question.placeholder ?? nothing)}
          aria-describedby=${`${DESCRIBED_BY} standing`}
          aria-invalid=${problems.length > 0 ? "true" : "false"}
          aria-required=${question.required ? "true" : "false"}
          .value=${live(text)}
          @input=${({ target }: Event) => target instanceof HTMLInputElement && this.#give(target.value)}
        />
        ${this.#renderButtons(question, text, shown)}
      </div>
      ${this.stored === undefined ? nothing : html`<p><code>${this.stored}</code></p>`}
      <p id="standing" class="muted small" role="status">${this.#tellStanding(question, isGenerated)}</p>
      ${refuseField(words, problems)}`;
  }

  #renderButtons(question: Asked, text: string, shown: boolean): TemplateResult {
    const { questions } = this.words;
    const { default: offered } = question;
    const { stored } = this;
    const isStored = text === "" && question.isSet === true && this.reveal !== undefined;
    const isShown = isStored ? stored !== undefined : shown;
    const name = isShown ? questions.hide : questions.show;
    return html`${
      text === "" && !isStored
        ? nothing
        : html`<button type="button" title=${name} @mousedown=${leaveKeyboard} @click=${({ currentTarget }: Event) => {
            if (!isStored) this.shown = !shown;
            else if (isShown) this.#hide();
            else void this.#show(question.key, currentTarget);
          }}>
              ${icon(isShown ? "eye-off" : "eye")}
            </button>`
    }
    ${
      text === "" && stored === undefined
        ? nothing
        : html`<button
              type="button"
              title=${questions.copy}
              @mousedown=${leaveKeyboard}
              @click=${({ currentTarget }: Event) => currentTarget instanceof HTMLElement && this.#copy(stored ?? text, currentTarget)}
            >
              ${icon(this.copied === "yes" ? "check" : "copy")}
            </button>`
    }
    ${
      question.generated !== true || typeof offered !== "string"
        ? nothing
        : html`<button
            type="button"
            title=${questions.regenerate}
            @click=${() => {
              this.shown = true;
              this.#give(regenerate(offered, (count) => crypto.getRandomValues(new Uint32Array(count))));
            }}
          >
            ${icon("refresh-cw")}
          </button>`
    }`;
  }

  #tellStanding(question: Asked, isGenerated: boolean): string | typeof nothing {
    const { questions } = this.words;
    if (this.copied !== undefined) return this.copied === "yes" ? questions.copied : questions.notCopied;
    if (isGenerated) return question.installonly === false ? questions.made : questions.generated;
    if (this.refusal !== undefined) return this.refusal.message;
    return question.generated === true && question.default === undefined ? questions.generatedIfEmpty : nothing;
  }

  /** A stored one stays where the field is emptied again. */
  #give(text: string): void {
    this.#hide();
    this.value = text;
    const value = text === "" && this.question?.default === undefined ? undefined : text;
    this.tell("slip-answer", { key: this.question?.key, value });
  }

  /** Shows the stored one, unless it was hidden or something was typed before the answer came. */
  async #show(key: string, from: EventTarget | null): Promise<void> {
    this.#hide();
    // Where it is not here, it would not go from here.
    if (from instanceof HTMLElement) from.focus();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    try {
      const stored = await this.reveal?.(key, signal);
      if (!signal.aborted) this.stored = stored ?? undefined;
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }

  #hide(): void {
    this.#asking?.abort();
    this.stored = undefined;
    this.refusal = undefined;
    this.copied = undefined;
  }

  async #copy(text: string, from: HTMLElement): Promise<void> {
    this.copied = (await copyText(text, from)) ? "yes" : "no";
  }
}

/** Some browsers take the keyboard from where it is and give a pressed button none: that would hide what it is pressed for. */
function leaveKeyboard(event: Event): void {
  event.preventDefault();
}

define("slip-password", SlipPassword);
