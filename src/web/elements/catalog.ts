/** `slip-catalog`: the apps there are, to look through. Tells `slip-open-app {appId, dialog}` where somebody opens one. */
import { html } from "lit";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";

class SlipCatalog extends LazyElement {
  protected load(): Promise<unknown> {
    return import("./apps/catalog-view.ts");
  }

  protected renderLoaded() {
    return html`<slip-catalog-view .api=${this.api}></slip-catalog-view>`;
  }
}

define("slip-catalog", SlipCatalog);
