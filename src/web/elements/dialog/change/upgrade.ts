/**
 * The upgrade of an installed app before it is confirmed: from where to where, what is new, what runs and what changes. It
 * asks nothing; a hook asks when its turn comes. Connecting it opens it. Tells `slip-started {taskId, task}`,
 * `slip-open-task {taskId}` and `slip-closed`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { call, pathOf, readRefusal } from "../../../api/client.ts";
import type { AppDetail, Form } from "../../../api/types.ts";
import { define } from "../../../ui/element.ts";
import { icon } from "../../../ui/icons.ts";
import type { Words } from "../../../ui/words.ts";
import { renderAdvice, renderProblems } from "../problems.ts";
import { ChangeDialog, type ChangeFrame } from "./change-dialog.ts";
import { renderDifferences } from "./differences.ts";

export class SlipUpgrade extends ChangeDialog {
  static override properties = { ...ChangeDialog.properties, detail: { state: true } };
  static override styles = [
    ...ChangeDialog.styles,
    css`
      .list {
        display: grid;
        gap: 10px;
      }
      .list li {
        display: flex;
        align-items: start;
        gap: 10px;
      }
      .notes {
        white-space: pre-wrap;
      }
    `,
  ];

  /** What is known of the app beside its upgrade; undefined where it could not be read. */
  declare detail: AppDetail | undefined;

  constructor() {
    super("upgrade");
    this.detail = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.#readDetail();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!changed.has("app")) return;
    this.detail = undefined;
    void this.#readDetail();
  }

  protected override describe({ dialog: { change } }: Words): ChangeFrame {
    const { form } = this.draft;
    const move = form?.upgrade;
    return {
      heading: change.upgrade(this.detail?.name ?? this.app),
      subheading:
        move === undefined ? "" : move.from === undefined ? change.to(move.to) : change.fromTo(move.from, move.to),
      content: form === undefined ? nothing : this.#renderUpgrade(form),
      confirm: change.upgradeStart,
      canStart: move !== undefined,
    };
  }

  protected override async start(): Promise<void> {
    await this.startTask("upgrade");
  }

  #renderUpgrade(form: Form): TemplateResult {
    const { dialog } = this.words;
    const { upgrade, lastKnown, problems, advice = [] } = form;
    return html`${lastKnown === undefined ? nothing : html`<p>${icon("cloud-off")} ${dialog.hostAway}</p>`}
    ${renderProblems(this.words, problems)} ${renderAdvice(advice)} ${this.#renderChangelog()}
    ${
      upgrade === undefined || upgrade.hooks.length === 0
        ? nothing
        : html`<section aria-labelledby="hooks">
            <h3 id="hooks">${dialog.change.hooks}</h3>
            <ul class="list">
              ${upgrade.hooks.map(
                ({ title, optional }) => html`<li>
                  ${icon("list-checks")}
                  <span>${title}${optional ? html`<span class="muted">, ${dialog.change.optional}</span>` : nothing}</span>
                </li>`,
              )}
            </ul>
          </section>`
    }
    ${renderDifferences(this.words, form)}`;
  }

  /** As its author or the host's catalog wrote it: text, whatever it holds. */
  #renderChangelog(): TemplateResult | typeof nothing {
    const written = (this.detail?.changelog ?? []).filter(({ notes }) => notes !== undefined);
    if (written.length === 0) return nothing;
    return html`<section>
      <h3>${this.words.dialog.change.changelog}</h3>
      <ul class="list">
        ${written.map(
          ({ version, scriptVersion, notes }) => html`<li>
            <div>
              <p><strong>${version ?? scriptVersion}</strong></p>
              <p class="notes">${notes}</p>
            </div>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  /** Without it the upgrade is the same: that it can't be read is told by the form, which fails as well. */
  async #readDetail(): Promise<void> {
    const { app } = this;
    try {
      const detail = await call<AppDetail>(this.api, pathOf("apps", app), { signal: this.connected });
      if (app === this.app) this.detail = detail;
    } catch (error) {
      readRefusal(error);
    }
  }
}

define("slip-upgrade", SlipUpgrade);
