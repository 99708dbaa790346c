/** A sign-in at a provider: its address, the code to enter there, until when, and that it goes on by itself. */
import { css, html, nothing, type TemplateResult } from "lit";
import { tellNow } from "../../../api/client.ts";
import type { Authorization } from "../../../api/types.ts";
import { copyText } from "../../../ui/copy-text.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import { icon } from "../../../ui/icons.ts";
import { isWebAddress } from "../../../ui/web-address.ts";
import type { SignIn } from "./asked.ts";
import { tellDeadline } from "./deadline.ts";

type Opened = Extract<Authorization, { readonly status: "open" }>;

class SlipPin extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    signIn: { attribute: false },
    now: { attribute: false },
    copied: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    css`
      :host {
        display: grid;
        gap: 10px;
      }
      .code {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 12px;
        padding: 14px 16px;
        border: 1px solid var(--line);
        border-radius: calc(var(--radius) - 2px);
        background: var(--sunken);
      }
      output {
        flex: 1 1 auto;
        font-family: var(--mono);
        font-size: 1.75em;
        font-weight: 600;
        letter-spacing: 0.15em;
      }
      .line {
        display: flex;
        align-items: start;
        gap: 8px;
      }
      .bad {
        color: var(--bad);
      }
    `,
  ];

  declare signIn: SignIn | undefined;
  /** UTC ms. */
  declare now: number;
  /** The code that was copied: another one is not. */
  declare copied: string | undefined;

  constructor() {
    super();
    this.signIn = undefined;
    this.now = tellNow();
    this.copied = undefined;
  }

  protected override render() {
    const { signIn, words } = this;
    if (signIn === undefined) return nothing;
    const { name, description, provider, authorization } = signIn;
    return html`<h3>${name}</h3>
      ${description === undefined ? nothing : html`<p class="muted">${description}</p>`}
      ${
        authorization === undefined
          ? html`<p class="muted line" role="status">${icon("clock")} ${words.inputs.asking(provider)}</p>`
          : authorization.status === "open"
            ? this.#renderCode(name, authorization)
            : html`<div class="line bad" role="alert">
                ${icon("circle-alert")}
                <span>${words.inputs.failed} ${authorization.failure.message}</span>
              </div>`
      }`;
  }

  #renderCode(name: string, { url, code, expiresAt }: Opened): TemplateResult {
    const { inputs, questions } = this.words;
    const isCopied = this.copied === code + expiresAt;
    return html`<div class="code">
        <output aria-label=${inputs.code}>${code}</output>
        <button
          type="button"
          @click=${({ currentTarget }: Event) => currentTarget instanceof HTMLElement && this.#copy(code, code + expiresAt, currentTarget)}
        >
          ${icon(isCopied ? "check" : "copy")} ${inputs.copyCode}
        </button>
        ${
          isWebAddress(url)
            ? html`<a class="button primary" href=${url} target="_blank" rel="noopener noreferrer"
                >${icon("external-link")} ${name}</a
              >`
            : nothing
        }
      </div>
      <p class="muted line">${icon("clock")} ${tellDeadline(this.words, expiresAt, this.now)}</p>
      <p class="muted" role="status">${isCopied ? questions.copied : inputs.agreed}</p>`;
  }

  /** `which`: providers may give one code twice. */
  async #copy(code: string, which: string, from: HTMLElement): Promise<void> {
    this.copied = (await copyText(code, from)) ? which : undefined;
  }
}

define("slip-pin", SlipPin);
