/** The start, stop, restart, rollback and uninstall of an app as buttons, as far as the engine offers them, and what is in their way. */
import { html, nothing, type TemplateResult } from "lit";
import { pathOf } from "../../api/client.ts";
import type { App } from "../../api/types.ts";
import type { SlipElement } from "../../ui/element.ts";
import { type IconName, icon } from "../../ui/icons.ts";
import { renderTaskWay } from "../../ui/refusal.ts";
import type { Words } from "../../ui/words.ts";
import type { Presses } from "../actions/presses.ts";
import { wayTo } from "./ways.ts";

type Entry = NonNullable<App["installed"]>["lifecycles"][number];

const PICTURES: Readonly<Record<Entry["lifecycle"], IconName>> = {
  start: "play",
  stop: "square",
  restart: "refresh-cw",
  rollback: "undo-2",
  uninstall: "trash-2",
};

interface Lifecycles {
  readonly app: Pick<App, "appId" | "name" | "installed">;
  readonly words: Words;
  readonly presses: Presses;
  /** Tells `slip-open-app {appId, dialog}` of a rollback or uninstall, and `slip-open-task {taskId}`. */
  readonly element: SlipElement;
}

/** Renders what is offered; a rollback and an uninstall open their dialogs. */
export function renderLifecycles({ app, words, presses, element }: Lifecycles): TemplateResult {
  const { appId, installed } = app;
  const offered = installed?.lifecycles ?? [];
  const { reason, taskId } = offered.find((entry) => entry.reason !== undefined) ?? {};
  const why = `why-${appId}`;
  const renderEntry = ({ lifecycle, state }: Entry) => {
    const title = words.apps.lifecycles[lifecycle];
    const label = `${title}: ${app.name}`;
    const content = html`${icon(PICTURES[lifecycle])} ${title}`;
    if ((lifecycle === "rollback" || lifecycle === "uninstall") && state === "enabled") {
      const way = wayTo(element, appId, lifecycle);
      return html`<a class="button" href=${way.href} aria-label=${label} @click=${way.open}>${content}</a>`;
    }
    const press = () => presses.press({ api: element.api, path: pathOf("apps", appId, lifecycle) });
    return html`<button type="button" ?disabled=${state === "disabled" || presses.isPressing} aria-label=${label}
      aria-describedby=${reason === undefined ? nothing : why} @click=${press}>${content}</button>`;
  };
  return html`${offered.map(renderEntry)}
  ${
    reason === undefined
      ? nothing
      : html`<p class="muted why" id=${why}>${icon("lock")} <bdi>${reason}</bdi></p> ${renderTaskWay(words, taskId, element)}`
  }`;
}
