/** The Pairings panel, where only a connection that was lost is made again, and the rows of apps to install for a link. */
import { html, nothing, type TemplateResult } from "lit";
import type { AppDetail } from "../../api/types.ts";
import { icon } from "../../ui/icons.ts";
import { toPress } from "../actions/presses.ts";
import { renderMark } from "../apps/render-marks.ts";
import { wayTo } from "../apps/ways.ts";
import { renderBounded } from "./bounded-list.ts";
import type { PageParts } from "./page-parts.ts";
import { describeLink, sortPairings } from "./pairing-rows.ts";

type Suggestion = AppDetail["suggestions"][number];

/** The panel; nothing for an app without pairings. */
export function renderPairings(parts: PageParts, shown: number, more: () => void): TemplateResult | typeof nothing {
  const { app, words, element, presses } = parts;
  if (app.pairings.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="pairings">
    <h2 id="pairings">${words.appPage.pairings}</h2>
    ${renderBounded(words, {
      rows: sortPairings(app.pairings),
      shown,
      more,
      render: ({ hookId, target, title, runsOnAppId, status, connectAgain }) => {
        const way = wayTo(element, target.appId);
        return html`<li>
          <slip-app-icon .api=${element.api} .app=${target.appId} .name=${target.name}></slip-app-icon>
          <div>
            <p><a href=${way.href} @click=${way.open}><bdi>${target.name}</bdi></a></p>
            <p class="muted small"><bdi>${title}</bdi></p>
            ${runsOnAppId === app.appId ? nothing : html`<p class="muted small">${words.appPage.offeredBy(target.name)}</p>`}
          </div>
          ${renderMark(describeLink(words, status))}
          ${
            connectAgain === undefined
              ? nothing
              : html`<button type="button" ?disabled=${presses.isPressing} aria-label=${`${words.drift.connect}: ${title}`}
                  @click=${() => presses.press(toPress(element.api, runsOnAppId, { hookId }, {}))}>
                  ${icon("link")} ${words.drift.connect}
                </button>`
          }
        </li>`;
      },
    })}
  </section>`;
}

/** A row for each app that would have to be installed for a link of this one; its button opens that app's page. */
export function renderSuggestions(parts: PageParts, shown: number, more: () => void): TemplateResult | typeof nothing {
  const { app, words } = parts;
  if (app.suggestions.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="suggestions">
    <h2 id="suggestions">${words.appPage.suggestions}</h2>
    ${renderBounded(words, { rows: app.suggestions, shown, more, render: (row) => renderSuggestion(parts, row) })}
  </section>`;
}

function renderSuggestion(
  { app, words, element }: PageParts,
  { hookId, target, installable }: Suggestion,
): TemplateResult {
  const way = wayTo(element, target.appId);
  const title = app.pairings.find((row) => row.hookId === hookId && row.runsOnAppId === app.appId)?.title ?? "";
  return html`<li>
    <slip-app-icon .api=${element.api} .app=${target.appId} .name=${target.name}></slip-app-icon>
    <div>
      <p><bdi>${target.name}</bdi></p>
      <p class="muted small"><bdi>${title}</bdi></p>
      ${installable ? nothing : html`<p class="muted small why">${icon("lock")} ${words.apps.marks.unusable}</p>`}
    </div>
    ${
      installable
        ? html`<a class="button" href=${way.href} aria-label=${words.apps.installNamed(target.name)} @click=${way.open}>
            ${icon("download")} ${words.apps.install}
          </a>`
        : nothing
    }
  </li>`;
}
