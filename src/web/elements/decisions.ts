/**
 * `slip-decisions`: what a task takes from a person now, as buttons. Tells `slip-answer-task {taskId}` before it opens the
 * questions itself, `slip-decided {taskId, command}`, and `slip-started {taskId, task}` of a rollback.
 */
import { css, html, nothing, type PropertyValues } from "lit";
import { readRefusal } from "../api/client.ts";
import type { Task } from "../api/types.ts";
import { type Command, decide } from "../state/decide.ts";
import { refusalsOf } from "../state/refusals.ts";
import { tasksOf } from "../state/task-store.ts";
import { define, SlipElement } from "../ui/element.ts";
import { type IconName, icon } from "../ui/icons.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";

const ICONS: Readonly<Record<Command, IconName>> = {
  input: "pencil",
  retry: "refresh-cw",
  skip: "skip-forward",
  rollback: "undo-2",
  cancel: "ban",
  dismiss: "archive",
};
/** What ends a task, or takes the app back, is asked once more. */
const ENDINGS: ReadonlySet<Command> = new Set(["cancel", "rollback"]);

export class SlipDecisions extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    task: { attribute: false },
    only: { attribute: false },
    busy: { state: true },
    asked: { state: true },
    isAnswering: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      :host,
      .buttons {
        display: grid;
        gap: 10px;
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        align-items: center;
      }
    `,
  ];

  /** The task the decisions are about. */
  declare task: Task | undefined;
  /** The commands that are offered of those the task takes; all by default. */
  declare only: readonly Command[] | undefined;
  declare busy: Command | undefined;
  /** The ending that is asked about once more. */
  declare asked: Command | undefined;
  declare isAnswering: boolean;

  constructor() {
    super();
    this.isAnswering = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    refusalsOf(this.api).subscribe(() => this.requestUpdate(), this.connected);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const before: Task | undefined = changed.get("task");
    if (before === undefined || before.id === this.task?.id) return;
    this.asked = undefined;
    this.isAnswering = false;
  }

  protected override render() {
    const { task, words, only, asked } = this;
    const refusal = task && refusalsOf(this.api).get(task.id);
    const commands = task?.commands.filter((command) => only === undefined || only.includes(command)) ?? [];
    if (task === undefined || (commands.length === 0 && refusal === undefined)) return nothing;
    return html`${asked === undefined || !commands.includes(asked) ? this.#renderButtons(commands) : this.#renderQuestion(asked)}
      ${refusal === undefined ? nothing : renderRefusal(refusal, words)}
      ${this.isAnswering ? html`<slip-inputs .api=${this.api} .task=${task.id} @slip-closed=${this.#endAnswer}></slip-inputs>` : nothing}`;
  }

  #renderButtons(commands: readonly Command[]) {
    const { words, busy, task } = this;
    return html`<div class="buttons">
      ${commands.map(
        (command, at) => html`<button
          type="button"
          id=${command}
          class=${at === 0 && !ENDINGS.has(command) ? "primary" : ""}
          aria-label=${`${words.task.commands[command]}: ${task?.title ?? ""}`}
          aria-disabled=${busy === undefined ? "false" : "true"}
          @click=${() => this.#press(command)}
        >
          ${icon(ICONS[command])} ${words.task.commands[command]}
        </button>`,
      )}
    </div>`;
  }

  #renderQuestion(asked: Command) {
    const { words } = this;
    const question = asked === "rollback" ? words.task.reallyRollBack : words.task.reallyCancel;
    return html`<div class="buttons" role="group" aria-label=${question}>
      <span>${question}</span>
      <button type="button" class="primary" @click=${() => this.#send(asked)}>${words.task.commands[asked]}</button>
      <button type="button" @click=${() => this.#ask(undefined)}>${words.task.keep}</button>
    </div>`;
  }

  #press(command: Command): void {
    if (this.busy !== undefined) return;
    if (command === "input") void this.answer();
    else if (ENDINGS.has(command)) void this.#ask(command);
    else void this.#send(command);
  }

  async #ask(command: Command | undefined): Promise<void> {
    const before = this.asked;
    this.asked = command;
    await this.updateComplete;
    // An Enter that is held, or pressed twice, ends nothing.
    this.renderRoot.querySelector<HTMLElement>(command === undefined ? `#${before}` : "button:not(.primary)")?.focus();
  }

  /** Opens the dialog of what is asked, unless the page around shows it. */
  async answer(): Promise<void> {
    if (this.task === undefined || !this.tell("slip-answer-task", { taskId: this.task.id })) return;
    await import("./dialog/inputs/inputs.ts");
    this.isAnswering = true;
  }

  #endAnswer(): void {
    this.isAnswering = false;
  }

  async #send(command: Command): Promise<void> {
    const { task } = this;
    if (task === undefined) return;
    this.busy = command;
    if (this.asked !== undefined) void this.#ask(undefined);
    const refusals = refusalsOf(this.api);
    refusals.set(task.id, undefined);
    try {
      const answer = await decide(this.api, task, command);
      this.tell("slip-decided", { taskId: task.id, command });
      if (command === "rollback") this.tell("slip-started", { taskId: answer.id, task: answer });
    } catch (error) {
      const refusal = readRefusal(error);
      refusals.set(task.id, refusal);
      // Somebody else was quicker: what is asked now is read, in case the stream is late.
      if (refusal?.code === "TASK_DECISION_STALE")
        await tasksOf(this.api)
          .read(task.id)
          .catch(() => undefined);
    } finally {
      this.busy = undefined;
    }
  }
}

define("slip-decisions", SlipDecisions);
