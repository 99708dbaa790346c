/** The present state in the machine's own words, and what can happen next. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";
import { type Chart, type ChartTransition, isOfPerson, nameCause, nameState } from "./chart.ts";
import { listAround, listExits, listLandings } from "./routes.ts";

/** Says where the machine is, since when, and where it may go from there. */
export function describePresent(
  chart: Chart,
  present: string | null,
  since: string | undefined,
  words: Words,
): TemplateResult {
  if (present === null) return html`<p class="muted">${words.machine.notBegun}</p>`;
  const states = listAround(present).flatMap((path) => chart.states.filter((state) => state.path === path));
  const exits = listExits(chart, present);
  const leading = exits.filter(({ to }) => to !== null);
  const staying = exits.filter(({ to }) => to === null);
  return html`<p class="subject">${icon("circle")} ${nameState(present)}</p>
    <p>${states[0]?.text}</p>
    ${since === undefined ? nothing : html`<p class="muted">${words.machine.since(since)}</p>`}
    ${states.slice(1).map(({ path, text }) => html`<p class="muted">${words.machine.within(nameState(path), text)}</p>`)}
    <p class="subject">${words.machine.next}</p>
    ${leading.length === 0 ? html`<p class="muted">${words.machine.atEnd}</p>` : listTransitions(chart, leading, words)}
    ${
      staying.length === 0
        ? nothing
        : html`<details><summary>${words.machine.stays(staying.length)}</summary>${listTransitions(chart, staying, words)}</details>`
    }`;
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
