/** `slip-app`: the whole page: what its address names, the ways to everything else, and how the connection stands. */
import { html, nothing, type TemplateResult } from "lit";
import { type ApiError, call, endSession, readRefusal, whenSessionEnds } from "../api/client.ts";
import type { ConnectionState } from "../api/follow-events.ts";
import { keepSessionKey, loadSessionKey, SESSION_KEY } from "../api/session-key.ts";
import type { Notifications } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { summarize } from "../state/task-summary.ts";
import { define, SlipElement } from "../ui/element.ts";
import { icon } from "../ui/icons.ts";
import { findFocused } from "../ui/keyboard.ts";
import { chooseLanguage, LANGUAGES } from "../ui/language.ts";
import { renderNotLoaded } from "../ui/not-loaded.ts";
import { isSameScreen, type Place, readPlace, useBase, writePlace } from "../ui/places.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";
import { say } from "../ui/say.ts";
import { Announcer } from "./app/announcer.ts";
import { appStyles } from "./app/app-styles.ts";
import { AREAS, loadAhead, loadScreen, renderScreen } from "./app/screens.ts";
import "./login.ts";

/** The areas of screens that the navigation does not lead to. */
const WITHIN: Partial<Record<Place["screen"], Place["screen"]>> = { app: "apps", audit: "activity", upgrades: "apps" };

/** Ms after which a page that is live loads what comes later: what is shown first goes before. */
const AHEAD_MS = 1_000;

class SlipApp extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    base: { type: String },
    place: { state: true },
    isOut: { state: true },
    isMissing: { state: true },
    unread: { state: true },
    refusal: { state: true },
  };
  static override styles = [...SlipElement.styles, appStyles, refusalStyles];

  /** The path the page stands at, with a slash at its end. */
  declare base: string;
  declare place: Place;
  /** Whether the token is asked for. */
  declare isOut: boolean;
  /** Whether a part of what is shown could not be loaded. */
  declare isMissing: boolean | undefined;
  /** Notifications nobody has read. */
  declare unread: number;
  /** Why nobody could be logged out. */
  declare refusal: ApiError | undefined;
  readonly #announcer = new Announcer();
  #connection: ConnectionState = "connecting";
  /** What is shown, as it was said last. */
  #said = "";

  constructor() {
    super();
    this.base = "/";
    this.place = { screen: "home" };
    this.isOut = false;
    this.unread = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { connected: signal } = this;
    useBase(this.base);
    const store = tasksOf(this.api);
    whenSessionEnds(() => {
      if (this.isOut) return;
      this.isOut = true;
      // A stream that was opened before goes on; the tabs learn by it that there is nobody logged in any more.
      store.reopen();
    });
    store.subscribe(() => this.#notice(), signal);
    store.onEvent(({ type }) => void (type === "task.notified" && this.#count()), signal);
    store.onHint(
      ({ type }) => void ((type.startsWith("notification.") || type === "hints.lost") && this.#count()),
      signal,
    );
    // Another tab logged in or out.
    addEventListener("storage", ({ key }) => void (key === SESSION_KEY && store.reopen()), { signal });
    addEventListener("popstate", () => this.#arrive(), { signal });
    this.addEventListener("click", (event) => this.#follow(event), { signal });
    this.#listenToElements(signal);
    this.#arrive();
  }

  protected override render() {
    const { words, isOut, place, refusal } = this;
    const { connection } = tasksOf(this.api);
    return html`<div class="page ${isOut ? "out" : ""}">
      ${isOut ? nothing : this.#renderNavigation()}
      <main id="main" tabindex="-1">
        ${
          connection === "lost" && !isOut
            ? html`<p class="lost badge bad">${icon("cloud-off")} ${words.app.connections.lost}</p>`
            : nothing
        }
        ${isOut || refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#leave())}
        ${!isOut && this.isMissing ? renderNotLoaded(words) : nothing}
        ${isOut ? html`<slip-login .api=${this.api}></slip-login>` : renderScreen(place, this.api, words)}
      </main>
      ${this.#renderFoot()}
    </div>`;
  }

  #renderNavigation(): TemplateResult {
    const { words, place } = this;
    const asking = this.#countAsking();
    const current = WITHIN[place.screen] ?? place.screen;
    return html`<nav aria-label=${words.app.navigation}>
      <button type="button" class="skip" @click=${() => this.renderRoot.querySelector("main")?.focus()}>${words.app.skip}</button>
      <span class="brand">${icon("package")} Slipway</span>
      <ul>
        ${AREAS.map(
          ({ screen, picture }) => html`<li>
            <a href=${this.base + writePlace(screen === "files" ? { screen, path: "" } : { screen })} aria-current=${screen === current ? "page" : nothing}>
              ${icon(picture)} <span>${screen === "notifications" ? words.app.news : words.app.titles[screen]}</span>
              ${screen === "activity" && asking > 0 ? html`<span class="count" aria-label=${words.app.asking(asking)}>${asking}</span>` : nothing}
              ${screen === "notifications" && this.unread > 0 ? html`<span class="count plain" aria-label=${words.app.unread(this.unread)}>${this.unread}</span>` : nothing}
            </a>
          </li>`,
        )}
      </ul>
    </nav>`;
  }

  #renderFoot(): TemplateResult {
    const { words, isOut } = this;
    const { connection } = tasksOf(this.api);
    const pictures = { live: "circle-check", connecting: "loader-circle", lost: "cloud-off", refused: "lock" } as const;
    return html`<footer>
      ${isOut ? nothing : html`<span class="state ${connection}">${icon(pictures[connection])} ${words.app.connections[connection]}</span>`}
      <label
        ><span class="only-heard">${words.app.language}</span>
        <select @change=${this.#speak}>
          ${LANGUAGES.map(({ language, name }) => html`<option value=${language} lang=${language} ?selected=${language === words.language}>${name}</option>`)}
        </select>
      </label>
      ${isOut || loadSessionKey() === undefined ? nothing : html`<button type="button" class="quiet" @click=${this.#leave}>${icon("log-out")} ${words.login.leave}</button>`}
    </footer>`;
  }

  /** What elements tell of a choice is an address here. */
  #listenToElements(signal: AbortSignal): void {
    const on = (name: string, place: (detail: Readonly<Record<string, string>>) => Place | undefined) =>
      this.addEventListener(
        name,
        (event) => {
          const next = event instanceof CustomEvent ? place(event.detail) : undefined;
          if (next === undefined) return;
          event.preventDefault();
          this.#go(this.base + writePlace(next), name === "slip-closed");
        },
        { signal },
      );
    on("slip-open-task", ({ taskId }) => (taskId === undefined ? undefined : { screen: "activity", task: taskId }));
    on("slip-started", ({ taskId }) => (taskId === undefined ? undefined : { screen: "activity", task: taskId }));
    on("slip-open-app", ({ appId, dialog = "" }) =>
      appId === undefined ? undefined : readPlace(`apps/${encodeURIComponent(appId)}/${encodeURIComponent(dialog)}`),
    );
    on("slip-answer-task", ({ taskId }) => {
      const root = tasksOf(this.api).tasks.find((task) => summarize(task).asking.some(({ id }) => id === taskId));
      return root === undefined || taskId === undefined
        ? undefined
        : { screen: "activity", task: root.id, asking: taskId };
    });
    on("slip-closed", () => {
      const { place } = this;
      if (place.screen === "app" && place.dialog !== undefined) return { screen: "app", app: place.app };
      if (place.screen === "activity" && place.asking !== undefined && place.task !== undefined) {
        return { screen: "activity", task: place.task };
      }
      return undefined;
    });
    this.addEventListener("slip-logged-in", () => this.#enter(), { signal });
  }

  /** Links of the page within the page, wherever in it they are; others, and those for another tab, are the browser's. */
  #follow(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (link === undefined || link.target !== "" || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(this.base) || link.hash !== "") return;
    event.preventDefault();
    this.#go(link.pathname + link.search);
  }

  /** `isBack` where it is left for where it was opened. */
  #go(address: string, isBack = false): void {
    if (address === location.pathname + location.search) return;
    const before = this.place;
    history[isBack ? "replaceState" : "pushState"](null, "", address);
    this.#arrive();
    const isSame = isSameScreen(before, this.place);
    // A dialog comes and goes over its screen, and gives the keyboard back itself as soon as it is gone.
    setTimeout(() => {
      if (isSame && findFocused() !== undefined) return;
      this.renderRoot.querySelector("main")?.focus({ preventScroll: true });
      if (!isSame) scrollTo(0, 0);
    });
  }

  #arrive(): void {
    const place = readPlace(location.pathname.slice(this.base.length));
    this.place = place;
    const shown = this.#title();
    // A dialog that comes or goes leaves the screen as it is.
    if (shown !== this.#said) say(shown);
    this.#said = shown;
    this.isMissing = false;
    void loadScreen(place).then((isThere) => {
      if (this.place === place) this.isMissing = !isThere;
    });
  }

  /** Names the tab by what it shows and how much asks, and gives what it shows. */
  #title(): string {
    const { place, words } = this;
    const store = tasksOf(this.api);
    let shown: string = words.app.titles[place.screen];
    if (place.screen === "app") shown = store.tasks.find(({ appId }) => appId === place.app)?.appName ?? place.app;
    if (place.screen === "activity") shown = store.get(place.task ?? "")?.title ?? shown;
    const asking = this.#countAsking();
    document.title = `${asking === 0 ? "" : `(${asking}) `}${place.screen === "home" ? "" : `${shown} · `}Slipway`;
    return shown;
  }

  #countAsking(): number {
    return tasksOf(this.api).tasks.filter((task) => summarize(task).group === "asks").length;
  }

  #notice(): void {
    const store = tasksOf(this.api);
    if (store.connection !== this.#connection) {
      this.#connection = store.connection;
      if (store.connection === "live") {
        this.isOut = false;
        setTimeout(loadAhead, AHEAD_MS);
      }
    }
    const news = this.#announcer.notice(store, this.words);
    if (news !== undefined) say(news);
    this.#title();
    this.requestUpdate();
  }

  async #count(): Promise<void> {
    try {
      const { notifications } = await call<Notifications>(this.api, "/notifications", { query: { unread: true } });
      this.unread = notifications.length;
    } catch {
      // Counted anew with the next one, and when the connection is back.
    }
  }

  #enter(): void {
    this.isOut = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector("main")?.focus());
  }

  async #leave(): Promise<void> {
    this.refusal = undefined;
    try {
      await call(this.api, "/session", { method: "DELETE" });
      keepSessionKey(undefined);
      endSession();
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }

  #speak({ target }: Event): void {
    if (target instanceof HTMLSelectElement) void chooseLanguage(target.value).then(() => this.#arrive());
  }
}

define("slip-app", SlipApp);
