/** What the dialogs that change an installed app have in common: the draft of the change, its frame, and its start. */
import { css, html, nothing, type TemplateResult } from "lit";
import { SlipElement } from "../../../ui/element.ts";
import { renderTaskWay } from "../../../ui/refusal.ts";
import type { Words } from "../../../ui/words.ts";
import "../dialog-frame.ts";
import type { SlipDialog } from "../dialog-frame.ts";
import { Draft } from "../draft.ts";
import { pressOnEnter } from "../press-on-enter.ts";
import { problemStyles, renderRefused } from "../problems.ts";
import { differenceStyles } from "./differences.ts";

/** What a dialog says in the frame. */
export interface ChangeFrame {
  readonly heading: string;
  readonly subheading?: string;
  readonly content: TemplateResult | typeof nothing;
  /** The button that starts it, while it can be. */
  readonly confirm: string;
  readonly canStart: boolean;
}

export abstract class ChangeDialog extends SlipElement {
  static override properties = { ...SlipElement.properties, app: { type: String } };
  static override styles = [
    ...SlipElement.styles,
    ...problemStyles,
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
  protected readonly draft: Draft;

  constructor(mode: "options" | "upgrade") {
    super();
    this.app = "";
    this.draft = new Draft(this, () => ({ api: this.api, appId: this.app, mode }));
  }

  protected abstract describe(words: Words): ChangeFrame;

  /** The button was pressed. */
  protected abstract start(): Promise<void>;

  protected override render() {
    const { words } = this;
    const { form, refusal, isStarting } = this.draft;
    const { heading, subheading = "", content, confirm, canStart } = this.describe(words);
    return html`<slip-dialog heading=${heading} subheading=${subheading} @keydown=${pressOnEnter}>
      <div class="body">
        ${
          form === undefined && refusal === undefined
            ? html`<p class="muted" role="status">${words.common.loading}</p>`
            : nothing
        }
        ${content} ${renderRefused(words, refusal, () => this.draft.judge(), renderTaskWay(words, refusal?.details?.taskId, this))}
      </div>
      <button slot="buttons" type="button" @click=${() => this.cancel()}>${words.common.cancel}</button>
      <button slot="buttons" type="button" class="primary" ?disabled=${!canStart || isStarting} @click=${() => this.start()}>
        ${confirm}
      </button>
    </slip-dialog>`;
  }

  /** Starts the change as it was shown and closes; false where it is refused. */
  protected async startTask(lifecycle: "update" | "upgrade", revision?: string): Promise<boolean> {
    const task = await this.draft.start(lifecycle, revision);
    if (task === undefined) return false;
    this.tell("slip-started", { taskId: task.id, task });
    this.#close();
    return true;
  }

  protected cancel(): void {
    this.draft.discard();
    this.#close();
  }

  #close(): void {
    this.renderRoot.querySelector<SlipDialog>("slip-dialog")?.close();
  }
}
