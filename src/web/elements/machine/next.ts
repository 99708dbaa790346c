/** A state in the machine's own words, and what can happen next in it. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";
import { type Chart, type ChartTransition, isOfPerson, nameCause, nameState } from "./chart.ts";
import { listAround, listExits, listLandings } from "./routes.ts";

/** Says what the state is that a machine of that name is or may be in, since when, and where it may go from there. */
export function describeState(
  chart: Chart,
  machine: string,
  path: string | null,
  since: string | undefined,
  words: Words,
): TemplateResult {
  if (path === null) return html`<p class="muted">${words.machine.notBegun}</p>`;
  const states = listAround(path).flatMap((each) => chart.states.filter((state) => state.path === each));
  const exits = listExits(chart, path);
  const leading = exits.filter(({ to }) => to !== null);
  const staying = exits.filter(({ from, to }) => from !== "" && to === null);
  // What the whole machine takes in any of its states.
  const everywhere = exits.filter(({ from, to }) => from === "" && to === null);
  return html`<p class="subject">${icon("circle")} ${nameState(path)}</p>
    <p>${states[0]?.text}</p>
    ${since === undefined ? nothing : html`<p class="muted">${words.machine.since(since)}</p>`}
    ${states.slice(1).map((state) => html`<p class="muted">${words.machine.within(nameState(state.path), state.text)}</p>`)}
    <p class="subject">${words.machine.next}</p>
    ${leading.length === 0 ? html`<p class="muted">${words.machine.atEnd}</p>` : listTransitions(chart, leading, words)}
    ${renderStaying(chart, staying, words.machine.stays(staying.length), words)}
    ${renderStaying(chart, everywhere, words.machine.within(machine, words.machine.stays(everywhere.length)), words)}`;
}

function renderStaying(
  chart: Chart,
  staying: readonly ChartTransition[],
  summary: string,
  words: Words,
): TemplateResult | typeof nothing {
  if (staying.length === 0) return nothing;
  return html`<details><summary>${summary}</summary>${listTransitions(chart, staying, words)}</details>`;
}

function listTransitions(chart: Chart, transitions: readonly ChartTransition[], words: Words): TemplateResult {
  return html`<ul class="exits">
    ${transitions.map((each) => {
      const [landing, ...others] = listLandings(chart, each);
      const aim = landing === undefined || others.length > 0 ? each.to : landing;
      return html`<li>
        ${aim === null ? nothing : html`<b>${nameState(aim)}</b>: `}${each.text}
        ${isOfPerson(each) ? html`<span class="badge">${icon("user")}${words.machine.byPerson}</span>` : nothing}
        <code>${nameCause(each)}</code>
      </li>`;
    })}
  </ul>`;
}
