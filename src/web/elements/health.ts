/** `slip-health`: what works and what does not: the host, the database, the sandbox and the tasks. */
import { css, html, nothing, type TemplateResult } from "lit";
import { type ApiError, call, readRefusal, tellNow } from "../api/client.ts";
import type { Health } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatMoment, formatTime } from "../ui/format/format.ts";
import { icon } from "../ui/icons.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";
import "./drift.ts";

/** Ms between two looks. */
const LOOK_MS = 10_000;

export class SlipHealth extends SlipElement {
  static override properties = { ...SlipElement.properties, health: { state: true }, refusal: { state: true } };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      :host {
        display: grid;
        gap: 16px;
      }
      .parts {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr));
        gap: 12px;
        align-items: start;
      }
      .card {
        display: grid;
        gap: 8px;
        align-content: start;
        justify-items: start;
      }
      li {
        display: flex;
        gap: 8px;
      }
    `,
  ];

  declare health: Health | undefined;
  declare refusal: ApiError | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    // A connection that comes back is a moment something has changed, too.
    tasksOf(this.api).onHint((hint) => {
      if (hint.type === "health.changed" || hint.type === "hints.lost") void this.#look();
    }, this.connected);
    void this.#look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render() {
    const { words, health, refusal } = this;
    return html`<h1>${words.app.titles.health}</h1>
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#look())}
      ${health === undefined ? (refusal === undefined ? html`<p class="muted">${words.common.loading}</p>` : nothing) : this.#renderParts(health)}`;
  }

  #renderParts({ draining, host, store, sandbox, tasks }: Health): TemplateResult {
    const { health } = this.words;
    const now = tellNow();
    return html`${
      draining === undefined
        ? nothing
        : html`<section class="card">
              <h2>${icon("clock")} ${health.closing}</h2>
              <p>${health.closes(formatTime(draining.deadline))} ${draining.waitsFor.length === 0 ? nothing : health.waitsFor(draining.waitsFor.length)}</p>
            </section>`
    }
      <div class="parts">
      ${this.#renderPart(
        health.host,
        host.reachable,
        html`${host.detail === undefined ? nothing : html`<p>${host.detail}</p>`}
        ${host.code === undefined ? nothing : html`<code>${host.code}</code>`}
        ${host.since === undefined ? nothing : html`<p class="muted">${health.since(formatMoment(host.since, now))}</p>`}
        ${host.lastAnswer === undefined ? nothing : html`<p class="muted">${health.lastAnswer(formatMoment(host.lastAnswer, now))}</p>`}`,
      )}
      ${this.#renderPart(
        health.store,
        store.writable,
        html`${store.detail === undefined ? nothing : html`<p>${store.detail}</p>`}
        ${store.rolledBack ? html`<p>${health.rolledBack}</p>` : nothing}
        <p class="muted">${health.after[store.after]}</p>`,
      )}
      ${this.#renderPart(
        health.sandbox,
        sandbox.usable,
        html`<details ?open=${sandbox.layers.some(({ active }) => !active)}>
          <summary>${health.layers(sandbox.layers.filter(({ active }) => active).length, sandbox.layers.length)}</summary>
          <ul>
            ${sandbox.layers.map(
              ({ name, active, detail }) =>
                html`<li>${icon(active ? "check" : "circle-alert")}<span>${name}: ${active ? health.active : health.inactive}<br /><span class="muted">${detail}</span></span></li>`,
            )}
          </ul>
        </details>`,
      )}
      ${this.#renderPart(
        health.tasks,
        tasks.quarantined === 0,
        html`<p>${health.unfinished(tasks.unfinished)}</p>
        ${tasks.quarantined === 0 ? nothing : html`<p>${health.quarantined(tasks.quarantined)}</p>`}`,
      )}
    </div>
    <slip-drift .api=${this.api}></slip-drift>`;
  }

  #renderPart(title: string, works: boolean, content: TemplateResult): TemplateResult {
    const { health } = this.words;
    return html`<section class="card">
      <h2>${title}</h2>
      <span class="badge ${works ? "good" : "bad"}">${icon(works ? "circle-check" : "circle-x")} ${works ? health.works : health.fails}</span>
      ${content}
    </section>`;
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.health = await call<Health>(this.api, "/health", { signal: this.connected, alsoFine: 503 });
      this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error);
      if (this.refusal === undefined) return;
    }
    if (this.isConnected) this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }
}

define("slip-health", SlipHealth);
