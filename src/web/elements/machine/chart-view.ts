/** A machine's drawing that is zoomed and moved, by keys, wheel and pointer. */
import { html, nothing } from "lit";
import { define, SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import type { Chart } from "./chart.ts";
import { chartStyles } from "./chart-styles.ts";
import { drawChart } from "./draw-chart.ts";
import type { WayMarks } from "./follow-way.ts";

/** Parts of full size; a drawing wider than its place begins no smaller than it can be read. */
const SMALLEST = 0.1;
const READABLE = 0.9;
const LARGEST = 2.5;
const ZOOM = 1.25;
/** px a pointer moves before it moves the drawing. */
const STILL = 4;
/** Shows the whole width. */
const FIT = 0;
/** What a key makes of the scale; on most keyboards "=" is the "+" that is not shifted. */
const KEYS: Readonly<Record<string, number>> = { "+": ZOOM, "=": ZOOM, "-": 1 / ZOOM, "0": FIT };

class SlipChart extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    chart: { attribute: false },
    marks: { attribute: false },
    looked: { attribute: false },
    look: { attribute: false },
    label: { type: String },
    scale: { state: true },
  };
  static override styles = [...SlipElement.styles, chartStyles];

  declare chart: Chart | undefined;
  declare marks: WayMarks | undefined;
  /** The state that is looked at instead of the present one. */
  declare looked: string | undefined;
  /** Told which state was pressed. */
  declare look: ((path: string) => void) | undefined;
  /** What a screen reader says of the picture. */
  declare label: string;
  /** Part of full size; `FIT` shows the whole width; undefined as well, where it can be read then. */
  declare scale: number | undefined;
  #centered: string | null | undefined = null;
  #held: { readonly x: number; readonly y: number } | undefined;

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
    const { scale, chart } = this;
    if (scale) return scale;
    const room = this.clientWidth - 2;
    return Math.min(1, Math.max(scale === FIT ? SMALLEST : READABLE, room / (chart?.width ?? room)));
  }

  protected override render() {
    const { chart, marks, looked } = this;
    const { machine: words } = this.words;
    if (chart === undefined || marks === undefined) return nothing;
    const scale = this.#scale;
    return html`<div class="sheet" tabindex="0" role="region" aria-label=${words.drawing} aria-keyshortcuts="+ - 0"
        @keydown=${this.#onKey} @wheel=${this.#onWheel} @pointerdown=${this.#grab} @pointermove=${this.#drag}
        @pointerup=${this.#release} @pointercancel=${this.#release} @click=${this.#press}>
        <svg role="img" aria-label=${this.label} width=${chart.width * scale} height=${chart.height * scale}
          viewBox="0 0 ${chart.width} ${chart.height}">${drawChart(chart, marks, looked, this.words)}</svg>
      </div>
      <div class="zoom">
        <button type="button" class="quiet" aria-label=${words.smaller} title=${words.smaller}
          @click=${() => this.#zoom(scale / ZOOM)}>${icon("zoom-out")}</button>
        <button type="button" class="quiet" @click=${() => this.#zoom(FIT)}>${words.fit}</button>
        <button type="button" class="quiet" aria-label=${words.larger} title=${words.larger}
          @click=${() => this.#zoom(scale * ZOOM)}>${icon("zoom-in")}</button>
      </div>`;
  }

  /** Keeps the present state in sight, unless a person looks elsewhere meanwhile. */
  protected override updated(): void {
    const present = this.marks?.present;
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

  #zoom(scale: number): void {
    const before = this.#scale;
    this.scale = scale === FIT ? FIT : Math.min(LARGEST, Math.max(SMALLEST, scale));
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
    const factor = KEYS[event.key];
    if (factor === undefined) return;
    event.preventDefault();
    this.#zoom(this.#scale * factor);
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
  }

  #drag(event: PointerEvent): void {
    const sheet = this.#sheet;
    if (this.#held === undefined || sheet === null) return;
    const [x, y] = [this.#held.x - event.clientX, this.#held.y - event.clientY];
    // A hand that presses a state is never quite still; a pointer that was captured presses none any more.
    if (!sheet.hasPointerCapture(event.pointerId) && Math.hypot(x, y) < STILL) return;
    sheet.setPointerCapture(event.pointerId);
    sheet.classList.add("held");
    sheet.scrollBy(x, y);
    this.#held = { x: event.clientX, y: event.clientY };
  }

  #press({ target }: Event): void {
    const pressed = target instanceof Element ? target.closest<SVGElement>("[data-state]") : null;
    const path = pressed?.dataset["state"];
    if (path !== undefined) this.look?.(path);
  }

  #release(): void {
    this.#held = undefined;
    this.#sheet?.classList.remove("held");
  }
}

define("slip-chart", SlipChart);
