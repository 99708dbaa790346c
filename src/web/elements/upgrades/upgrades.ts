/**
 * `slip-upgrades`: the upgrades of all apps in their order, what would be left out and why, and when upgrades begin by
 * themselves. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-open-app {appId}`.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { type ApiError, call, readRefusal } from "../../api/client.ts";
import type { UpgradeAllPreview } from "../../api/types.ts";
import { tasksOf } from "../../state/task-store.ts";
import { isTurn } from "../../state/task-summary.ts";
import { Again } from "../../ui/again.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import { renderRefusal } from "../../ui/refusal.ts";
import { Presses } from "../actions/presses.ts";
import { actionStyles, renderPressed } from "../actions/render-actions.ts";
import { wayTo } from "../apps/ways.ts";
import "./upgrade-policy.ts";

export class SlipUpgrades extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    preview: { state: true },
    refusal: { state: true },
    stops: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    ...actionStyles,
    css`
      :host,
      .card {
        display: grid;
        gap: var(--gap);
        justify-items: start;
      }
      slip-upgrade-policy,
      section {
        width: 100%;
      }
      ol {
        padding-inline-start: 24px;
        list-style: decimal;
      }
      label,
      li > p {
        display: flex;
        gap: 8px;
      }
    `,
  ];

  declare preview: UpgradeAllPreview | undefined;
  declare refusal: ApiError | undefined;
  /** Whether no further upgrade begins once one has failed. */
  declare stops: boolean;
  readonly #presses = new Presses(this);
  readonly #again = new Again(() => this.#read());

  constructor() {
    super();
    this.stops = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const store = tasksOf(this.api);
    store.onHint(({ type }) => {
      if (type === "app.changed" || type === "catalog.changed" || type === "hints.lost") this.#again.ask();
    }, this.connected);
    store.onEvent((event) => void (isTurn(event) && this.#again.ask()), this.connected);
    this.connected.addEventListener("abort", () => this.#again.stop(), { once: true });
    this.#again.ask();
  }

  protected override render() {
    const { words, preview, refusal } = this;
    return html`<h1>${words.app.titles.upgrades}</h1>
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#read())}
      ${renderPressed(words, this.#presses, this)}
      ${preview === undefined ? (refusal === undefined ? html`<p class="muted">${words.common.loading}</p>` : nothing) : this.#renderPreview(preview)}
      <slip-upgrade-policy .api=${this.api}></slip-upgrade-policy>`;
  }

  #renderPreview({ upgrades, leftOut }: UpgradeAllPreview): TemplateResult {
    const { words } = this;
    return html`<section class="card" aria-labelledby="all">
      <h2 id="all">${words.upgrades.now}</h2>
      ${
        upgrades.length === 0
          ? html`<p class="muted">${words.upgrades.none}</p>`
          : html`<ol>
                ${upgrades.map(
                  ({ appId, name, from, to }) =>
                    html`<li>${this.#renderApp(appId, name)} <span class="muted">${words.appPage.move(from, to)}</span></li>`,
                )}
              </ol>
              <label><input type="checkbox" .checked=${this.stops} @change=${this.#choose} /> ${words.upgrades.stopOnFailure}</label>
              <button type="button" class="primary" ?disabled=${this.#presses.isPressing} @click=${() => this.#start(upgrades)}>
                ${icon("circle-arrow-up")} ${words.upgrades.start(upgrades.length)}
              </button>`
      }
      ${
        leftOut.length === 0
          ? nothing
          : html`<h2>${words.upgrades.leftOut}</h2>
              <ul>
                ${leftOut.map(
                  ({ appId, appName, code, message }) => html`<li>
                    ${this.#renderApp(appId, appName ?? appId)}
                    <p>${icon("lock")} <span><bdi>${message}</bdi> <code class="muted">${code}</code></span></p>
                  </li>`,
                )}
              </ul>`
      }
    </section>`;
  }

  #renderApp(appId: string, name: string): TemplateResult {
    const way = wayTo(this, appId);
    return html`<a href=${way.href} @click=${way.open}><bdi>${name}</bdi></a>`;
  }

  #choose({ target }: Event): void {
    if (target instanceof HTMLInputElement) this.stops = target.checked;
  }

  /** Names what was shown, so that nothing else is upgraded. */
  #start(upgrades: UpgradeAllPreview["upgrades"]): void {
    const body = { apps: upgrades.map(({ appId }) => appId), stopOnFailure: this.stops };
    void this.#presses.press({ api: this.api, path: "/upgrades", body });
  }

  async #read(): Promise<void> {
    try {
      const request = { method: "POST", body: {}, signal: this.connected } as const;
      this.preview = await call<UpgradeAllPreview>(this.api, "/upgrades/preview", request);
      this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }
}

define("slip-upgrades", SlipUpgrades);
