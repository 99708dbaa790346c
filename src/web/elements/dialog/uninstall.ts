/**
 * An uninstall before it is confirmed: what becomes of the app's data, each path named, of its answers, and of what it is
 * linked with. Connecting it opens it. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-closed`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, call, pathOf, readRefusal } from "../../api/client.ts";
import type { Task, UninstallPreview } from "../../api/types.ts";
import { tasksOf } from "../../state/task-store.ts";
import { isTurn } from "../../state/task-summary.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import { renderTaskWay } from "../../ui/refusal.ts";
import { showUnseen } from "../../ui/show-unseen.ts";
import "./dialog-frame.ts";
import type { SlipDialog } from "./dialog-frame.ts";
import { problemStyles, renderRefused } from "./problems.ts";

/** What becomes of the data. */
type Choice = "keep" | "remove";

export class SlipUninstall extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    choice: { state: true },
    previews: { state: true },
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
  declare choice: Choice;
  /** What each choice does; undefined until both are known. */
  declare previews: Readonly<Record<Choice, UninstallPreview>> | undefined;
  declare refusal: ApiError | undefined;
  declare isStarting: boolean;
  #reading: AbortController | undefined;

  constructor() {
    super();
    this.app = "";
    this.choice = "keep";
    this.isStarting = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // What another task of the app makes would go with the data too.
    tasksOf(this.api).onEvent((event) => {
      const { appId, kind } = event.task;
      if (appId === this.app && kind !== "uninstall" && isTurn(event)) void this.#read();
    }, this.connected);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has("app") && !changed.has("api")) return;
    this.choice = "keep";
    this.previews = undefined;
    void this.#read();
  }

  protected override render() {
    const { words, refusal, previews, choice } = this;
    const { uninstall } = words.dialog;
    return html`<slip-dialog heading=${uninstall.heading(previews?.keep.name ?? this.app)}>
      <div class="body">
        ${
          previews === undefined && refusal === undefined
            ? html`<p class="muted" role="status">${words.common.loading}</p>`
            : nothing
        }
        ${previews === undefined ? nothing : html`${this.#renderChoices()} ${this.#renderPreview(previews[choice])}`}
        ${renderRefused(words, refusal, () => this.#read(), renderTaskWay(words, refusal?.details?.taskId, this))}
      </div>
      <button slot="buttons" type="button" @click=${this.#close}>${words.common.cancel}</button>
      <button slot="buttons" type="button" class="danger" ?disabled=${previews === undefined || this.isStarting} @click=${this.#start}>
        ${icon("trash-2")} ${uninstall.confirm[choice]}
      </button>
    </slip-dialog>`;
  }

  #renderChoices(): TemplateResult {
    const { uninstall } = this.words.dialog;
    return html`<fieldset>
      <legend class="only-heard">${uninstall.data}</legend>
      ${(["keep", "remove"] as const).map(
        (choice) => html`<label>
          <input type="radio" name="data" .checked=${choice === this.choice} @change=${() => this.#choose(choice)} />
          <span>${uninstall[choice]} <span class="muted small">${uninstall.hints[choice]}</span></span>
        </label>`,
      )}
    </fieldset>`;
  }

  #renderPreview({ directories, removesVolumes, answers, links }: UninstallPreview): TemplateResult {
    const { dialog } = this.words;
    const { uninstall } = dialog;
    return html`<section class="list" aria-labelledby="directories" aria-live="polite">
        <h3 id="directories">${uninstall.directories}</h3>
        ${directories.length === 0 ? html`<p class="muted">${uninstall.noDirectories}</p>` : nothing}
        <ul class="list">
          ${directories.map(
            ({ path, fate, reason }) => html`<li>
              ${icon(fate === "removed" ? "trash-2" : "folder")}
              <div>
                <code><bdi>${showUnseen(path)}</bdi></code>
                <span class="muted small">${reason === undefined ? uninstall.fates[fate] : uninstall.stays(reason)}</span>
              </div>
            </li>`,
          )}
        </ul>
        ${removesVolumes ? html`<p>${uninstall.volumes}</p>` : nothing}
        <p>${uninstall.answers[answers]}</p>
      </section>
      ${
        links.length === 0
          ? nothing
          : html`<section class="list" aria-labelledby="links">
              <h3 id="links">${uninstall.links}</h3>
              <ul class="list">
                ${links.map(({ title, target }) => html`<li>${icon("link")} <bdi>${dialog.linkTo(title, target.name)}</bdi></li>`)}
              </ul>
            </section>`
      }`;
  }

  #choose(choice: Choice): void {
    this.choice = choice;
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.refusal = undefined;
    const preview = (keepData: boolean) =>
      call<UninstallPreview>(this.api, `${this.#path}/preview`, { method: "POST", body: { keepData }, signal });
    try {
      const [keep, remove] = await Promise.all([preview(true), preview(false)]);
      this.previews = { keep, remove };
    } catch (error) {
      this.refusal = readRefusal(error) ?? this.refusal;
    }
  }

  async #start(): Promise<void> {
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      const body = { keepData: this.choice === "keep" };
      const task = await call<Task>(this.api, this.#path, { method: "POST", body });
      this.tell("slip-started", { taskId: task.id, task });
      this.#close();
    } catch (error) {
      this.refusal = readRefusal(error);
    }
    this.isStarting = false;
  }

  get #path(): string {
    return pathOf("apps", this.app, "uninstall");
  }

  #close(): void {
    this.renderRoot.querySelector<SlipDialog>("slip-dialog")?.close();
  }
}

define("slip-uninstall", SlipUninstall);
