/** The upgrade that is offered: where it leads, what runs, and what is new. */
import { html, nothing, type TemplateResult } from "lit";
import type { AppDetail, Form } from "../../api/types.ts";
import { icon } from "../../ui/icons.ts";
import type { Words } from "../../ui/words.ts";
import { wayTo } from "../apps/ways.ts";
import type { PageParts } from "./page-parts.ts";
import { renderProblem } from "./page-problems.ts";

type News = AppDetail["changelog"][number];

/** The card of it; nothing where no upgrade is offered. `form` is that of the upgrade, once it was read. */
export function renderNews(
  { app: { appId, installed, changelog }, words, element }: PageParts,
  form: Form | undefined,
): TemplateResult | typeof nothing {
  if (!installed?.upgradeAvailable) return nothing;
  const { upgrade, problems = [] } = form ?? {};
  const way = wayTo(element, appId, "upgrade");
  return html`<section class="card" aria-labelledby="news">
    <h2 id="news">${words.appPage.news}</h2>
    ${
      upgrade === undefined
        ? nothing
        : html`<p><bdi>${words.appPage.move(upgrade.from, upgrade.to)}</bdi></p>
            ${
              upgrade.hooks.length === 0
                ? nothing
                : html`<p class="small">${words.dialog.change.hooks}</p>
                    <ul class="plain">
                      ${upgrade.hooks.map(({ title }) => html`<li>${icon("list-checks")} <bdi>${title}</bdi></li>`)}
                    </ul>`
            }`
    }
    ${problems.length === 0 ? nothing : html`<ul class="rows">${problems.map((problem) => renderProblem(words, problem))}</ul>`}
    ${changelog.map((news, index) => renderVersion(words, news, index === 0))}
    <p><a class="button primary" href=${way.href} @click=${way.open}>${icon("circle-arrow-up")} ${words.appPage.upgrade}</a></p>
  </section>`;
}

function renderVersion(words: Words, { version, scriptVersion, notes }: News, isOpen: boolean): TemplateResult {
  const title = [
    ...(version === undefined ? [] : [words.appPage.version(version)]),
    ...(scriptVersion === undefined ? [] : [words.appPage.scriptVersion(scriptVersion)]),
  ].join(", ");
  if (notes === undefined) return html`<p class="muted">${words.appPage.noNotes(title)}</p>`;
  return html`<details ?open=${isOpen}>
    <summary><bdi>${title}</bdi></summary>
    <p class="text"><bdi>${notes}</bdi></p>
  </details>`;
}
