/** `slip-way`: the way of a task as a line of steps with the time each took, and how far it is. */
import { css, html, nothing } from "lit";
import type { Task } from "../../api/types.ts";
import { asksPerson, isFinished, summarize } from "../../state/task-summary.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { formatDuration } from "../../ui/format/format.ts";
import { type IconName, icon } from "../../ui/icons.ts";

type Step = Task["steps"][number];

const ICONS: Readonly<Record<Step["state"], IconName>> = {
  pending: "circle",
  active: "loader-circle",
  done: "circle-check",
  stopped: "circle-x",
};

class SlipWay extends SlipElement {
  static override properties = { ...SlipElement.properties, task: { attribute: false } };
  static override styles = [
    ...SlipElement.styles,
    css`
      progress {
        display: block;
        width: 100%;
        height: 8px;
        margin-bottom: 12px;
        accent-color: var(--action);
      }
      progress.asks {
        accent-color: var(--ask);
      }
      ol {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(84px, 1fr));
        gap: 10px;
      }
      li {
        display: grid;
        justify-items: center;
        align-content: start;
        gap: 2px;
        font-size: 0.875em;
        text-align: center;
        color: var(--muted);
      }
      .done svg {
        color: var(--good);
      }
      .active {
        color: var(--text);
        font-weight: 600;
      }
      .active svg {
        color: var(--action);
      }
      .asks svg {
        color: var(--ask);
      }
      .stopped svg {
        color: var(--bad);
      }
    `,
  ];

  declare task: Task | undefined;

  protected override render() {
    const { task, words } = this;
    if (task === undefined) return nothing;
    const asks = summarize(task).asking.length > 0;
    return html`${
      isFinished(task)
        ? nothing
        : html`<progress class=${asks ? "asks" : ""} max="100" .value=${task.progress} aria-label=${words.task.progressOf(task.title)}></progress>`
    }
      ${task.steps.length === 0 ? nothing : html`<ol aria-label=${words.task.way}>${task.steps.map((step) => this.#renderStep(step, asks || asksPerson(task)))}</ol>`}`;
  }

  #renderStep({ title, state, began, ended }: Step, asks: boolean) {
    const { words } = this;
    const isAsking = asks && state === "active";
    const took =
      began === undefined || ended === undefined ? "" : formatDuration(Date.parse(ended) - Date.parse(began));
    return html`<li class="${state} ${isAsking ? "asks" : ""}" aria-current=${state === "active" ? "step" : nothing}>
      ${icon(isAsking ? "circle-alert" : ICONS[state])}
      <span>${title}<span class="only-heard">: ${words.task.stepStates[state]}</span></span>
      <span class="muted">${took}</span>
    </li>`;
  }
}

define("slip-way", SlipWay);
