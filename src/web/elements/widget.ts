/**
 * `slip-widget`: one tile of an app, read again by its own interval while it can be seen. Tells `slip-started {taskId, task}`
 * of a button that was pressed, `slip-open-task {taskId}` and `slip-open-app {appId}`.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ApiError, call, pathOf } from "../api/client.ts";
import type { Widget, WidgetSize } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatTime } from "../ui/format/format.ts";
import { icon } from "../ui/icons.ts";
import { Poll } from "../ui/poll.ts";
import { Presses, toPress } from "./actions/presses.ts";
import { actionStyles, renderAction, renderPressed } from "./actions/render-actions.ts";
import { isAbout } from "./widget/is-about.ts";
import { layOut } from "./widget/lay-out.ts";
import { renderField } from "./widget/render-field.ts";
import { describeStanding, type Standing } from "./widget/standing.ts";
import { widgetStyles } from "./widget/widget-styles.ts";

/** Seconds after which an engine that did not answer is asked again. */
const AWAY_S = 10;
/** Of a widget that is gone: a catalog may bring it back. */
const GONE_S = 300;

class SlipWidget extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    widget: { type: String },
    size: { type: String },
    name: { type: String },
    label: { type: String },
    gone: { type: String },
    standing: { type: String, reflect: true },
    view: { state: true },
    refusal: { state: true },
  };
  static override styles = [...SlipElement.styles, ...actionStyles, widgetStyles];

  /** Id of the app. */
  declare app: string;
  /** Id of the widget among the app's. */
  declare widget: string;
  declare size: WidgetSize;
  /** Name of the app, shown beside the title; empty: not shown. */
  declare name: string;
  /** Title until the widget's own is known. */
  declare label: string;
  /** Why it is known to be there no more: nobody is asked then. */
  declare gone: string | undefined;
  /** How it stands; reflected, so that a page can leave out what is `hidden`. */
  declare standing: Standing | "loading";
  declare view: Widget | undefined;
  declare refusal: ApiError | undefined;
  readonly #poll = new Poll(this, () => this.#read());
  readonly #presses = new Presses(this);

  constructor() {
    super();
    this.app = "";
    this.widget = "";
    this.size = "small";
    this.name = "";
    this.label = "";
    this.standing = "loading";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    tasksOf(this.api).onHint((hint) => {
      if (isAbout(hint, this.app, this.widget)) this.#poll.now();
    }, this.connected);
  }

  /** Reads it now, whatever its interval. */
  refresh(): void {
    this.#poll.now();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("app") || changed.has("widget") || changed.has("api") || changed.has("gone")) {
      this.view = undefined;
      this.refusal = undefined;
      this.#presses.clear();
      this.#poll.now();
    }
    this.standing = this.#stand();
  }

  protected override render() {
    const { view, words } = this;
    const title = view?.title ?? (this.label || this.widget);
    return html`<article class="card" aria-labelledby="title" aria-busy=${this.standing === "loading"}>
      <header>
        <h3 id="title">${title}</h3>
        ${this.name === "" ? nothing : html`<p class="muted">${this.name}</p>`}
      </header>
      ${this.#renderStanding()} ${view?.fields === undefined ? nothing : this.#renderFields(view)}
      ${this.#renderButtons()} ${renderPressed(words, this.#presses, this)}
    </article>`;
  }

  #renderStanding(): TemplateResult | typeof nothing {
    const { view, refusal, standing, words } = this;
    if (standing === "loading") return html`<p class="muted">${words.common.loading}</p>`;
    if (standing === "ready") return nothing;
    const { tone, picture, word } = describeStanding(words, standing);
    const away = refusal?.status === 0 ? words.app.unreachable : refusal?.message;
    const reason = standing === "gone" ? this.gone || refusal?.message : (away ?? view?.reason);
    const isRepeatable = standing === "failed" || standing === "stale";
    return html`<div class="standing">
      <p class="badge ${tone}">${icon(picture)} ${word}</p>
      ${reason === undefined ? nothing : html`<p class="muted">${reason}</p>`}
      ${
        standing === "stale" && view?.at !== undefined
          ? html`<p><time datetime=${view.at}>${words.widget.lastGood(formatTime(view.at))}</time></p>`
          : nothing
      }
      ${isRepeatable ? html`<button type="button" @click=${() => this.refresh()}>${words.common.tryAgain}</button>` : nothing}
      ${
        standing === "needsSetup"
          ? html`<button type="button" @click=${() => this.tell("slip-open-app", { appId: this.app })}>
              ${words.widget.openApp}
            </button>`
          : nothing
      }
    </div>`;
  }

  #renderFields(view: Widget): TemplateResult {
    const { fields, media } = layOut(view, this.size);
    const picture = (alt: string) =>
      media === undefined ? nothing : html`<img class="media" src=${media.image} alt=${alt} />`;
    const placement = media?.placement;
    const isFirst = placement !== "bottom" && placement !== "right";
    return html`<div class="body ${placement ?? ""}">
      ${isFirst ? picture(media?.alt ?? "") : nothing}
      <div class="fields">
        ${fields.map((field) => renderField(this.words, field))}
        ${fields.length === 0 && media === undefined ? html`<p class="muted">${this.words.widget.empty}</p>` : nothing}
      </div>
      ${placement === "both" ? picture("") : isFirst ? nothing : picture(media?.alt ?? "")}
    </div>`;
  }

  #renderButtons(): TemplateResult | typeof nothing {
    const { api, app: appId, view } = this;
    if (view === undefined || view.buttons.length === 0 || this.standing === "gone") return nothing;
    const request = { surface: "widget" } as const;
    return html`<div class="buttons">
      ${view.buttons.map((action, at) =>
        renderAction(action, `why-${at}`, this.#presses, () =>
          this.#presses.press(toPress(api, appId, action, request)),
        ),
      )}
    </div>`;
  }

  #stand(): Standing | "loading" {
    const { view, refusal } = this;
    if (this.gone !== undefined || refusal?.status === 404) return "gone";
    if (view === undefined) return refusal === undefined ? "loading" : "failed";
    if (view.stale || (refusal !== undefined && view.fields !== undefined)) return "stale";
    return refusal === undefined ? view.state : "failed";
  }

  /** Seconds until the next reading. */
  async #read(): Promise<number> {
    const { api, app, widget } = this;
    if (app === "" || widget === "" || this.gone !== undefined) return GONE_S;
    let seconds = AWAY_S;
    let view = this.view;
    let refusal: ApiError | undefined;
    try {
      view = await call<Widget>(api, pathOf("apps", app, "widgets", widget));
      seconds = view.refresh;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal = error;
      if (error.status === 404) seconds = GONE_S;
    }
    // Meanwhile it may have become another tile.
    if (api !== this.api || app !== this.app || widget !== this.widget) return 0;
    this.view = view;
    this.refusal = refusal;
    return seconds;
  }
}

define("slip-widget", SlipWidget);
