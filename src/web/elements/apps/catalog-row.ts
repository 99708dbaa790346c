/** An app as the catalog shows it: a card with its name, how it stands, and the ways on. */
import { html, nothing, type TemplateResult } from "lit";
import type { App } from "../../api/types.ts";
import type { SlipElement } from "../../ui/element.ts";
import { icon } from "../../ui/icons.ts";
import { isWebAddress } from "../../ui/web-address.ts";
import type { Words } from "../../ui/words.ts";
import type { Presses } from "../actions/presses.ts";
import { describeStanding, listMarks } from "./describe-app.ts";
import { renderLifecycles } from "./lifecycles.ts";
import { renderMark } from "./render-marks.ts";

/** As the catalog shows of a text, which may be as long as it likes. */
const SHOWN = { name: 200, description: 400 };

export interface RowOptions {
  readonly app: App;
  readonly api: string;
  readonly words: Words;
  readonly element: SlipElement;
  readonly presses: Presses;
  /** A link to the app's page, or to a dialog on it. */
  readonly link: (dialog?: "install") => { readonly href: string; readonly open: (event: MouseEvent) => void };
}

/** The card of an app. */
export function renderRow({ app, api, words, element, presses, link }: RowOptions): TemplateResult {
  const { appId, installed, description = "" } = app;
  const name = app.name.slice(0, SHOWN.name);
  const page = link();
  const install = link("install");
  return html`<li class="card app">
    <div class="head">
      <slip-app-icon .api=${api} .app=${appId} .name=${name}></slip-app-icon>
      <div>
        <h2><a href=${page.href} @click=${page.open}><bdi>${name}</bdi></a></h2>
        ${
          description === ""
            ? html`<p class="muted about"><bdi>${appId}</bdi></p>`
            : html`<p class="muted about"><bdi>${description.slice(0, SHOWN.description)}</bdi></p>`
        }
      </div>
    </div>
    <div class="foot">
      <div class="marks">${[describeStanding(words, app), ...listMarks(words, app)].map(renderMark)}</div>
      <div class="ways">
        ${
          installed === null && app.usable
            ? html`<a class="button" href=${install.href} aria-label=${words.apps.installNamed(name)} @click=${install.open}
                >${icon("download")} ${words.apps.install}</a>`
            : nothing
        }
        ${
          installed != null && isWebAddress(installed.baseUrl)
            ? html`<a class="button" href=${installed.baseUrl} target="_blank" rel="noopener noreferrer"
                aria-label=${words.apps.openNamed(name)}>${icon("external-link")} ${words.apps.open}</a>`
            : nothing
        }
        ${
          installed
            ? html`<details name="more">
                <summary class="button" title=${words.apps.more(name)}>${icon("menu")}</summary>
                <div class="ways">${renderLifecycles({ app, words, element, presses })}</div>
              </details>`
            : nothing
        }
      </div>
    </div>
  </li>`;
}
