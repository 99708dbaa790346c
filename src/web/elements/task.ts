/** `slip-task`: one task: its way as a line of steps, then what is asked, then its parts, its machine and its log. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, readRefusal, tellNow } from "../api/client.ts";
import type { Task } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { isFinished, summarize, walk } from "../state/task-summary.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatDuration, formatTime } from "../ui/format/format.ts";
import { icon } from "../ui/icons.ts";
import { keepKeyboard } from "../ui/keyboard.ts";
import { renderLink } from "../ui/link.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";
import "./app-icon.ts";
import "./decisions.ts";
import "./log.ts";
import "./machine.ts";
import "./task/asked.ts";
import "./task/parts.ts";
import { lookOfTree } from "./task/tree-look.ts";
import "./task/way.ts";

const TABS = ["steps", "machine", "log"] as const;
type Tab = (typeof TABS)[number];
/** What an owner sees: the lines of scripts are for developers. */
const OWN_TABS = TABS.filter((tab) => tab !== "log");
/** Ms between two looks at the clock, for the time the task has taken. */
const CLOCK_MS = 1_000;

export class SlipTask extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    task: { type: String },
    logs: { type: Boolean },
    root: { state: true },
    refusal: { state: true },
    tab: { state: true },
    chosen: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      :host {
        display: grid;
        gap: 18px;
        align-content: start;
      }
      header,
      .meta {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 14px;
        align-items: center;
      }
      .title {
        flex: 1 1 260px;
      }
      h2 {
        font-size: 1.375em;
        line-height: 1.3;
      }
      .tabs {
        display: flex;
        gap: 4px;
        border-bottom: 1px solid var(--line);
      }
      [role="tab"] {
        border-color: transparent;
        border-width: 0 0 2px;
        border-radius: 0;
        background: none;
        color: var(--muted);
      }
      [role="tab"][aria-selected="true"] {
        border-color: var(--action);
        color: var(--text);
        font-weight: 600;
      }
      [role="tabpanel"] {
        display: grid;
        gap: 12px;
      }
      .part {
        display: grid;
        gap: 4px;
        max-width: 420px;
      }
    `,
  ];

  /** Id of the task, or of one under it. */
  declare task: string;
  /** Whether the lines its scripts wrote are shown: they are for developers, whose page says `data-logs`. */
  declare logs: boolean;
  declare root: string | undefined;
  declare refusal: ApiError | undefined;
  declare tab: Tab;
  /** The task of the tree whose machine or log is shown. */
  declare chosen: string;
  /** What is being looked for. */
  #sought: string | undefined;

  constructor() {
    super();
    this.task = "";
    this.logs = document.documentElement.hasAttribute("data-logs");
    this.tab = "steps";
    this.chosen = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const clock = setInterval(() => this.#tick(), CLOCK_MS);
    this.connected.addEventListener("abort", () => clearInterval(clock));
    tasksOf(this.api).subscribe(() => {
      // A list that was read anew has not all tasks, and one of another database none of them.
      if (this.refusal?.status !== 404) void this.#find();
      this.requestUpdate();
    }, this.connected);
  }

  /** The time of a task that is over stands still. */
  #tick(): void {
    const root = tasksOf(this.api).get(this.root ?? this.task);
    if (root !== undefined && !isFinished(root)) this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    keepKeyboard(this.shadowRoot, "h2");
    if (!changed.has("task") && !changed.has("api")) return;
    this.root = undefined;
    this.refusal = undefined;
    this.chosen = "";
    this.tab = "steps";
    void this.#find();
  }

  protected override render() {
    const { words, refusal } = this;
    const root = tasksOf(this.api).get(this.root ?? this.task);
    if (refusal !== undefined && root === undefined) return renderRefusal(refusal, words, () => this.#find());
    if (root === undefined) return html`<p class="muted">${words.common.loading}</p>`;
    const { asking } = summarize(root);
    return html`${this.#renderHeader(root)}
      <slip-way .task=${root}></slip-way>
      ${asking.map((task) => html`<slip-asked .api=${this.api} .task=${task} .isRoot=${task.id === root.id}></slip-asked>`)}
      ${asking.length === 0 ? this.#renderWaiting(root) : nothing}
      ${root.remarks.map(({ text }) => html`<p class="muted">${text}</p>`)}
      ${this.#renderTabs(root)}`;
  }

  #renderHeader(root: Task): TemplateResult {
    const { words } = this;
    const { appId } = root;
    const { icon: picture, tone, word } = lookOfTree(root, words);
    const { group } = summarize(root);
    const end = group === "finished" ? Date.parse(root.updated) : tellNow();
    return html`<header>
      ${appId === "" ? nothing : html`<slip-app-icon .api=${this.api} .app=${appId} .name=${root.appName ?? ""}></slip-app-icon>`}
      <div class="title">
        <h2 tabindex="-1">${root.title}</h2>
        <p class="meta muted">
          <span class="badge ${tone}">${icon(picture)} ${word}</span>
          ${root.state === "COMPLETED" ? nothing : this.#renderWay(root, root.appName ?? appId, "link")}
          <span>${words.task.began(formatTime(root.created))}</span>
          ${root.startedBy === undefined ? nothing : html`<bdi>${words.task.by(root.startedBy)}</bdi>`}
          <span>${formatDuration(end - Date.parse(root.created))}</span>
        </p>
      </div>
      ${root.state === "COMPLETED" ? this.#renderWay(root, words.widget.openApp, "button") : nothing}
      <slip-decisions .api=${this.api} .task=${root} .only=${["cancel", "dismiss"] as const}></slip-decisions>
    </header>`;
  }

  /** The way to its app, as a button once there is nothing else to do. */
  #renderWay({ appId }: Task, text: string, className: "link" | "button"): TemplateResult | typeof nothing {
    if (appId === "") return nothing;
    return renderLink({ screen: "app", app: appId }, text, () => this.tell("slip-open-app", { appId }), className);
  }

  /** Whom or what a task at work waits for, beside a person. */
  #renderWaiting(root: Task): TemplateResult | typeof nothing {
    const { words } = this;
    const waiting = [...walk(root)].findLast(
      ({ waitingFor }) => waitingFor !== undefined && waitingFor.kind !== "person",
    )?.waitingFor;
    if (waiting === undefined || waiting.kind === "person") return nothing;
    return html`<p class="card">
      ${icon("clock")} ${words.task.waiting[waiting.kind]} · ${words.task.since(formatTime(waiting.since))}
      ${waiting.deadline === undefined ? nothing : html` · ${words.task.until(formatTime(waiting.deadline))}`}
    </p>`;
  }

  get #tabs(): readonly Tab[] {
    return this.logs ? TABS : OWN_TABS;
  }

  #renderTabs(root: Task): TemplateResult {
    const { words, tab } = this;
    return html`<div>
      <div class="tabs" role="tablist" aria-label=${words.task.views} @keydown=${this.#turn}>
        ${this.#tabs.map(
          (name) => html`<button
            type="button"
            role="tab"
            id="tab-${name}"
            aria-selected=${name === tab ? "true" : "false"}
            aria-controls="panel"
            tabindex=${name === tab ? "0" : "-1"}
            @click=${() => this.#show(name)}
          >
            ${words.task.tabs[name]}
          </button>`,
        )}
      </div>
    </div>
    <div role="tabpanel" id="panel" aria-labelledby="tab-${tab}" tabindex="0">${this.#renderPanel(root)}</div>`;
  }

  #renderPanel(root: Task): TemplateResult {
    const { words, tab, api } = this;
    if (tab === "steps") return html`<slip-parts .api=${api} .task=${root}></slip-parts>`;
    const parts = [...walk(root)].filter(({ kind }) => tab === "machine" || kind === "hook" || kind === "link");
    const shown =
      parts.find(({ id }) => id === this.chosen) ??
      summarize(root).asking.find((task) => parts.includes(task)) ??
      parts[0];
    if (shown === undefined) return html`<p class="muted">${words.task.noLog}</p>`;
    return html`<label class="part"
        >${words.task.part}
        <select @change=${this.#choose}>
          ${parts.map((part) => html`<option value=${part.id} ?selected=${part === shown}>${part.title}</option>`)}
        </select>
      </label>
      ${
        tab === "machine"
          ? html`<slip-machine .api=${api} .task=${shown.id} reveal></slip-machine>`
          : html`<slip-log .api=${api} .task=${shown.id} .live=${!isFinished(shown)}></slip-log>`
      }`;
  }

  #choose({ target }: Event): void {
    if (target instanceof HTMLSelectElement) this.chosen = target.value;
  }

  #show(tab: Tab): void {
    this.tab = tab;
  }

  async #turn({ key }: KeyboardEvent): Promise<void> {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const tabs = this.#tabs;
    const next = tabs[(tabs.indexOf(this.tab) + step + tabs.length) % tabs.length];
    if (step === 0 || next === undefined) return;
    this.tab = next;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  }

  /** Reads a task that is not known, or no longer. */
  async #find(): Promise<void> {
    const { api, task } = this;
    const store = tasksOf(api);
    const sought = `${api} ${task}`;
    if (task === "" || this.#sought === sought || store.get(this.root ?? task) !== undefined) return;
    this.#sought = sought;
    try {
      const root = await store.read(task);
      if (this.#sought !== sought) return;
      this.root = root;
      this.refusal = undefined;
    } catch (error) {
      if (this.#sought === sought) this.refusal = readRefusal(error);
    } finally {
      if (this.#sought === sought) this.#sought = undefined;
    }
  }
}

define("slip-task", SlipTask);
