/** What the dialogs have in common that show what would become of an app before somebody confirms it. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, call, pathOf, readRefusal } from "../../../api/client.ts";
import type { Task } from "../../../api/types.ts";
import { tasksOf } from "../../../state/task-store.ts";
import { isTurn } from "../../../state/task-summary.ts";
import { SlipElement } from "../../../ui/element.ts";
import { showUnseen } from "../../../ui/format/show-unseen.ts";
import { type IconName, icon } from "../../../ui/icons.ts";
import { renderTaskWay } from "../../../ui/refusal.ts";
import type { Words } from "../../../ui/words.ts";
import "../dialog-frame.ts";
import type { SlipDialog } from "../dialog-frame.ts";
import { problemStyles, renderRefused } from "../problems.ts";

/** What a dialog says in the frame. */
export interface ConfirmFrame {
  readonly heading: string;
  readonly content: TemplateResult;
  /** The button that confirms it. */
  readonly confirm: string;
  readonly picture: IconName;
  /** The request to confirm: of the app that is shown, which may be another than the element's by now. */
  readonly agreed: Agreed | undefined;
}

interface Agreed {
  readonly appId: string;
  readonly body: object;
}

export abstract class ConfirmDialog<Shown> extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    shown: { state: true },
    refusal: { state: true },
    isStarting: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    ...problemStyles,
    css`
      .body,
      .list {
        display: grid;
        gap: 16px;
      }
      .list {
        gap: 10px;
      }
      fieldset {
        display: grid;
        gap: 10px;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }
      label,
      li {
        display: flex;
        align-items: start;
        gap: 12px;
        min-height: 24px;
      }
      label > span,
      li > div {
        display: grid;
        min-width: 0;
      }
      input[type="radio"] {
        flex: none;
        width: 20px;
        height: 20px;
        margin: 2px 0 0;
        accent-color: var(--action);
      }
      .danger {
        border-color: var(--bad);
        color: var(--bad);
      }
      @media (pointer: coarse) {
        label {
          min-height: 44px;
        }
      }
    `,
  ];

  /** Id of the app. */
  declare app: string;
  /** What would become of it; undefined until it is known. */
  declare protected shown: Shown | undefined;
  declare protected refusal: ApiError | undefined;
  declare protected isStarting: boolean;
  protected abstract readonly lifecycle: "adopt" | "rollback" | "uninstall";
  #reading: AbortController | undefined;

  constructor() {
    super();
    this.app = "";
    this.isStarting = false;
  }

  /** Asks the engine what would become of the app. */
  protected abstract ask(signal: AbortSignal): Promise<Shown>;

  protected abstract describe(words: Words, shown: Shown | undefined): ConfirmFrame;

  override connectedCallback(): void {
    super.connectedCallback();
    // Another task of the app may change what would become of it.
    tasksOf(this.api).onEvent((event) => {
      const { appId, kind } = event.task;
      if (appId === this.app && kind !== this.lifecycle && isTurn(event)) void this.read();
    }, this.connected);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has("app") && !changed.has("api")) return;
    this.forget();
    void this.read();
  }

  /** Begins anew, with another app. */
  protected forget(): void {
    this.shown = undefined;
    this.refusal = undefined;
    this.isStarting = false;
  }

  protected override render() {
    const { words, refusal, shown } = this;
    const { heading, content, confirm, picture, agreed } = this.describe(words, shown);
    return html`<slip-dialog heading=${heading}>
      <div class="body">
        ${
          shown === undefined && refusal === undefined
            ? html`<p class="muted" role="status">${words.common.loading}</p>`
            : nothing
        }
        ${content} ${renderRefused(words, refusal, () => this.read(), renderTaskWay(words, refusal?.details?.taskId, this))}
      </div>
      <button slot="buttons" type="button" @click=${this.#close}>${words.common.cancel}</button>
      <button slot="buttons" type="button" class=${this.lifecycle === "adopt" ? "primary" : "danger"} ?disabled=${agreed === undefined || this.isStarting}
        @click=${() => agreed && this.#start(agreed)}>
        ${icon(picture)} ${confirm}
      </button>
    </slip-dialog>`;
  }

  /** Has what is shown read anew; the latest reading counts. */
  protected async read(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const shown = await this.ask(reading.signal);
      if (reading.signal.aborted) return;
      this.shown = shown;
      this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error) ?? this.refusal;
    }
  }

  async #start({ appId, body }: Agreed): Promise<void> {
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      const task = await call<Task>(this.api, pathOf("apps", appId, this.lifecycle), { method: "POST", body });
      this.tell("slip-started", { taskId: task.id, task });
      if (appId === this.app) this.#close();
    } catch (error) {
      const refusal = readRefusal(error);
      if (appId !== this.app) return;
      // What it would be now, with why it was not taken.
      await this.read();
      this.refusal = refusal;
    } finally {
      this.isStarting = false;
    }
  }

  #close(): void {
    this.renderRoot.querySelector<SlipDialog>("slip-dialog")?.close();
  }
}

/** A thing with what becomes of it. */
export function renderFate(picture: IconName, thing: TemplateResult | string, fate: string): TemplateResult {
  return html`<li>${icon(picture)}<div>${thing} <span class="muted small">${fate}</span></div></li>`;
}

/** A path of the host, which whoever made it has named. */
export function renderPath(path: string): TemplateResult {
  return html`<code><bdi>${showUnseen(path)}</bdi></code>`;
}
