/** The frame of every dialog: modal, with a heading, a body that scrolls, and its buttons. Closing tells `slip-closed`. */
import { css, html, nothing } from "lit";
import { define, SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import { findFocused } from "../../ui/keyboard.ts";

export class SlipDialog extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    heading: { type: String },
    subheading: { type: String },
  };
  static override styles = [
    ...SlipElement.styles,
    css`
      dialog {
        flex-direction: column;
        width: min(760px, 100vw - 32px);
        max-width: none;
        max-height: min(860px, 100dvh - 48px);
        padding: 0;
        border: 1px solid var(--line);
        border-radius: calc(var(--radius) + 4px);
        background: var(--surface);
        color: inherit;
        box-shadow: 0 20px 60px rgb(0 0 0 / 35%);
      }
      dialog[open] {
        display: flex;
      }
      dialog::backdrop {
        background: rgb(2 6 23 / 55%);
      }
      .head {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 14px;
        padding: 18px 20px 14px;
        border-bottom: 1px solid var(--line);
      }
      .top {
        display: flex;
        align-items: start;
        gap: 12px;
      }
      .top > div {
        flex: 1;
        min-width: 0;
      }
      .top button {
        min-width: 36px;
        padding: 6px;
        border-color: transparent;
        background: transparent;
      }
      h2 {
        font-size: 1.375em;
        line-height: 1.3;
      }
      h2:focus {
        outline: none;
      }
      .body {
        flex: 1;
        min-height: 0;
        padding: 20px;
        overflow: auto;
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        justify-content: end;
        gap: 10px;
        padding: 14px 20px;
        border-top: 1px solid var(--line);
        background: var(--sunken);
      }
      @media (pointer: coarse) {
        .top button {
          min-width: 44px;
        }
      }
      @media (max-width: 620px) {
        dialog {
          width: 100vw;
          height: 100dvh;
          max-height: none;
          margin: 0;
          border: 0;
          border-radius: 0;
        }
      }
    `,
  ];

  declare heading: string;
  declare subheading: string;
  /** Where the keyboard was before: it goes back there. */
  #before: HTMLElement | undefined;

  constructor() {
    super();
    this.heading = "";
    this.subheading = "";
    // What is typed may be secret: it is told within the dialog alone.
    for (const name of ["slip-answer", "slip-choices"]) this.addEventListener(name, (event) => event.stopPropagation());
  }

  protected override render() {
    return html`<dialog aria-labelledby="heading" @close=${() => this.tell("slip-closed", {})}>
      <div class="head">
        <div class="top">
          <div>
            <h2 id="heading" tabindex="-1" autofocus>${this.heading}</h2>
            ${this.subheading === "" ? nothing : html`<p class="muted">${this.subheading}</p>`}
          </div>
          <button
            type="button"
            title=${this.words.common.close}
            @click=${() => this.close()}
          >
            ${icon("x")}
          </button>
        </div>
        <slot name="top"></slot>
      </div>
      <div class="body" role="group" aria-labelledby="heading" tabindex="0"><slot></slot></div>
      <div class="foot"><slot name="buttons"></slot></div>
    </dialog>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const dialog = this.hasUpdated ? this.renderRoot.querySelector("dialog") : null;
    if (dialog?.open !== true) return;
    // One that was moved while it was open is modal no more, and can't be made so before it is closed.
    dialog.removeAttribute("open");
    this.#open();
  }

  override firstUpdated(): void {
    this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A dialog that is taken out of its document while it is open gives the keyboard back to nobody.
    const before = this.#before;
    if (before?.isConnected && findFocused() === undefined) before.focus();
  }

  /** Closes; what was typed is kept by whom it belongs to. */
  close(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }

  #open(): void {
    this.#before = findFocused();
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  /** Shows the beginning of another page, and has it read. */
  showTop(): void {
    this.renderRoot.querySelector(".body")?.scrollTo({ top: 0 });
    this.renderRoot.querySelector<HTMLElement>("#heading")?.focus({ preventScroll: true });
  }
}

define("slip-dialog", SlipDialog);
