/** A dialog on an app's page, which is loaded when it is first opened. */
import { html } from "lit";
import { define } from "../../ui/element.ts";
import { LazyElement } from "../../ui/lazy-element.ts";
import type { AppDialog } from "../../ui/places.ts";

class SlipAppDialog extends LazyElement {
  static override properties = { ...LazyElement.properties, app: { type: String }, dialog: { type: String } };

  /** Id of the app. */
  declare app: string;
  /** Which dialog; it stays the same for the life of the element. */
  declare dialog: AppDialog;

  constructor() {
    super();
    this.app = "";
    this.dialog = "install";
  }

  protected load(): Promise<unknown> {
    if (this.dialog === "install") return import("../dialog/install/install.ts");
    if (this.dialog === "options") return import("../dialog/change/options.ts");
    if (this.dialog === "uninstall") return import("../dialog/uninstall.ts");
    return import("../dialog/change/upgrade.ts");
  }

  protected renderLoaded() {
    const { api, app } = this;
    if (this.dialog === "install") return html`<slip-install .api=${api} .app=${app}></slip-install>`;
    if (this.dialog === "options") return html`<slip-options .api=${api} .app=${app}></slip-options>`;
    if (this.dialog === "uninstall") return html`<slip-uninstall .api=${api} .app=${app}></slip-uninstall>`;
    return html`<slip-upgrade .api=${api} .app=${app}></slip-upgrade>`;
  }
}

define("slip-app-dialog", SlipAppDialog);
