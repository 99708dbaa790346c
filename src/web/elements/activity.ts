/** `slip-activity`: all tasks: what needs a person, what runs, and what is finished, newest first; searched and in pages. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, call, readRefusal } from "../api/client.ts";
import type { Task, Tasks } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { type Group, summarize } from "../state/task-summary.ts";
import { define, SlipElement } from "../ui/element.ts";
import { keepKeyboard } from "../ui/keyboard.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";
import "./activity-row.ts";

const GROUPS: readonly Group[] = ["asks", "runs", "finished"];
/** Tasks read with each page. */
const PAGE = 25;
/** Ms without a key until what was typed is searched. */
const TYPED_MS = 250;

class SlipActivity extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    selected: { type: String },
    search: { state: true },
    found: { state: true },
    next: { state: true },
    refusal: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      :host,
      section {
        display: grid;
        gap: 10px;
        align-content: start;
      }
      :host {
        gap: 20px;
      }
      ul {
        display: grid;
        gap: 10px;
      }
      .search {
        display: grid;
        gap: 4px;
        font-size: 0.875em;
      }
    `,
  ];

  /** Only the tasks of this app, where it is named. */
  declare app: string;
  /** Id of the root task that is shown beside the list. */
  declare selected: string;
  declare search: string;
  /** Ids of a list that was read for the search or the app; undefined where everything known is shown. */
  declare found: ReadonlySet<string> | undefined;
  /** `before` of the next page; undefined on the last one, null before the first was read. */
  declare next: string | undefined | null;
  declare refusal: ApiError | undefined;
  #typed: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.app = "";
    this.selected = "";
    this.search = "";
    this.next = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const store = tasksOf(this.api);
    let { beginnings } = store;
    store.subscribe(() => {
      if (beginnings !== store.beginnings) void this.#read(undefined);
      beginnings = store.beginnings;
      this.requestUpdate();
    }, this.connected);
    void this.#read(undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typed);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    keepKeyboard(this.shadowRoot, "h2");
    if (changed.has("app") && this.hasUpdated) void this.#read(undefined);
  }

  protected override render() {
    const { words, found, app } = this;
    const store = tasksOf(this.api);
    const shown = store.tasks.filter(
      (task) => found?.has(task.id) === true || (this.search === "" && (app === "" || task.appId === app)),
    );
    const groups = Map.groupBy(shown, (task) => summarize(task).group);
    const { refusal = store.problem } = this;
    return html`<label class="search"
        >${words.activity.search}
        <input type="search" autocomplete="off" @input=${this.#type} />
      </label>
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#again())}
      ${store.isLoaded ? GROUPS.map((group) => this.#renderGroup(group, groups.get(group) ?? [])) : nothing}
      ${shown.length === 0 ? this.#renderNothing(store.isLoaded) : nothing}
      ${
        typeof this.next === "string"
          ? html`<div><button type="button" @click=${() => this.#read(this.next ?? undefined)}>${words.common.more}</button></div>`
          : nothing
      }`;
  }

  #renderNothing(isLoaded: boolean): TemplateResult {
    const { words } = this;
    const isReady = isLoaded && this.next !== null;
    return html`<p class="muted">${isReady ? (this.search === "" ? words.activity.empty : words.common.none) : words.common.loading}</p>`;
  }

  #renderGroup(group: Group, tasks: readonly Task[]) {
    if (tasks.length === 0) return nothing;
    return html`<section>
      <h2 tabindex="-1">${this.words.activity.groups[group]} <span class="muted">${tasks.length}</span></h2>
      <ul>
        ${tasks.map(
          (task) => html`<li>
            <slip-activity-row .api=${this.api} .task=${task} ?selected=${task.id === this.selected}></slip-activity-row>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  #type({ target }: Event): void {
    if (!(target instanceof HTMLInputElement)) return;
    const { value } = target;
    clearTimeout(this.#typed);
    this.#typed = setTimeout(() => {
      this.search = value.trim();
      this.found = this.search === "" ? undefined : new Set();
      void this.#read(undefined);
    }, TYPED_MS);
  }

  #again(): void {
    tasksOf(this.api).readAgain();
    void this.#read(undefined);
  }

  /** Reads a page after the task named, or the first. Without a search the unfinished ones are known already. */
  async #read(before: string | undefined): Promise<void> {
    const { search, app } = this;
    const isAll = search === "" && app === "";
    try {
      const page = await call<Tasks>(this.api, "/tasks", {
        query: {
          before,
          limit: PAGE,
          search: search || undefined,
          app: app || undefined,
          ...(isAll && { unfinished: false }),
        },
        signal: this.connected,
      });
      if (search !== this.search || app !== this.app) return;
      this.next = page.next;
      if (!isAll) this.found = new Set([...(this.found ?? []), ...page.tasks.map(({ id }) => id)]);
      this.refusal = undefined;
      tasksOf(this.api).merge(page);
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }
}

define("slip-activity", SlipActivity);
