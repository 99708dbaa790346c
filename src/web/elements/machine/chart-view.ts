/** A machine's drawing that is zoomed and moved, by keys, wheel and pointer. */
import { html, nothing } from "lit";
import { define, SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import type { Chart } from "./chart.ts";
import { chartStyles } from "./chart-styles.ts";
import { drawChart } from "./draw-chart.ts";
import type { WayMarks } from "./follow-way.ts";

/** Parts of full size; a drawing wider than its place begins no smaller than it can be read. */
const SMALLEST = 0.3;
const READABLE = 0.75;
const LARGEST = 2.5;
const ZOOM = 1.25;

class SlipChart extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    chart: { attribute: false },
    marks: { attribute: false },
    label: { type: String },
    scale: { state: true },
  };
  static override styles = [...SlipElement.styles, chartStyles];

  declare chart: Chart | undefined;
  declare marks: WayMarks;
  /** What a screen reader says of the picture. */
  declare label: string;
  /** Part of full size; undefined until it is known how wide the place is, or where the whole width is shown. */
  declare scale: number | undefined;
  #centered: string | null = null;
  #held: { readonly x: number; readonly y: number } | undefined;

  constructor() {
    super();
    this.marks = { present: null, orders: new Map(), lines: new Set() };
    this.label = "";
    this.scale = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const width = new ResizeObserver(() => this.requestUpdate());
    width.observe(this);
    this.connected.addEventListener("abort", () => width.disconnect(), { once: true });
  }

  get #sheet(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(".sheet");
  }

  get #scale(): number {
    const room = this.clientWidth - 2;
    return this.scale ?? Math.min(1, Math.max(READABLE, room / (this.chart?.width ?? room)));
  }

  protected override render() {
    const { chart, marks } = this;
    const { machine: words } = this.words;
    if (chart === undefined) return nothing;
    const scale = this.#scale;
    return html`<div class="sheet" tabindex="0" role="region" aria-label=${words.drawing} aria-keyshortcuts="+ - 0"
        @keydown=${this.#onKey} @wheel=${this.#onWheel} @pointerdown=${this.#grab} @pointermove=${this.#drag}
        @pointerup=${this.#release} @pointercancel=${this.#release}>
        <svg role="img" aria-label=${this.label} width=${chart.width * scale} height=${chart.height * scale}
          viewBox="0 0 ${chart.width} ${chart.height}">${drawChart(chart, marks, words.now)}</svg>
      </div>
      <div class="zoom">
        <button type="button" class="quiet" aria-label=${words.smaller} title=${words.smaller}
          @click=${() => this.#zoom(scale / ZOOM)}>${icon("zoom-out")}</button>
        <button type="button" class="quiet" @click=${() => this.#zoom(undefined)}>${words.fit}</button>
        <button type="button" class="quiet" aria-label=${words.larger} title=${words.larger}
          @click=${() => this.#zoom(scale * ZOOM)}>${icon("zoom-in")}</button>
      </div>`;
  }

  /** Keeps the present state in sight, unless a person looks elsewhere meanwhile. */
  protected override updated(): void {
    const { present } = this.marks;
    const sheet = this.#sheet;
    const box = this.chart?.states.find(({ path }) => path === present)?.box;
    if (present === this.#centered || sheet === null || box === undefined) return;
    this.#centered = present;
    const [x, y, width, height] = box.map((px) => px * this.#scale);
    sheet.scrollTo({
      left: (x ?? 0) + (width ?? 0) / 2 - sheet.clientWidth / 2,
      top: (y ?? 0) + (height ?? 0) / 2 - sheet.clientHeight / 2,
    });
  }

  #zoom(scale: number | undefined): void {
    const before = this.#scale;
    this.scale = scale === undefined ? undefined : Math.min(LARGEST, Math.max(SMALLEST, scale));
    const sheet = this.#sheet;
    if (sheet === null) return;
    // What is in the middle stays there.
    const [x, y] = [sheet.scrollLeft + sheet.clientWidth / 2, sheet.scrollTop + sheet.clientHeight / 2];
    void this.updateComplete.then(() => {
      const grown = this.#scale / before;
      sheet.scrollTo({ left: x * grown - sheet.clientWidth / 2, top: y * grown - sheet.clientHeight / 2 });
    });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const scale = { "+": this.#scale * ZOOM, "-": this.#scale / ZOOM, "0": undefined };
    if (!(event.key in scale)) return;
    event.preventDefault();
    this.#zoom(scale[event.key as keyof typeof scale]);
  }

  #onWheel(event: WheelEvent): void {
    // A pinch on a touchpad comes as a wheel with Control.
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.#zoom(this.#scale * (event.deltaY < 0 ? ZOOM : 1 / ZOOM));
  }

  #grab(event: PointerEvent): void {
    // A finger scrolls by itself.
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    this.#held = { x: event.clientX, y: event.clientY };
    this.#sheet?.setPointerCapture(event.pointerId);
    this.#sheet?.classList.add("held");
  }

  #drag(event: PointerEvent): void {
    if (this.#held === undefined) return;
    this.#sheet?.scrollBy(this.#held.x - event.clientX, this.#held.y - event.clientY);
    this.#held = { x: event.clientX, y: event.clientY };
  }

  #release(): void {
    this.#held = undefined;
    this.#sheet?.classList.remove("held");
  }
}

define("slip-chart", SlipChart);
