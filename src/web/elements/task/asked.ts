/**
 * `slip-asked`: what one task asks a person, why, and what can be decided. Inputs it begins to ask for while somebody looks at
 * it come as their dialog by themselves, once, and not where that would take the keyboard from somebody.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import type { Task } from "../../api/types.ts";
import { tasksOf } from "../../state/task-store.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { formatTime } from "../../ui/format/format.ts";
import { icon } from "../../ui/icons.ts";
import { isKeyboardTaken } from "../../ui/keyboard.ts";
import { lookOf } from "../../ui/task-look.ts";
import "../decisions.ts";
import type { SlipDecisions } from "../decisions.ts";

/** Label of where a script failed, which tells its author something and the owner nothing. */
const STACK = "stack";

class SlipAsked extends SlipElement {
  static override properties = { ...SlipElement.properties, task: { attribute: false }, isRoot: { attribute: false } };
  static override styles = [
    ...SlipElement.styles,
    css`
      section {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 10px;
        padding: var(--gap);
        border: 1px solid var(--ask-line);
        border-radius: var(--radius);
        background: var(--ask-soft);
      }
      section > svg {
        color: var(--ask);
      }
      .body {
        display: grid;
        gap: 10px;
        min-width: 0;
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 2px 14px;
      }
      dd,
      pre {
        min-width: 0;
        margin: 0;
        font-family: var(--mono);
        font-size: 0.875em;
        white-space: pre-wrap;
      }
    `,
  ];

  declare task: Task | undefined;
  /** Whether it is the whole task: what ends it stands in the head of that. */
  declare isRoot: boolean;

  protected override updated(): void {
    if (this.task === undefined || !tasksOf(this.api).takeAsked(this.task) || isKeyboardTaken()) return;
    void this.renderRoot.querySelector<SlipDecisions>("slip-decisions")?.answer();
  }

  protected override render() {
    const { task, words, isRoot } = this;
    if (task === undefined) return nothing;
    const { failure, checkpoints, title, waitingFor } = task;
    const detail = waitingFor?.kind === "person" ? waitingFor.detail : undefined;
    const at =
      detail !== undefined && "checkpoint" in detail
        ? checkpoints.find(({ id }) => id === detail.checkpoint)
        : undefined;
    const request = detail !== undefined && "request" in detail ? detail.request : undefined;
    const warning = detail !== undefined && "warning" in detail ? detail.warning : undefined;
    return html`<section aria-labelledby="what where">
      ${icon(lookOf(task, words).icon)}
      <div class="body">
        <div>
          <h3 id="what">${failure?.message ?? lookOf(task, words).word}</h3>
          <p id="where">${at === undefined ? title : words.task.atCheckpoint(title, at.message)}</p>
        </div>
        ${
          waitingFor === undefined
            ? nothing
            : html`<p class="muted">${icon("clock")} ${words.task.since(formatTime(waitingFor.since))}${waitingFor.deadline === undefined ? nothing : html` · ${words.task.until(formatTime(waitingFor.deadline))}`}</p>`
        }
        ${warning === undefined ? nothing : html`<p>${warning}</p>`}
        ${request === undefined ? nothing : html`<p>${words.task.mayHaveArrived(request.method, request.url, formatTime(request.at))}</p>`}
        ${failure === undefined ? nothing : this.#renderFailure(failure)}
        <slip-decisions
          .api=${this.api}
          .task=${task}
          .only=${isRoot ? (["input", "retry", "skip", "rollback"] as const) : undefined}
        ></slip-decisions>
      </div>
    </section>`;
  }

  #renderFailure({ code, context, cause }: NonNullable<Task["failure"]>): TemplateResult {
    const stack = context.find(({ label }) => label === STACK)?.value;
    const told = context.filter(({ label }) => label !== STACK);
    return html`${
      told.length === 0
        ? nothing
        : html`<dl>
            ${told.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}
          </dl>`
    }
      <details class="muted">
        <summary>${this.words.appPage.audiences.author}</summary>
        <p><code>${code}</code>${cause === undefined ? nothing : html` · ${cause.message}`}</p>
        ${stack === undefined ? nothing : html`<pre>${stack}</pre>`}
      </details>`;
  }
}

define("slip-asked", SlipAsked);
