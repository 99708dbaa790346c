/**
 * `slip-app-page`: one app with what can be done about it. Tells `slip-open-app {appId, dialog}` where another app or a
 * dialog of this one is opened, `slip-started {taskId, task}` of whatever begins, `slip-open-task {taskId}`, and
 * `slip-closed` of a dialog.
 */
import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";
import type { AppDialog } from "../ui/places.ts";
import "./app-page/app-dialog.ts";

class SlipAppPage extends LazyElement {
  static override properties = { ...LazyElement.properties, app: { type: String }, dialog: { type: String } };

  /** Id of the app. */
  declare app: string;
  /** The dialog that is open on it; empty: none. */
  declare dialog: AppDialog | "";

  constructor() {
    super();
    this.app = "";
    this.dialog = "";
  }

  protected load(): Promise<unknown> {
    return import("./app-page/page-view.ts");
  }

  protected renderLoaded() {
    const { api, app, dialog } = this;
    return html`<slip-app-page-view .api=${api} .app=${app}></slip-app-page-view>
      ${repeat(
        dialog === "" ? [] : [dialog],
        (name) => `${name} ${app}`,
        (name) =>
          html`<slip-app-dialog .api=${api} .app=${app} .dialog=${name} @slip-closed=${this.#close}></slip-app-dialog>`,
      )}`;
  }

  #close(): void {
    this.dialog = "";
  }
}

define("slip-app-page", SlipAppPage);
