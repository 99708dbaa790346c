/** An app's page: read whole, and anew whenever something of it may have changed. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ApiError } from "../../api/client.ts";
import type { ActionEntry, Hint, TaskEvent, WidgetSummary } from "../../api/types.ts";
import { tasksOf } from "../../state/task-store.ts";
import { isFinished, isTurn } from "../../state/task-summary.ts";
import { Again } from "../../ui/again.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { renderRefusal } from "../../ui/refusal.ts";
import "../activity.ts";
import "../upgrades/upgrade-policy.ts";
import "../app-icon.ts";
import "../drift.ts";
import "../widget.ts";
import { Presses, toPress } from "../actions/presses.ts";
import { actionStyles, renderPressed } from "../actions/render-actions.ts";
import { ROWS } from "./bounded-list.ts";
import { renderActions } from "./page-actions.ts";
import { renderHead } from "./page-head.ts";
import { renderNews } from "./page-news.ts";
import { renderPairings, renderSuggestions } from "./page-pairings.ts";
import { renderProblems } from "./page-problems.ts";
import { renderRequirements } from "./page-requirements.ts";
import { pageStyles } from "./page-styles.ts";
import { type AppPage, readPage } from "./read-page.ts";

type Lists = "pairings" | "suggestions" | "problems";

class SlipAppPageView extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    page: { state: true },
    refusal: { state: true },
    shown: { state: true },
  };
  static override styles = [...SlipElement.styles, ...actionStyles, pageStyles];

  /** Id of the app. */
  declare app: string;
  declare page: AppPage | undefined;
  declare refusal: ApiError | undefined;
  /** How many rows of each list are shown. */
  declare shown: Readonly<Record<Lists, number>>;
  #reading: AbortController | undefined;
  readonly #presses = new Presses(this);
  readonly #again = new Again(() => this.#read());

  constructor() {
    super();
    this.app = "";
    this.shown = { pairings: ROWS, suggestions: ROWS, problems: ROWS };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const store = tasksOf(this.api);
    store.onHint((hint) => this.#hear(hint), this.connected);
    store.onEvent((event) => this.#notice(event), this.connected);
    if (this.hasUpdated) void this.#read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#again.stop();
    this.#reading?.abort();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (!changed.has("api") && !changed.has("app")) return;
    this.page = undefined;
    this.shown = { pairings: ROWS, suggestions: ROWS, problems: ROWS };
    this.#presses.clear();
    void this.#read();
  }

  protected override render() {
    const { words, page } = this;
    return html`${this.refusal === undefined ? nothing : renderRefusal(this.refusal, words, () => this.#read())}
    ${page === undefined ? this.#renderNothingYet() : this.#renderPage(page)}`;
  }

  #renderNothingYet(): TemplateResult {
    return html`<h1><bdi>${this.app}</bdi></h1>
      ${this.refusal === undefined ? html`<p class="muted">${this.words.common.loading}</p>` : nothing}`;
  }

  #renderPage({ app, actions, upgrade }: AppPage): TemplateResult {
    const { words, shown } = this;
    const parts = { app, words, element: this, presses: this.#presses };
    const more = (list: Lists) => () => {
      this.shown = { ...this.shown, [list]: this.shown[list] + ROWS };
    };
    return html`${renderHead(parts)}
      <div class="columns">
        <div>
          ${renderPressed(words, this.#presses, this)} ${app.installed === undefined ? nothing : html`<slip-drift .api=${this.api} .app=${app.appId}></slip-drift>`}
          ${renderNews(parts, upgrade)}
          ${renderActions(words, actions, this.#presses.isPressing, (action) => this.#press(app.appId, action))}
          ${renderPairings(parts, shown.pairings, more("pairings"))}
          ${renderSuggestions(parts, shown.suggestions, more("suggestions"))}
          <section aria-labelledby="activity">
            <h2 id="activity">${words.app.titles.activity}</h2>
            <slip-activity .api=${this.api} .app=${app.appId}></slip-activity>
          </section>
        </div>
        <div>
          ${app.installed ? app.widgets.map((widget) => this.#renderWidget(widget)) : nothing}
          ${app.installed ? html`<slip-upgrade-policy .api=${this.api} .app=${app.appId}></slip-upgrade-policy>` : nothing}
          ${renderRequirements(parts)} ${renderProblems(parts, shown.problems, more("problems"))}
        </div>
      </div>`;
  }

  #renderWidget({ widgetId, title, sizes }: WidgetSummary): TemplateResult {
    const size = sizes === undefined || sizes.large !== undefined ? "large" : "small";
    return html`<slip-widget .api=${this.api} .app=${this.app} .widget=${widgetId} .label=${title} .size=${size}></slip-widget>`;
  }

  /** Of the app that is shown, which may be another than the element's by now. */
  #press(appId: string, action: ActionEntry): void {
    void this.#presses.press(toPress(this.api, appId, action, {}));
  }

  #hear(hint: Hint): void {
    const isOther = hint.type === "app.changed" && hint.appId !== this.app && !this.#isLinked(hint.appId);
    if (isOther) return;
    if (hint.type === "app.changed" || hint.type === "catalog.changed" || hint.type === "hints.lost") this.#again.ask();
  }

  /** A run of the app, or of one it is linked with, may have connected them; one that begins is in the way of others. */
  #notice(event: TaskEvent): void {
    const { task } = event;
    const isOwn = task.appId === this.app;
    if ((isOwn && isTurn(event)) || (isFinished(task) && (isOwn || this.#isLinked(task.appId)))) this.#again.ask();
  }

  #isLinked(appId: string): boolean {
    return this.page?.app.pairings.some(({ target }) => target.appId === appId) === true;
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const page = await readPage(this.api, this.app, reading.signal);
      if (reading.signal.aborted) return;
      this.page = page;
      this.refusal = undefined;
    } catch (error) {
      if (reading.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.refusal = error;
    }
  }
}

define("slip-app-page-view", SlipAppPageView);
