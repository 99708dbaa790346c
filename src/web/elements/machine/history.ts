/** A machine's history as people walk through it: a slider with its entry in words, and the whole way as a list. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";
import { type Chart, nameState } from "./chart.ts";
import { explainStates } from "./find-way.ts";
import type { WayEntry } from "./follow-way.ts";
import { listTaken } from "./routes.ts";

/** An entry with what is said of it. */
interface Told {
  readonly entry: WayEntry;
  /** The machine's own words for what happened; empty where it has none. */
  readonly text: string;
}

/** Tells each entry by the transition it took. */
export function tellEntries(chart: Chart, entries: readonly WayEntry[]): readonly Told[] {
  let at: string | null = null;
  return entries.map((entry) => {
    const hops = explainStates(chart, at, entry.cause, entry.states ?? []);
    const stayed = at === null ? undefined : listTaken(chart, at, entry.cause)[0];
    const text = (hops[0]?.transition ?? (entry.states?.length === 0 ? stayed : undefined))?.text ?? "";
    at = entry.states?.at(-1) ?? at;
    return { entry, text };
  });
}

/** The states an entry led through, or that it led through none. */
function nameStates({ states, reason }: WayEntry, words: Words): string {
  if (reason !== undefined) return words.machine.notTaken(reason);
  if (states === undefined) return words.machine.unknownStates;
  return states.length === 0 ? words.machine.stayed : states.map(nameState).join(" › ");
}

/** One entry as a sentence: its number, time, cause and states. */
export function nameEntry({ entry, text }: Told, index: number, count: number, words: Words): string {
  const { at, cause } = entry;
  const time = at === undefined ? "" : `, ${words.machine.time(at)}`;
  const event = text === "" ? cause : `${text} (${cause})`;
  return `${words.machine.step(index + 1, count)}${time}: ${event}. ${nameStates(entry, words)}`;
}

/** The slider over the entries, and the one that is looked at. */
export function renderSlider(
  told: readonly Told[],
  index: number,
  isFollowing: boolean,
  words: Words,
  look: (index: number | null) => void,
): TemplateResult | typeof nothing {
  const count = told.length;
  const shown = told[index];
  if (shown === undefined) return nothing;
  const button = (name: "chevron-left" | "chevron-right", label: string, to: number) =>
    html`<button type="button" aria-label=${label} title=${label} ?disabled=${to < 0 || to >= count}
      @click=${() => look(to)}>${icon(name)}</button>`;
  return html`<div class="slider">
      ${button("chevron-left", words.machine.earlier, index - 1)}
      <input type="range" min="0" max=${count - 1} .value=${String(index)} aria-label=${words.machine.moment}
        aria-valuetext=${nameEntry(shown, index, count, words)}
        @input=${({ currentTarget }: Event) => look(readNumber(currentTarget))} />
      ${button("chevron-right", words.machine.later, index + 1)}
      <button type="button" aria-pressed=${isFollowing ? "true" : "false"} @click=${() => look(null)}>${words.machine.newest}</button>
    </div>
    <p class="entry">${nameEntry(shown, index, count, words)}</p>`;
}

function readNumber(target: EventTarget | null): number {
  return target instanceof HTMLInputElement ? target.valueAsNumber : 0;
}

/** The way as a list, for those who do not see the drawing. */
export function renderList(
  told: readonly Told[],
  index: number,
  words: Words,
  look: (index: number) => void,
): TemplateResult {
  return html`<ol class="way">
    ${told.map(
      ({ entry, text }, each) => html`<li aria-current=${each === index ? "step" : nothing}>
        <button type="button" class="quiet" @click=${() => look(each)}>
          <span class="muted">${entry.at === undefined ? each + 1 : words.machine.time(entry.at)}</span>
          <span>${text === "" ? nothing : html`${text} `}<code>${entry.cause}</code></span>
          <span>${nameStates(entry, words)}</span>
        </button>
      </li>`,
    )}
  </ol>`;
}
