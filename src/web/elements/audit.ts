/**
 * `slip-audit`: who changed what, or was refused it, newest first, in pages: of one app, or of all. Tells
 * `slip-open-task {taskId}`, `slip-open-app {appId}`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, call, readRefusal } from "../api/client.ts";
import type { AuditEntry, AuditPage } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { isTurn } from "../state/task-summary.ts";
import { Again } from "../ui/again.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatTime } from "../ui/format/format.ts";
import { icon } from "../ui/icons.ts";
import { renderLink } from "../ui/link.ts";
import { pageTurnStyles, renderPageTurns } from "../ui/page-turns.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";
import { wayTo } from "./apps/ways.ts";

/** Entries on a page. */
const PAGE = 50;

export class SlipAudit extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    turned: { state: true },
    list: { state: true },
    refusal: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    pageTurnStyles,
    css`
      :host,
      ul {
        display: grid;
        gap: 12px;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 14px;
        align-items: center;
      }
    `,
  ];

  /** Id of the app; empty for all. */
  declare app: string;
  /** `before` of each page that was turned to, the one that is shown last. */
  declare turned: readonly number[];
  declare list: AuditPage | undefined;
  declare refusal: ApiError | undefined;
  readonly #again = new Again(() => this.#read());

  constructor() {
    super();
    this.app = "";
    this.turned = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    tasksOf(this.api).onEvent((event) => void (isTurn(event) && this.#again.ask()), this.connected);
    this.connected.addEventListener("abort", () => this.#again.stop(), { once: true });
    this.#again.ask();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    // What it is about from the beginning is read when it is connected.
    if (changed.get("app") === undefined) return;
    this.turned = [];
    void this.#read();
  }

  protected override render() {
    const { words, list, refusal, turned } = this;
    const next = list?.next;
    return html`<h1 tabindex="-1">${words.app.titles.audit}</h1>
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#read())}
      ${
        list === undefined
          ? html`<p class="muted">${refusal === undefined ? words.common.loading : ""}</p>`
          : list.entries.length === 0
            ? html`<p class="muted">${words.audit.empty}</p>`
            : html`<ul>${list.entries.map((entry) => this.#renderEntry(entry))}</ul>`
      }
      ${renderPageTurns(words, turned.length, {
        back: () => this.#turn(turned.slice(0, -1)),
        on: next === undefined ? undefined : () => this.#turn([...turned, next]),
      })}`;
  }

  #renderEntry({ at, actor, method, appId, appName, taskId, refused }: AuditEntry): TemplateResult {
    const { words } = this;
    const names: Readonly<Record<AuditEntry["method"], string>> = {
      ...words.task.kinds,
      ...words.task.commands,
      ...words.audit.methods,
      setUpgradePolicies: words.upgrades.bySelf,
    };
    return html`<li class="card">
      <strong>${names[method]}</strong>
      ${appId ? this.#renderApp(appId, appName ?? appId) : nothing}
      <span class="muted"><bdi>${words.task.by(actor)}</bdi> · ${formatTime(at)}</span>
      ${refused === undefined ? nothing : html`<span class="badge bad">${icon("ban")} ${words.audit.refused} <code>${refused}</code></span>`}
      ${
        taskId === undefined
          ? nothing
          : renderLink({ screen: "activity", task: taskId }, words.actions.showTask, () =>
              this.tell("slip-open-task", { taskId }),
            )
      }
    </li>`;
  }

  #renderApp(appId: string, name: string): TemplateResult {
    const way = wayTo(this, appId);
    return html`<a class="link" href=${way.href} @click=${way.open}><bdi>${name}</bdi></a>`;
  }

  /** Another page is read from its top. */
  async #turn(turned: readonly number[]): Promise<void> {
    this.turned = turned;
    await this.#read();
    const heading = this.renderRoot.querySelector("h1");
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  }

  async #read(): Promise<void> {
    const { turned, app } = this;
    try {
      const query = { app: app || undefined, limit: PAGE, before: turned.at(-1) };
      const list = await call<AuditPage>(this.api, "/audit", { query, signal: this.connected });
      // Another page was turned to meanwhile.
      if (turned !== this.turned) return;
      this.list = list;
      this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }
}

define("slip-audit", SlipAudit);
