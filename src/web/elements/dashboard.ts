/**
 * `slip-dashboard`: the widgets people look at first, arranged by keyboard and pointer; every change of their order is kept
 * at once. Tells what its widgets tell.
 */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { AppWidget, DashboardTile, Hint } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { define, SlipElement } from "../ui/element.ts";
import { icon } from "../ui/icons.ts";
import { addressOf } from "../ui/places.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";
import { say } from "../ui/say.ts";
import { findOtherSize, keyOf, listAddable, moveTile, placeOfKey, toTile } from "./dashboard/arrange.ts";
import { dashboardStyles } from "./dashboard/dashboard-styles.ts";
import { followDrag } from "./dashboard/drag.ts";
import { DashboardStore } from "./dashboard/store.ts";
import "./widget.ts";

const READ_AT: ReadonlySet<Hint["type"]> = new Set([
  "dashboard.changed",
  "hints.lost",
  "app.changed",
  "catalog.changed",
]);

class SlipDashboard extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    isArranging: { state: true },
    dragged: { state: true },
    over: { state: true },
  };
  static override styles = [...SlipElement.styles, refusalStyles, dashboardStyles];

  declare isArranging: boolean;
  /** Keys of the tile that is dragged, and of the one it would take the place of. */
  declare dragged: string | undefined;
  declare over: string | undefined;
  readonly #store = new DashboardStore(this, () => this.api);

  constructor() {
    super();
    this.isArranging = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    tasksOf(this.api).onHint(({ type }) => {
      if (READ_AT.has(type)) void this.#store.read();
    }, this.connected);
    void this.#store.read();
  }

  protected override render() {
    const { dashboard, common } = this.words;
    const { tiles, refusal, isArranged } = this.#store;
    const apps = addressOf({ screen: "apps" });
    const shown = this.isArranging ? tiles : tiles?.filter(({ state }) => state !== "hidden");
    return html`<section aria-labelledby="heading">
      <div class="top">
        <h2 id="heading">${dashboard.title}</h2>
        ${
          this.isArranging && isArranged
            ? html`<button type="button" @click=${this.#reset}>${icon("undo-2")} ${dashboard.reset}</button>`
            : nothing
        }
        ${
          tiles === undefined || (tiles.length === 0 && !isArranged && !this.isArranging)
            ? nothing
            : html`<button type="button" id="arrange" aria-pressed=${this.isArranging} @click=${this.#toggle}>
                ${icon("layout-grid")} ${dashboard.arrange}
              </button>`
        }
      </div>
      ${refusal === undefined ? nothing : renderRefusal(refusal, this.words, () => void this.#store.read())}
      ${shown === undefined && refusal === undefined ? html`<p class="muted">${common.loading}</p>` : nothing}
      ${shown?.length === 0 ? html`<p class="muted">${dashboard.empty}</p> ${apps === undefined ? nothing : html`<div><a class="button" href=${apps}>${icon("search")} ${this.words.apps.search}</a></div>`}` : nothing}
      ${this.isArranging ? html`<p class="muted" id="how">${dashboard.how}</p>` : nothing}
      <ul class="tiles">
        ${repeat(shown ?? [], keyOf, (tile, at) => this.#renderTile(tile, at, shown?.length ?? 0))}
      </ul>
      ${this.isArranging ? this.#renderAddable() : nothing}
    </section>`;
  }

  #renderTile(tile: DashboardTile, at: number, count: number): TemplateResult {
    const { app, widgetId, title, size, state, reason } = tile;
    const key = keyOf(tile);
    const mark = `tile-${size}${this.dragged === key ? " dragged" : ""}${this.over === key ? " over" : ""}`;
    return html`<li class=${mark} data-key=${key}>
      ${this.isArranging ? this.#renderTools(tile, at, count) : nothing}
      ${
        state === "hidden"
          ? html`<p class="card muted">${icon("eye-off")} ${title} (${app.name}): ${this.words.widget.hidden}</p>`
          : html`<slip-widget
              .api=${this.api}
              .app=${app.appId}
              .widget=${widgetId}
              .size=${size}
              .name=${app.name}
              .label=${title}
              .gone=${state === "gone" ? (reason ?? "") : undefined}
            ></slip-widget>`
      }
    </li>`;
  }

  #renderTools(tile: DashboardTile, at: number, count: number): TemplateResult {
    const { dashboard } = this.words;
    const { title } = tile;
    const other = findOtherSize(tile, this.#store.widgets);
    const tool = (
      name: string,
      label: string,
      picture: Parameters<typeof icon>[0],
      press: () => unknown,
      off = false,
    ) =>
      html`<button type="button" data-do=${name} title=${label} ?disabled=${off} @click=${press}>
        ${icon(picture)}
      </button>`;
    return html`<div class="tools" role="group" aria-label=${title}>
      <button
        type="button"
        class="handle"
        data-do="handle"
        aria-label=${dashboard.move(title, at + 1, count)}
        aria-describedby="how"
        @pointerdown=${(event: PointerEvent) => this.#drag(event, at)}
        @keydown=${(event: KeyboardEvent) => this.#moveByKey(event, at, count)}
      >
        ${icon("menu")}
      </button>
      ${tool("earlier", dashboard.earlier(title), "arrow-left", () => this.#move(at, at - 1, "earlier"), at === 0)}
      ${tool("later", dashboard.later(title), "arrow-right", () => this.#move(at, at + 1, "later"), at === count - 1)}
      ${
        other === undefined
          ? nothing
          : tool("size", dashboard.resize[other](title), other === "large" ? "zoom-in" : "zoom-out", () =>
              this.#change(at, { ...tile, size: other }, dashboard.resized[other](title)),
            )
      }
      ${tool("remove", dashboard.remove(title), "trash-2", () => this.#change(at, undefined, dashboard.removed(title)))}
    </div>`;
  }

  #renderAddable(): TemplateResult {
    const { dashboard } = this.words;
    const addable = listAddable(this.#store.widgets, this.#store.tiles ?? []);
    return html`<div class="card addable">
      <h3>${dashboard.add}</h3>
      ${addable.length === 0 ? html`<p class="muted">${dashboard.nothingToAdd}</p>` : nothing}
      <ul class="addable">
        ${repeat(
          addable,
          keyOf,
          (widget) => html`<li>
            <div>
              <p>${widget.title} <span class="muted">${widget.app.name}</span></p>
              ${widget.description === undefined ? nothing : html`<p class="muted">${widget.description}</p>`}
              ${widget.reason === undefined ? nothing : html`<p class="muted">${icon("info")} ${widget.reason}</p>`}
            </div>
            <button type="button" aria-label=${dashboard.addOne(widget.title)} @click=${() => this.#add(widget)}>
              ${icon("plus")} ${dashboard.addIt}
            </button>
          </li>`,
        )}
      </ul>
    </div>`;
  }

  #toggle(): void {
    this.isArranging = !this.isArranging;
    if (this.isArranging) void this.#store.readWidgets();
  }

  async #reset(): Promise<void> {
    await this.#store.reset();
    say(this.words.dashboard.reset);
    this.renderRoot.querySelector<HTMLElement>("#arrange")?.focus();
  }

  #move(from: number, to: number, pressed: string): void {
    const tiles = this.#store.tiles ?? [];
    const tile = tiles[from];
    if (tile === undefined) return;
    void this.#store.put(moveTile(tiles, from, to));
    say(this.words.dashboard.moved(tile.title, to + 1, tiles.length));
    void this.#focus(keyOf(tile), pressed);
  }

  #moveByKey(event: KeyboardEvent, at: number, count: number): void {
    const to = placeOfKey(event.key, at, count);
    if (to === undefined) return;
    event.preventDefault();
    this.#move(at, to, "handle");
  }

  #change(at: number, tile: DashboardTile | undefined, said: string): void {
    const tiles = this.#store.tiles ?? [];
    const changed = tile === undefined ? tiles.toSpliced(at, 1) : tiles.with(at, tile);
    void this.#store.put(changed);
    say(said);
    const next = changed[Math.min(at, changed.length - 1)];
    void this.#focus(next === undefined ? "" : keyOf(next), tile === undefined ? "handle" : "size");
  }

  #add(widget: AppWidget): void {
    void this.#store.put([...(this.#store.tiles ?? []), toTile(widget)]);
    say(this.words.dashboard.added(widget.title));
    void this.#focus(keyOf(widget), "handle");
  }

  #drag(event: PointerEvent, from: number): void {
    const tiles = this.#store.tiles ?? [];
    const items = () => [...this.renderRoot.querySelectorAll<HTMLElement>(".tiles > li")];
    const tile = tiles[from];
    if (tile === undefined) return;
    this.dragged = keyOf(tile);
    followDrag(
      event,
      items,
      (element) => {
        this.over = element instanceof HTMLElement ? element.dataset["key"] : undefined;
      },
      (isDropped) => {
        const to = tiles.findIndex((each) => keyOf(each) === this.over);
        this.dragged = undefined;
        this.over = undefined;
        if (isDropped && to !== -1 && to !== from) this.#move(from, to, "handle");
      },
    );
  }

  /** Keeps the keyboard at the control that was pressed, or at the tile where that can't be pressed now. */
  async #focus(key: string, name: string): Promise<void> {
    await this.updateComplete;
    const item = this.renderRoot.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const control = item?.querySelector<HTMLElement>(`[data-do="${name}"]:enabled`);
    const other = item?.querySelector<HTMLElement>(".handle") ?? this.renderRoot.querySelector<HTMLElement>("#arrange");
    (control ?? other)?.focus();
  }
}

define("slip-dashboard", SlipDashboard);
