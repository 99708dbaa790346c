/** A hook's lines, the newest at the end: what `slip-log` loads when it is first shown. */
import { css, html, nothing, type PropertyValues } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type ApiError, readRefusal } from "../../api/client.ts";
import { copyText } from "../../ui/copy-text.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { showLine } from "../../ui/format/show-unseen.ts";
import { icon } from "../../ui/icons.ts";
import { refusalStyles, renderRefusal } from "../../ui/refusal.ts";
import { say } from "../../ui/say.ts";
import { type KnownLines, readLog, readNewer, readOlder, writeLog } from "./read-lines.ts";

/** Ms between two looks at a log that grows: a line is no change of its task, which would tell of it. */
const LOOK_EVERY_MS = 1000;
const NONE: KnownLines = { lines: [], hasOlder: false };

class SlipLogView extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    task: { type: String },
    live: { type: Boolean },
    known: { state: true },
    refusal: { state: true },
    copied: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        margin-block-end: 8px;
      }
      .head span {
        flex: 1 1 auto;
      }
      .lines {
        max-height: min(60vh, 560px);
        overflow: auto;
        padding: 8px 0;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        font-family: var(--mono);
        font-size: 0.85em;
      }
      li {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 12px;
        padding: 1px 12px;
        content-visibility: auto;
        contain-intrinsic-size: auto 1.5em;
        white-space: pre-wrap;
      }
      time {
        color: var(--muted);
      }
      .lines > button {
        margin: 0 8px 8px;
      }
    `,
  ];

  declare task: string;
  declare live: boolean;
  /** Undefined until the first page is there. */
  declare known: KnownLines | undefined;
  declare refusal: ApiError | undefined;
  declare copied: boolean | undefined;
  #reading: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasAtEnd = true;

  constructor() {
    super();
    this.task = "";
    this.live = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("task") || changed.has("api")) {
      this.known = undefined;
      this.#wasAtEnd = true;
    }
    // What was written last comes after the task has ended, so that its end asks once more.
    if (changed.has("task") || changed.has("api") || changed.has("live")) this.#look();
    const lines = this.renderRoot.querySelector(".lines");
    if (lines !== null) this.#wasAtEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 24;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const lines = this.renderRoot.querySelector(".lines");
    if (changed.has("known") && lines !== null && this.#wasAtEnd) lines.scrollTop = lines.scrollHeight;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", () => this.#look(), { signal: this.connected });
    if (this.hasUpdated) this.#look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading?.abort();
    clearTimeout(this.#timer);
  }

  #look(): void {
    this.#reading?.abort();
    clearTimeout(this.#timer);
    this.#reading = new AbortController();
    void this.#readOn(this.#reading.signal);
  }

  async #readOn(signal: AbortSignal): Promise<void> {
    if (this.task === "" || document.hidden) return;
    await this.#read(() => readNewer(this.known ?? NONE, readLog(this.api, this.task, signal)), signal);
    if (this.live && !signal.aborted) this.#timer = setTimeout(() => void this.#readOn(signal), LOOK_EVERY_MS);
  }

  async #read(read: () => Promise<KnownLines>, signal: AbortSignal): Promise<void> {
    try {
      const known = await read();
      if (signal.aborted) return;
      if (known !== this.known) this.known = known;
      this.refusal = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.refusal = readRefusal(error);
    }
  }

  /** Shows older lines above; what was looked at stays where it is. */
  async #readOlder(): Promise<void> {
    const { known } = this;
    const lines = this.renderRoot.querySelector(".lines");
    if (known === undefined || lines === null) return;
    // What comes below meanwhile would count as older: the look is taken up again afterwards.
    this.#reading?.abort();
    clearTimeout(this.#timer);
    const reading = new AbortController();
    this.#reading = reading;
    const below = lines.scrollHeight - lines.scrollTop;
    await this.#read(() => readOlder(known, readLog(this.api, this.task, reading.signal)), reading.signal);
    await this.updateComplete;
    lines.scrollTop = lines.scrollHeight - below;
    if (!reading.signal.aborted) this.#look();
  }

  protected override render() {
    const { known, refusal, words } = this;
    const lines = known?.lines ?? [];
    return html`${refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#look())}
      ${known === undefined && refusal === undefined ? html`<p class="muted">${words.common.loading}</p>` : nothing}
      ${known !== undefined && lines.length === 0 ? html`<p class="muted">${words.log.none}</p>` : nothing}
      ${lines.length === 0 ? nothing : this.#renderLines(lines, known?.hasOlder === true)}`;
  }

  #renderLines(lines: KnownLines["lines"], hasOlder: boolean) {
    const { log: words } = this.words;
    return html`<div class="head"><span class="muted">${words.lines(lines.length)}</span>
        <span>${this.#tellCopied()}</span>
        <button type="button" @click=${this.#copy}>${icon("copy")}${this.words.questions.copy}</button>
        <button type="button" @click=${() => this.#download()}>${icon("download")}${words.download}</button>
      </div>
      <div class="lines" tabindex="0" role="region" aria-label=${words.title}>
        ${hasOlder ? html`<button type="button" @click=${() => this.#readOlder()}>${words.older}</button>` : nothing}
        <ol>${repeat(
          lines,
          ({ number }) => number,
          ({ at, line }) =>
            html`<li><time datetime=${at}>${this.words.machine.time(at)}</time><span>${showLine(line)}</span></li>`,
        )}</ol>
      </div>`;
  }

  #tellCopied(): string {
    const { questions } = this.words;
    return this.copied === undefined ? "" : this.copied ? questions.copied : questions.notCopied;
  }

  async #copy({ currentTarget }: Event): Promise<void> {
    if (!(currentTarget instanceof HTMLElement)) return;
    this.copied = await copyText(writeLog(this.known?.lines ?? []), currentTarget);
    say(this.#tellCopied());
  }

  #download(): void {
    const address = URL.createObjectURL(new Blob([writeLog(this.known?.lines ?? [])], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: `${this.task}.log` });
    link.click();
    // The browser has taken it up by the next task.
    setTimeout(() => URL.revokeObjectURL(address));
  }
}

define("slip-log-view", SlipLogView);
