/** The head of an app's page: its name, how it stands, and the ways to its dialogs. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../ui/icons.ts";
import { isWebAddress } from "../../ui/web-address.ts";
import { describeStanding, listMarks } from "../apps/describe-app.ts";
import { renderLastKnown } from "../apps/last-known.ts";
import { renderLifecycles } from "../apps/lifecycles.ts";
import { renderMark } from "../apps/render-marks.ts";
import { wayTo } from "../apps/ways.ts";
import type { PageParts } from "./page-parts.ts";

/** As the page shows of a name, which may be as long as it likes. */
const SHOWN_NAME = 200;

/** The name, the standing, the versions and the description. */
export function renderHead(parts: PageParts): TemplateResult {
  const { app, words, element } = parts;
  const name = app.name.slice(0, SHOWN_NAME);
  return html`<header>
      <slip-app-icon .api=${element.api} .app=${app.appId} .name=${name}></slip-app-icon>
      <div class="title">
        <h1><bdi>${name}</bdi></h1>
        <p class="marks">
          ${[describeStanding(words, app), ...listMarks(words, app)].map(renderMark)} ${renderVersions(parts)}
        </p>
      </div>
      <div class="ways">${renderWays(parts)}</div>
    </header>
    ${renderLastKnown(words, app.lastKnown)}
    ${app.installed === undefined ? html`<p class="muted">${words.appPage.neverAnswered}</p>` : nothing}
    ${app.description === undefined ? nothing : html`<p class="text"><bdi>${app.description}</bdi></p>`}`;
}

function renderVersions({ app, words }: PageParts): TemplateResult {
  const { installed, scriptVersion } = app;
  return html`${installed ? html`<span class="muted"><bdi>${words.appPage.version(installed.version)}</bdi></span>` : nothing}
  ${scriptVersion === undefined ? nothing : html`<span class="muted"><bdi>${words.appPage.scriptVersion(scriptVersion)}</bdi></span>`}`;
}

function renderWays({ app, words, element, presses }: PageParts): TemplateResult {
  const { appId, installed, usable } = app;
  const install = wayTo(element, appId, "install");
  const custom = wayTo(element, appId, "custom");
  const options = wayTo(element, appId, "options");
  const { upgradeAvailable = false, baseUrl = "" } = installed ?? {};
  return html`${
    installed === null && usable
      ? html`<a class="button primary" href=${install.href} @click=${install.open}>${icon("download")} ${words.apps.install}</a>
          <a class="button" href=${custom.href} @click=${custom.open}>${words.appPage.custom}</a>`
      : nothing
  }
  ${
    isWebAddress(baseUrl)
      ? html`<a class=${upgradeAvailable ? "button" : "button primary"} href=${baseUrl} target="_blank"
          rel="noopener noreferrer">${icon("external-link")} ${words.apps.open}</a>`
      : nothing
  }
  ${
    installed && usable
      ? html`<a class="button" href=${options.href} @click=${options.open}>${icon("settings-2")} ${words.appPage.options}</a>`
      : nothing
  }
  ${renderLifecycles({ app, words, element, presses })}`;
}
