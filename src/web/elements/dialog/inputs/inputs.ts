/**
 * What a hook asks a person for, as a modal: questions and sign-ins of one task in AWAITING_INPUT. Connecting it opens it; it
 * closes by itself once nothing is asked any more. Tells `slip-answered {taskId}` and `slip-closed`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, call, pathOf, readRefusal, tellNow, whenSessionEnds } from "../../../api/client.ts";
import type { Json, Problem, Task } from "../../../api/types.ts";
import { type Command, decide } from "../../../state/decide.ts";
import { tasksOf } from "../../../state/task-store.ts";
import { Again } from "../../../ui/again.ts";
import { define, SlipElement } from "../../../ui/element.ts";
import { icon } from "../../../ui/icons.ts";
import "../dialog-frame.ts";
import "../questions/questions.ts";
import "./pin.ts";
import type { SlipDialog } from "../dialog-frame.ts";
import { pressOnEnter } from "../press-on-enter.ts";
import { problemStyles, renderProblems, renderRefused } from "../problems.ts";
import { type Answers, setAnswer, toRequestAnswers } from "../questions/answers.ts";
import type { SlipQuestions } from "../questions/questions.ts";
import { type Asked, listUnanswered, placeInputProblems, readAsked } from "./asked.ts";
import { tellDeadline } from "./deadline.ts";

/** Ms between two looks at the clock, for what is left of the time. */
const CLOCK_MS = 1_000;

/** What was typed into dialogs that were closed, by their task; gone once it is taken, and with the session. */
const kept = new Map<string, Answers>();
whenSessionEnds(() => kept.clear());

export class SlipInputs extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    task: { type: String },
    found: { state: true },
    refusal: { state: true },
    answers: { state: true },
    problems: { state: true },
    isSending: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    ...problemStyles,
    css`
      .body {
        display: grid;
        gap: 22px;
      }
      .line {
        display: flex;
        gap: 8px;
      }
    `,
  ];

  /** Id of the task that asks: the hook's own. */
  declare task: string;
  declare found: Task | undefined;
  declare refusal: ApiError | undefined;
  declare answers: Answers;
  declare problems: ReadonlyMap<string, readonly Problem[]>;
  /** An answer is on its way: another press is none. */
  declare isSending: boolean;
  readonly #again = new Again(() => this.#look());
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.task = "";
    this.found = undefined;
    this.refusal = undefined;
    this.answers = {};
    this.problems = new Map();
    this.isSending = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#again.ask();
    const store = tasksOf(this.api);
    store.onEvent(({ task }) => void (task.id === this.task && this.#again.ask()), this.connected);
    // Told whenever the stream opens: nobody knows what happened before.
    store.onHint(({ type }) => void (type === "hints.lost" && this.#again.ask()), this.connected);
    this.#clock = setInterval(() => this.requestUpdate(), CLOCK_MS);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (!changed.has("task")) return;
    this.found = undefined;
    this.refusal = undefined;
    this.answers = kept.get(this.api + this.task) ?? {};
    this.problems = new Map();
    this.#again.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#again.stop();
    clearInterval(this.#clock);
  }

  protected override render() {
    const { words, found, refusal } = this;
    const asked = readAsked(found);
    return html`<slip-dialog heading=${found?.title ?? words.common.loading} @keydown=${pressOnEnter}>
      <div class="body" @slip-answer=${this.#takeAnswer}>
        ${asked === null ? nothing : this.#renderAsked(asked)}
        ${renderProblems(words, refusal?.details?.problems?.filter(({ path }) => path[0] !== "inputs") ?? [])}
        ${renderRefused(words, refusal, () => this.#lookAgain())}
      </div>
      ${asked === null ? nothing : this.#renderButtons(asked)}
    </slip-dialog>`;
  }

  #renderAsked({ questions, signIns, deadline }: Asked): TemplateResult {
    const step = { title: "", rail: false, sections: [{ title: "", questions }] };
    const now = tellNow();
    return html`${
      deadline === undefined
        ? nothing
        : html`<p class="muted line">${icon("clock")} ${tellDeadline(this.words, deadline, now)}</p>`
    }
    ${signIns.map((signIn) => html`<slip-pin .signIn=${signIn} .now=${now}></slip-pin>`)}
    ${
      questions.length === 0
        ? nothing
        : html`<slip-questions .step=${step} .answers=${this.answers} .problems=${this.problems}></slip-questions>`
    }`;
  }

  #renderButtons({ questions, signIns }: Asked): TemplateResult {
    const { inputs } = this.words;
    const commands = this.found?.commands ?? [];
    const isFailed = signIns.some(({ authorization }) => authorization?.status === "failed");
    return html`${
      commands.includes("skip")
        ? html`<button slot="buttons" type="button" aria-disabled=${this.isSending} @click=${() => this.#send("skip")}>
          ${icon("skip-forward")} ${inputs.skip}
        </button>`
        : nothing
    }
    ${
      isFailed && commands.includes("retry")
        ? html`<button slot="buttons" type="button" aria-disabled=${this.isSending} @click=${() => this.#send("retry")}>
          ${icon("refresh-cw")} ${inputs.newCode}
        </button>`
        : nothing
    }
    ${
      questions.length === 0
        ? nothing
        : html`<button slot="buttons" type="button" class="primary" aria-disabled=${this.isSending} @click=${() => this.#give(questions)}>
          ${inputs.send}
        </button>`
    }`;
  }

  /** Everything asked is given at once: what is not mentioned takes its default. */
  async #give(questions: Asked["questions"]): Promise<void> {
    if (this.isSending) return;
    const isGiven = await this.#send("input", toRequestAnswers(questions, this.answers));
    const sent = questions.map(({ key }) => key);
    this.problems = isGiven
      ? listUnanswered(sent, readAsked(this.found))
      : placeInputProblems(this.refusal?.details?.problems ?? []);
    await this.updateComplete;
    this.renderRoot.querySelector<SlipQuestions>("slip-questions")?.focusRefused();
  }

  async #send(command: Command, values?: Answers): Promise<boolean> {
    const { found } = this;
    if (found === undefined || this.isSending) return false;
    this.isSending = true;
    try {
      this.#take(await decide(this.api, found, command, values));
      this.refusal = undefined;
      return true;
    } catch (error) {
      this.refusal = readRefusal(error);
      // Somebody else was quicker: what is asked now takes the place of what was.
      if (this.refusal?.code === "TASK_DECISION_STALE") this.#again.ask();
      return false;
    } finally {
      this.isSending = false;
    }
  }

  #lookAgain(): Promise<void> {
    this.refusal = undefined;
    return this.#look();
  }

  async #look(): Promise<void> {
    const { task: id } = this;
    try {
      const task = await call<Task>(this.api, pathOf("tasks", id), { signal: this.connected });
      if (id !== this.task) return;
      this.#take(task);
      // What the engine refused stays in sight until something else is sent.
      if (this.refusal?.status === 0) this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error) ?? this.refusal;
    }
  }

  /** The task as it stands; one that asks no more has nothing to show. */
  #take(task: Task): void {
    this.found = task;
    if (readAsked(task) !== null) return;
    kept.delete(this.api + task.id);
    this.tell("slip-answered", { taskId: task.id });
    this.renderRoot.querySelector<SlipDialog>("slip-dialog")?.close();
  }

  #takeAnswer({ detail }: CustomEvent<{ key: string; value: Json | undefined }>): void {
    this.answers = setAnswer(this.answers, detail.key, detail.value);
    kept.set(this.api + this.task, this.answers);
    const { [detail.key]: _, ...problems } = Object.fromEntries(this.problems);
    this.problems = new Map(Object.entries(problems));
  }
}

define("slip-inputs", SlipInputs);
