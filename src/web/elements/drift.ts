/**
 * `slip-drift`: what the host has otherwise than the engine left it, and what helps: of one app where there is something, or
 * of all. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-open-app {appId, dialog}`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, call, readRefusal, tellNow } from "../api/client.ts";
import type { Drift, DriftFinding } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatMoment } from "../ui/format/format.ts";
import { showUnseen } from "../ui/format/show-unseen.ts";
import { icon } from "../ui/icons.ts";
import { renderRefusal } from "../ui/refusal.ts";
import { Presses, toPress } from "./actions/presses.ts";
import { actionStyles, renderPressed } from "./actions/render-actions.ts";
import { wayTo } from "./apps/ways.ts";

export class SlipDrift extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    drift: { state: true },
    refusal: { state: true },
    isLooking: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    ...actionStyles,
    css`
      .card,
      ul {
        display: grid;
        gap: 12px;
        justify-items: start;
      }
      li {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 8px;
      }
      li > svg {
        color: var(--ask);
      }
    `,
  ];

  /** Id of the app; empty for all. */
  declare app: string;
  declare drift: Drift | undefined;
  declare refusal: ApiError | undefined;
  /** Whether the engine looks now, because a person asked it to. */
  declare isLooking: boolean;
  readonly #presses = new Presses(this);

  constructor() {
    super();
    this.app = "";
    this.isLooking = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    tasksOf(this.api).onHint(({ type }) => {
      if (type === "drift.changed" || type === "hints.lost") void this.#read();
    }, this.connected);
    void this.#read();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("app")) this.#presses.clear();
  }

  protected override render() {
    const { words, app, drift, refusal } = this;
    const findings = drift?.findings.filter(({ appId }) => app === "" || appId === app) ?? [];
    if (app !== "" && findings.length === 0) return nothing;
    return html`<div class="card" role="group" aria-labelledby="drift">
      <h2 id="drift">${words.drift.title}</h2>
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#read())}
      ${renderPressed(words, this.#presses, this)}
      <ul>${findings.map((finding) => this.#renderFinding(finding))}</ul>
      ${app === "" && drift !== undefined ? this.#renderLook(drift) : nothing}
    </div>`;
  }

  #renderFinding({
    appId,
    appName = appId,
    title,
    subject,
    expected,
    found,
    hint,
    proposal,
  }: DriftFinding): TemplateResult {
    const { drift } = this.words;
    const way = wayTo(this, appId);
    return html`<li>
      ${icon("triangle-alert")}
      <div>
        <p><strong>${title}</strong></p>
        <p>${this.app === "" ? html`<a href=${way.href} @click=${way.open}><bdi>${appName}</bdi></a> · ` : nothing}<code><bdi>${showUnseen(subject)}</bdi></code></p>
        ${expected === undefined ? nothing : html`<p>${drift.expected(showUnseen(expected))}</p>`}
        ${found === undefined ? nothing : html`<p>${drift.found(showUnseen(found))}</p>`}
        <p class="muted">${hint}</p>
        ${proposal === null ? nothing : this.#renderProposal(proposal)}
      </div>
    </li>`;
  }

  /** The way to the dialog of the task that helps; an action starts at once. */
  #renderProposal(proposal: NonNullable<DriftFinding["proposal"]>): TemplateResult {
    const { words, api } = this;
    const { method, appId } = proposal;
    if (method === "runAction") {
      return html`<button type="button" ?disabled=${this.#presses.isPressing}
        @click=${() => this.#presses.press(toPress(api, appId, proposal, {}))}>${icon("link")} ${words.drift.connect}</button>`;
    }
    const dialogs = {
      adopt: ["adopt", "plus", words.dialog.adopt.confirm],
      install: ["install", "download", words.apps.install],
      update: ["options", "settings-2", words.appPage.options],
    } as const;
    const [dialog, picture, name] = dialogs[method];
    const way = wayTo(this, appId, dialog);
    return html`<a class="button" href=${way.href} @click=${way.open}>${icon(picture)} ${name}</a>`;
  }

  #renderLook({ findings, lookedAt, skipped, failed }: Drift): TemplateResult {
    const { drift } = this.words;
    return html`${findings.length === 0 && lookedAt !== null ? html`<p>${icon("circle-check")} ${drift.none}</p>` : nothing}
      ${skipped.map(({ appId, appName = appId, code }) => html`<p class="muted">${drift.skipped(appName)} <code>${code}</code></p>`)}
      ${failed === undefined ? nothing : html`<p>${drift.failed} <code>${failed.code}</code> ${failed.hint}</p>`}
      <p class="muted">${lookedAt === null ? drift.never : drift.lookedAt(formatMoment(lookedAt, tellNow()))}</p>
      <button type="button" ?disabled=${this.isLooking} @click=${this.#look}>${icon("refresh-cw")} ${drift.look}</button>`;
  }

  async #look(): Promise<void> {
    this.isLooking = true;
    await this.#read("/drift/look", "POST");
    this.isLooking = false;
  }

  async #read(path = "/drift", method: "GET" | "POST" = "GET"): Promise<void> {
    try {
      this.drift = await call<Drift>(this.api, path, { method, signal: this.connected });
      this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }
}

define("slip-drift", SlipDrift);
