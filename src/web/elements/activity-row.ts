/**
 * `slip-activity-row`: one task of the list: what it is, how it stands, and what can be decided about it. Tells
 * `slip-open-task {taskId}` in a page that is not ours.
 */
import { css, html, nothing } from "lit";
import { tellNow } from "../api/client.ts";
import type { Task } from "../api/types.ts";
import { summarize } from "../state/task-summary.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatDuration, formatMoment, formatPercent } from "../ui/format/format.ts";
import { icon } from "../ui/icons.ts";
import { renderLink } from "../ui/link.ts";
import "./app-icon.ts";
import "./decisions.ts";
import { lookOfTree } from "./task/tree-look.ts";

class SlipActivityRow extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    task: { attribute: false },
    isSelected: { type: Boolean, attribute: "selected" },
  };
  static override styles = [
    ...SlipElement.styles,
    css`
      article {
        display: grid;
        grid-template-columns: 40px 1fr;
        gap: 12px;
        padding: 12px 14px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
      }
      article,
      slip-decisions {
        position: relative;
      }
      .link::after {
        position: absolute;
        inset: 0;
        content: "";
      }
      article.asks {
        border-color: var(--ask-line);
        background: var(--ask-soft);
      }
      article.selected {
        border-color: var(--action);
        box-shadow: inset 0 0 0 1px var(--action);
      }
      article > svg {
        margin: 10px;
      }
      .tone,
      .decisions {
        display: flex;
        gap: 8px;
      }
      .tone {
        color: var(--muted);
      }
      .decisions {
        flex-wrap: wrap;
      }
      .good {
        color: var(--good);
      }
      .ask {
        color: var(--ask);
      }
      .bad {
        color: var(--bad);
      }
      .work {
        color: var(--action);
      }
      .body {
        display: grid;
        gap: 6px;
        min-width: 0;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 2px 12px;
        justify-content: space-between;
        align-items: baseline;
      }
      .link {
        min-height: 0;
        padding: 0;
        border: 0;
        background: none;
        color: var(--text);
        font-weight: 600;
        text-decoration: none;
        text-align: start;
      }
      .link:hover {
        text-decoration: underline;
      }
      progress {
        width: 100%;
        height: 6px;
        accent-color: var(--action);
      }
    `,
  ];

  /** The root task. */
  declare task: Task | undefined;
  /** Whether it is the one shown beside the list. */
  declare isSelected: boolean;

  constructor() {
    super();
    this.isSelected = false;
  }

  protected override render() {
    const { task, words } = this;
    if (task === undefined) return nothing;
    const { group, asking } = summarize(task);
    const [first] = asking;
    const { icon: picture, tone, word } = lookOfTree(task, words);
    return html`<article aria-label=${task.title} class="${group} ${this.isSelected ? "selected" : ""}">
      ${task.appId === "" ? icon("layout-grid") : html`<slip-app-icon .api=${this.api} .app=${task.appId} .name=${task.appName ?? ""}></slip-app-icon>`}
      <div class="body">
        <div class="head">
          ${renderLink({ screen: "activity", task: task.id }, task.title, () => this.tell("slip-open-task", { taskId: task.id }))}
          <span class="small muted">${task.kind === "hook" ? html`<bdi>${task.appName ?? task.appId}</bdi> · ` : nothing}${group === "runs" ? formatPercent(task.progress) : formatMoment(first?.waitingFor?.since ?? task.updated, tellNow())}</span>
        </div>
        <p class="tone ${tone}">${icon(picture)} <span>${this.#renderLine(task, word)}</span></p>
        ${
          group === "runs"
            ? html`<progress max="100" .value=${task.progress} aria-label=${words.task.progressOf(task.title)}></progress>`
            : nothing
        }
        ${group === "asks" && first !== undefined ? this.#renderDecisions(task, first) : nothing}
        ${group === "runs" ? html`<slip-decisions .api=${this.api} .task=${task}></slip-decisions>` : nothing}
      </div>
    </article>`;
  }

  /** What ends the whole of a task is offered beside what is asked within it. */
  #renderDecisions(root: Task, asking: Task) {
    return html`<div class="decisions">
      <slip-decisions
        .api=${this.api}
        .task=${asking}
        .only=${asking.id === root.id ? undefined : (["input", "retry", "skip", "rollback", "dismiss"] as const)}
      ></slip-decisions>
      ${
        asking.id === root.id
          ? nothing
          : html`<slip-decisions .api=${this.api} .task=${root} .only=${["cancel", "dismiss"] as const}></slip-decisions>`
      }
    </div>`;
  }

  #renderLine(task: Task, word: string): string {
    const { words } = this;
    const { group, asking, working } = summarize(task);
    const [first] = asking;
    if (group === "finished") {
      const took = formatDuration(Date.parse(task.updated) - Date.parse(task.created));
      const line = task.state === "COMPLETED" ? words.task.doneIn(took) : word;
      return asking.length === 0 ? line : `${line} · ${words.task.leftOver(asking.length)}`;
    }
    if (group === "asks" && first !== undefined) {
      const what = first.failure?.message ?? word;
      return first.id === task.id ? what : `${what}: ${first.title}`;
    }
    const doing = working.map((at) => at.doing ?? at.title).filter((text) => text !== task.title);
    return doing.length === 0 ? (task.doing ?? word) : doing.join(" · ");
  }
}

define("slip-activity-row", SlipActivityRow);
