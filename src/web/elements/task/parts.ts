/** `slip-parts`: the hooks and links of a task in their order, each with its checkpoints. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Task } from "../../api/types.ts";
import { asksPerson } from "../../state/task-summary.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { formatDuration } from "../../ui/format/format.ts";
import { type IconName, icon } from "../../ui/icons.ts";
import { lookOf } from "../../ui/task-look.ts";
import "../decisions.ts";

type Checkpoint = Task["checkpoints"][number];

const ICONS: Readonly<Record<Checkpoint["state"], IconName>> = {
  REGISTERED: "circle",
  COMPLETED: "check",
  SKIPPED: "skip-forward",
  FAILED: "circle-alert",
};

class SlipParts extends SlipElement {
  static override properties = { ...SlipElement.properties, task: { attribute: false } };
  static override styles = [
    ...SlipElement.styles,
    css`
      :host,
      .parts,
      .card,
      .points {
        display: grid;
        gap: 10px;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 14px;
        justify-content: space-between;
        align-items: start;
      }
      .points {
        gap: 4px;
      }
      .points li {
        display: flex;
        gap: 8px;
        color: var(--muted);
      }
      .points .COMPLETED svg {
        color: var(--good);
      }
      .points .FAILED {
        color: var(--ask);
      }
      .nested {
        padding-inline-start: 14px;
        border-inline-start: 2px solid var(--line);
      }
    `,
  ];

  declare task: Task | undefined;

  protected override render() {
    const { task, words } = this;
    if (task === undefined) return nothing;
    const isEmpty = task.children.length === 0 && task.checkpoints.length === 0;
    const took = Date.parse(task.updated) - Date.parse(task.created);
    return html`${this.#renderCheckpoints(task)}
      ${isEmpty ? html`<p class="muted">${task.state === "COMPLETED" ? words.task.doneIn(formatDuration(took)) : words.task.noParts}</p>` : this.#renderChildren(task)}`;
  }

  #renderChildren(task: Task): TemplateResult | typeof nothing {
    if (task.children.length === 0) return nothing;
    return html`<ul class="parts">
      ${task.children.map(
        (child, at) => html`<li>
          ${child.group !== undefined && child.group !== task.children[at - 1]?.group ? html`<h3>${child.group}</h3>` : nothing}
          ${this.#renderPart(child)}
        </li>`,
      )}
    </ul>`;
  }

  #renderPart(part: Task): TemplateResult {
    const { words } = this;
    const { icon: picture, tone, word } = lookOf(part, words);
    return html`<div class="card">
      <div class="head">
        <div>
          <strong>${part.title}</strong>
          <div class="muted">${words.task.kinds[part.kind]}</div>
        </div>
        <span class="badge ${tone}">${icon(picture)} ${word}</span>
      </div>
      ${part.failure === undefined || asksPerson(part) ? nothing : html`<p>${part.failure.message}</p>`}
      ${this.#renderCheckpoints(part)}
      ${part.remarks.map(({ text }) => html`<p class="muted">${text}</p>`)}
      ${part.children.length === 0 ? nothing : html`<div class="nested">${this.#renderChildren(part)}</div>`}
    </div>`;
  }

  #renderCheckpoints({ checkpoints }: Task): TemplateResult | typeof nothing {
    const { words } = this;
    if (checkpoints.length === 0) return nothing;
    return html`<ul class="points">
      ${checkpoints.map(
        ({ message, state, failure }) => html`<li class=${state}>
          ${icon(ICONS[state])}
          <span
            >${message}<span class="only-heard">: ${words.task.checkpointStates[state]}</span>${
              failure === undefined ? nothing : html`<br />${failure.message}`
            }</span
          >
        </li>`,
      )}
    </ul>`;
  }
}

define("slip-parts", SlipParts);
