/** A task as the run of its machine, or a recording opened from a file: what `slip-machine` loads when it is first shown. */
import { html, nothing, type PropertyValues } from "lit";
import { ApiError, readRefusal } from "../../api/client.ts";
import { tasksOf } from "../../state/task-store.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import { refusalStyles, renderRefusal } from "../../ui/refusal.ts";
import { type Charts, readCharts } from "./charts.ts";
import "./chart-view.ts";
import { type Chart, nameState } from "./chart.ts";
import { followWay } from "./follow-way.ts";
import { renderList, renderSlider, tellEntries } from "./history.ts";
import { machineStyles } from "./machine-styles.ts";
import { describeState } from "./next.ts";
import { RECORDING_LIMITS, type Recording, type RecordingFault, readRecording } from "./read-recording.ts";
import { readTrace, type TaskWay } from "./read-trace.ts";

class SlipMachineView extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    task: { type: String },
    charts: { state: true },
    way: { state: true },
    recording: { state: true },
    at: { state: true },
    looked: { state: true },
    fault: { state: true },
    isOver: { state: true },
  };
  static override styles = [...SlipElement.styles, refusalStyles, machineStyles];

  /** Id of the task that is followed; empty for recordings alone. */
  declare task: string;
  /** Whether it comes into the window once it shows something. */
  reveal = false;
  /** Undefined until the engine has said what its machines are. */
  declare charts: Charts | undefined;
  declare way: TaskWay | undefined;
  declare recording: Recording | undefined;
  /** Number of the entry that is looked at, from 0; null follows the newest. */
  declare at: number | null;
  /** The state that is looked at instead of the present one. */
  declare looked: string | undefined;
  declare fault: ApiError | (RecordingFault & { readonly name: string }) | undefined;
  declare isOver: boolean;
  /** Ends the following of a task, when another one is shown. */
  #following: AbortController | undefined;
  #isReading = false;
  /** Something happened while the trace was read. */
  #isStale = false;

  constructor() {
    super();
    this.task = "";
    this.at = null;
    this.isOver = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("task") || changed.has("api")) {
      this.way = undefined;
      this.recording = undefined;
      this.fault = undefined;
      this.#follow();
    }
    if (changed.has("task") || changed.has("api") || changed.has("recording")) {
      this.at = null;
      this.looked = undefined;
    }
  }

  protected override updated(): void {
    const stage = this.renderRoot.querySelector(".stage");
    if (!this.reveal || stage === null) return;
    this.reveal = false;
    // The drawing has its size when the next picture is due.
    requestAnimationFrame(() => stage.scrollIntoView({ block: "nearest" }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#following?.abort();
  }

  /** Reads the trace now, whenever something happens to the task, and when the stream was away meanwhile. */
  #follow(): void {
    this.#following?.abort();
    if (this.task === "") return;
    const following = new AbortController();
    this.#following = following;
    this.#isReading = false;
    const store = tasksOf(this.api);
    let { connection } = store;
    store.onEvent(({ task }) => {
      if (task.id === this.task) void this.#read(following.signal);
    }, following.signal);
    store.subscribe(() => {
      if (store.connection === connection) return;
      connection = store.connection;
      if (connection === "live") void this.#read(following.signal);
    }, following.signal);
    void this.#read(following.signal);
  }

  async #read(signal: AbortSignal): Promise<void> {
    this.#isStale = this.#isReading;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      do {
        this.#isStale = false;
        this.charts = await readCharts(this.api, signal);
        this.way = await readTrace(this.api, this.task, this.way?.entries ?? [], signal);
        this.fault = undefined;
      } while (this.#isStale);
    } catch (error) {
      if (signal.aborted) return;
      this.fault = readRefusal(error);
    } finally {
      if (!signal.aborted) this.#isReading = false;
    }
  }

  async #open(file: File | null | undefined): Promise<void> {
    if (file === null || file === undefined) return;
    try {
      this.charts = await readCharts(this.api, this.connected);
      const read = await readFile(file, this.charts);
      // What was shown before is not what was asked for.
      [this.recording, this.fault] = "fault" in read ? [undefined, { ...read, name: file.name }] : [read, undefined];
    } catch (error) {
      this.fault = readRefusal(error);
    }
  }

  /** Looks at a state; at the present one again, where it is looked at already. */
  readonly #lookAt = (path: string): void => {
    this.looked = path === "" || path === this.looked ? undefined : path;
  };

  protected override render() {
    return html`<div class=${this.isOver ? "over" : ""} @dragover=${this.#dragOver} @dragleave=${this.#dragOut} @drop=${this.#drop}>
      ${this.#renderHead()}${this.#renderFault()}${this.#renderWay()}
    </div>`;
  }

  #renderHead() {
    const { machine: words } = this.words;
    const { recording } = this;
    const shown = recording ?? this.way;
    return html`<div class="head">
      <span>${shown === undefined ? nothing : html`<code>${words.named(shown.machine, shown.version)}</code>`}
        ${recording === undefined ? nothing : html`<span class="badge">${icon("file")}${words.recorded(recording.name)}</span>`}</span>
      <span>${
        recording === undefined || this.task === ""
          ? nothing
          : html`<button type="button" class="quiet" @click=${this.#closeRecording}>${words.backToTask}</button>`
      }
        <label class="button">${icon("folder")}${words.open}<input class="only-heard" type="file" accept=".jsonl,.json" @change=${this.#choose} /></label></span>
    </div>`;
  }

  #renderFault() {
    const { fault, words } = this;
    if (fault === undefined) return nothing;
    if (fault instanceof ApiError) {
      return renderRefusal(fault, words, () => {
        this.fault = undefined;
        this.#follow();
      });
    }
    return html`<p class="fault" role="alert">${icon("triangle-alert")} ${fault.name}: ${words.machine.faults[fault.fault](fault.line ?? 0)}</p>`;
  }

  #renderWay() {
    const { recording, words } = this;
    const shown = recording ?? this.way;
    if (shown === undefined)
      return this.task === "" || this.fault !== undefined ? nothing : html`<p>${words.common.loading}</p>`;
    const chart = this.charts?.get(shown.machine);
    if (chart === undefined) return html`<p class="fault">${words.machine.unknownMachine(shown.machine)}</p>`;
    const index = Math.min(this.at ?? shown.entries.length, shown.entries.length - 1);
    const marks = followWay(chart, shown.entries, index, recording === undefined ? this.way?.active : undefined);
    const told = tellEntries(chart, shown.entries);
    const look = (to: number | null) => {
      this.at = to;
    };
    const label = words.machine.picture(shown.machine, marks.present === null ? "" : nameState(marks.present));
    const { looked } = this;
    return html`${
      shown.version === undefined || shown.version === chart.version
        ? nothing
        : html`<p>${icon("triangle-alert")} ${words.machine.otherVersion(shown.version, chart.version)}</p>`
    }<div class="body">
        <div class="stage">
          <slip-chart .chart=${chart} .marks=${marks} .looked=${looked} .look=${this.#lookAt} .label=${label}></slip-chart>
          ${renderSlider(told, index, this.at === null, words, look)}
        </div>
        <aside aria-label=${words.machine.state}>
          ${this.#renderStates(chart)}
          ${describeState(chart, shown.machine, looked ?? marks.present, looked === undefined ? marks.since : undefined, words)}
        </aside>
      </div>
      <details><summary>${words.machine.whole(told.length)}</summary>${renderList(told, index, words, look)}</details>`;
  }

  /** The states by name, for who presses none in the drawing. */
  #renderStates({ states }: Chart) {
    const { looked, words } = this;
    return html`<select aria-label=${words.machine.state} .value=${looked ?? ""}
      @change=${({ target }: Event) => target instanceof HTMLSelectElement && this.#lookAt(target.value)}>
      <option value="">${words.machine.present}</option>
      ${states.map(({ path, kind }) =>
        kind === "history" ? nothing : html`<option value=${path}>${nameState(path)}</option>`,
      )}
    </select>`;
  }

  #closeRecording(): void {
    this.recording = undefined;
    this.fault = undefined;
  }

  #choose({ currentTarget }: Event): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    void this.#open(currentTarget.files?.item(0));
    // The same file may be chosen again, after it was mended.
    currentTarget.value = "";
  }

  #dragOver(event: DragEvent): void {
    if (event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    this.isOver = true;
  }

  #dragOut(): void {
    this.isOver = false;
  }

  #drop(event: DragEvent): void {
    event.preventDefault();
    this.isOver = false;
    void this.#open(event.dataTransfer?.files.item(0));
  }
}

async function readFile(file: File, charts: Charts): Promise<Recording | RecordingFault> {
  if (file.size > RECORDING_LIMITS.bytes) return { fault: "tooLarge" };
  try {
    return readRecording(file.name, await file.text(), charts);
  } catch (error) {
    // A folder that was dropped, or a file that went meanwhile.
    if (error instanceof DOMException) return { fault: "unreadable" };
    throw error;
  }
}

define("slip-machine-view", SlipMachineView);
