/** The screens of the page: what each is loaded from, and the element it is. */
import { html, nothing, type TemplateResult } from "lit";
import { type IconName, icon } from "../../ui/icons.ts";
import { addressOf, type Place } from "../../ui/places.ts";
import type { Words } from "../../ui/words.ts";
import "../activity.ts";
import "../app-page.ts";
import "../catalog.ts";
import "../files.ts";
import "../home.ts";

type Screen = Place["screen"];
type Area = Exclude<Screen, "app" | "audit" | "upgrades" | "unknown">;

/** What the navigation leads to, in its order. */
export const AREAS: readonly { readonly screen: Area; readonly picture: IconName }[] = [
  { screen: "home", picture: "house" },
  { screen: "apps", picture: "layout-grid" },
  { screen: "activity", picture: "activity" },
  { screen: "files", picture: "folder" },
  { screen: "notifications", picture: "bell" },
  { screen: "health", picture: "heart-pulse" },
];

/** The larger parts of screens, which come when they are first shown. */
const PARTS: Partial<Record<Screen, (place: Place) => Promise<unknown>>> = {
  activity: async (place) => {
    if (place.screen === "activity" && place.task !== undefined) await import("../task.ts");
    if (place.screen === "activity" && place.asking !== undefined) await import("../dialog/inputs/inputs.ts");
  },
  audit: () => import("../audit.ts"),
  health: () => import("../health.ts"),
  notifications: () => import("../notifications.ts"),
  upgrades: () => import("../upgrades/upgrades.ts"),
};

/** Loads what a place needs; false where it can't be had: the engine is away, or another version of it has other files. */
export async function loadScreen(place: Place): Promise<boolean> {
  try {
    await PARTS[place.screen]?.(place);
    return true;
  } catch {
    return false;
  }
}

/** Loads all that comes later, which is one file: it is there then where the engine goes away, or is updated. */
export function loadAhead(): void {
  void loadScreen({ screen: "health" });
}

/** Renders what a place shows. */
export function renderScreen(place: Place, api: string, words: Words): TemplateResult {
  switch (place.screen) {
    case "home":
      return html`<slip-home .api=${api}></slip-home>`;
    case "files":
      return html`<h1>${words.app.titles.files}</h1>
        <slip-files .api=${api} .path=${place.path === "" ? "" : `/${place.path}`}></slip-files>`;
    case "health":
      return html`<slip-health .api=${api}></slip-health>`;
    case "notifications":
      return html`<slip-notifications .api=${api}></slip-notifications>`;
    case "audit":
      return html`<slip-audit .api=${api}></slip-audit>`;
    case "upgrades":
      return html`<slip-upgrades .api=${api}></slip-upgrades>`;
    case "apps":
      return html`<slip-catalog .api=${api}></slip-catalog>`;
    case "app":
      return html`<slip-app-page .api=${api} .app=${place.app} .dialog=${place.dialog ?? ""}></slip-app-page>`;
    case "activity":
      return renderActivity(place, api, words);
    default:
      return html`<h1>${words.app.titles.unknown}</h1>
        <p class="muted">${words.app.unknown}</p>`;
  }
}

/** The list and the task side by side; where there is no room for both, the task with a way back. */
function renderActivity(
  { task, asking }: Extract<Place, { screen: "activity" }>,
  api: string,
  words: Words,
): TemplateResult {
  return html`<div class="activity ${task === undefined ? "" : "with-task"}">
    <div class="list">
      <h1>${words.app.titles.activity}</h1>
      <p><a href=${addressOf({ screen: "audit" }) ?? ""}>${words.app.titles.audit}</a></p>
      <slip-activity .api=${api} .selected=${task ?? ""}></slip-activity>
    </div>
    ${
      task === undefined
        ? nothing
        : html`<div class="detail">
            <a class="back button" href=${addressOf({ screen: "activity" }) ?? ""}>${icon("arrow-left")} ${words.activity.back}</a>
            <slip-task .api=${api} .task=${task}></slip-task>
          </div>`
    }
    ${asking === undefined ? nothing : html`<slip-inputs .api=${api} .task=${asking}></slip-inputs>`}
  </div>`;
}
