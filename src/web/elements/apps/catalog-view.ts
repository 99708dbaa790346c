/** The catalog as people look through it: what is searched for, a page of cards, and the pages before and after. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ApiError, call } from "../../api/client.ts";
import type { Apps, Hint } from "../../api/types.ts";
import { tasksOf } from "../../state/task-store.ts";
import { isTurn } from "../../state/task-summary.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import { renderLink } from "../../ui/link.ts";
import { pageTurnStyles, renderPageTurns } from "../../ui/page-turns.ts";
import { renderRefusal } from "../../ui/refusal.ts";
import { say } from "../../ui/say.ts";
import "../app-icon.ts";
import { Again } from "../../ui/again.ts";
import { Presses } from "../actions/presses.ts";
import { actionStyles, renderPressed } from "../actions/render-actions.ts";
import { FILTERS, lookFor, type Place, START, toQuery, turnBack, turnOn } from "./catalog-place.ts";
import { renderRow } from "./catalog-row.ts";
import { catalogStyles } from "./catalog-styles.ts";
import { renderLastKnown } from "./last-known.ts";
import { wayTo } from "./ways.ts";

/** Ms without a key until what is typed is searched for. */
const TYPING_MS = 200;

/** Where somebody was, by the interface: they find it again when they come back from an app. */
const places = new Map<string, Place>();

class SlipCatalogView extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    place: { state: true },
    shown: { state: true },
    refusal: { state: true },
    isReading: { state: true },
  };
  static override styles = [...SlipElement.styles, ...actionStyles, pageTurnStyles, catalogStyles];

  declare place: Place;
  /** The page that is shown; the one before while another is read. */
  declare shown: Apps | undefined;
  declare refusal: ApiError | undefined;
  declare isReading: boolean;
  #reading: AbortController | undefined;
  readonly #presses = new Presses(this);
  readonly #again = new Again(async () => {
    await this.#current;
    if (this.isConnected) await this.#read("unseen");
  });
  /** Ends with the reading that is under way. */
  #current: Promise<void> = Promise.resolve();
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.place = START;
    this.isReading = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
    this.#again.stop();
    this.#reading?.abort();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const store = tasksOf(this.api);
    store.onHint((hint) => this.#hear(hint), this.connected);
    store.onEvent((event) => void (isTurn(event) && this.#again.ask()), this.connected);
    if (this.hasUpdated) void this.#read();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (!changed.has("api")) return;
    this.place = places.get(this.api) ?? START;
    this.shown = undefined;
    void this.#read();
  }

  protected override render() {
    const { words, place } = this;
    return html`<h1 tabindex="-1">${words.app.titles.apps}</h1>
      <div class="bar" role="search">
        <div class="search">
          ${icon("search")}
          <input type="search" maxlength="200" autocomplete="off" spellcheck="false" aria-label=${words.apps.search}
            placeholder=${words.apps.search} .value=${place.search} @input=${this.#type} />
        </div>
        <fieldset class="filters" aria-label=${words.apps.filter}>
          ${FILTERS.map(
            (filter) => html`<button type="button" aria-pressed=${filter === place.filter ? "true" : "false"}
              @click=${() => this.#go(lookFor(this.place, { filter }))}>${words.apps.filters[filter]}</button>`,
          )}
        </fieldset>
        ${renderLink(
          { screen: "upgrades" },
          html`${icon("circle-arrow-up")} ${words.upgrades.all}`,
          () => this.tell("slip-open-upgrades", {}),
          "button",
        )}
      </div>
      ${this.refusal === undefined ? nothing : renderRefusal(this.refusal, words, () => this.#read())}
      ${renderPressed(words, this.#presses, this)}
      ${renderLastKnown(words, this.shown?.apps.find(({ lastKnown }) => lastKnown !== undefined)?.lastKnown)}
      ${this.shown === undefined ? this.#renderNothingYet() : this.#renderApps(this.shown)}`;
  }

  #renderNothingYet(): TemplateResult | typeof nothing {
    return this.refusal === undefined ? html`<p class="muted">${this.words.common.loading}</p>` : nothing;
  }

  #renderApps({ apps, next }: Apps): TemplateResult {
    const { words, api } = this;
    const { turned } = this.place;
    if (apps.length === 0)
      return html`<p class="muted">${this.place.filter === "upgrades" ? words.upgrades.none : words.common.none}</p>`;
    return html`<ul class="apps" aria-busy=${this.isReading ? "true" : "false"}>
        ${repeat(
          apps,
          ({ appId }) => appId,
          (app) =>
            renderRow({
              app,
              api,
              words,
              element: this,
              presses: this.#presses,
              link: (dialog) => wayTo(this, app.appId, dialog),
            }),
        )}
      </ul>
      ${renderPageTurns(words, turned.length, {
        back: () => this.#turn(turnBack(this.place)),
        on: next === undefined ? undefined : () => this.#turn(turnOn(this.place, next)),
      })}`;
  }

  #sayCount({ apps, next }: Apps): void {
    say(this.words.apps.found(apps.length, next !== undefined || this.place.turned.length > 0));
  }

  #type({ currentTarget }: Event): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    const place = lookFor(this.place, { search: currentTarget.value });
    this.place = place;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#go(place), TYPING_MS);
  }

  #go(place: Place): void {
    clearTimeout(this.#typing);
    this.place = place;
    void this.#read();
  }

  /** What is shown is read anew where it may be another by now; what somebody waits for comes first. */
  #hear({ type }: Hint): void {
    if (type === "app.changed" || type === "catalog.changed" || type === "hints.lost") this.#again.ask();
  }

  /** Another page is read from its top. */
  async #turn(place: Place): Promise<void> {
    this.place = place;
    await this.#read();
    const heading = this.renderRoot.querySelector("h1");
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  }

  #read(manner: "seen" | "unseen" = "seen"): Promise<void> {
    this.#current = this.#readPage(manner);
    return this.#current;
  }

  async #readPage(manner: "seen" | "unseen"): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.isReading = manner === "seen";
    places.set(this.api, this.place);
    try {
      const shown = await call<Apps>(this.api, "/apps", { query: toQuery(this.place), signal: reading.signal });
      if (reading.signal.aborted) return;
      this.shown = shown;
      this.refusal = undefined;
      if (manner === "seen") this.#sayCount(shown);
    } catch (error) {
      if (reading.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.refusal = error;
    }
    this.isReading = false;
  }
}

define("slip-catalog-view", SlipCatalogView);
