/** A dialog on an app's page, which is loaded when it is first opened. */
import { define } from "../../ui/element.ts";
import { LazyElement } from "../../ui/lazy-element.ts";
import type { AppDialog } from "../../ui/places.ts";

const loadInstall = () => import("../dialog/install/install.ts");

/** What each is loaded from: it defines the element of that name; "custom" is the install with all questions on one page. */
const DIALOGS: Readonly<Record<AppDialog, () => Promise<unknown>>> = {
  adopt: () => import("../dialog/confirm/adopt.ts"),
  custom: loadInstall,
  install: loadInstall,
  options: () => import("../dialog/change/options.ts"),
  upgrade: () => import("../dialog/change/upgrade.ts"),
  rollback: () => import("../dialog/confirm/rollback.ts"),
  uninstall: () => import("../dialog/confirm/uninstall.ts"),
};

class SlipAppDialog extends LazyElement {
  static override properties = { ...LazyElement.properties, app: { type: String }, dialog: { type: String } };

  /** Id of the app. */
  declare app: string;
  /** Which dialog; it stays the same for the life of the element. */
  declare dialog: AppDialog;
  #shown: HTMLElement | undefined;

  constructor() {
    super();
    this.app = "";
    this.dialog = "install";
  }

  protected load(): Promise<unknown> {
    return DIALOGS[this.dialog]();
  }

  protected renderLoaded(): HTMLElement {
    const { api, app } = this;
    const isCustom = this.dialog === "custom";
    this.#shown ??= document.createElement(isCustom ? "slip-install" : `slip-${this.dialog}`);
    return Object.assign(this.#shown, { api, app, ...(isCustom && { mode: this.dialog }) });
  }
}

define("slip-app-dialog", SlipAppDialog);
