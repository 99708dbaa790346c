/**
 * `slip-dashboard`: the widgets people look at first, arranged by keyboard and pointer. Tells what its widgets tell. It comes
 * after what asks and what runs.
 */
import { html } from "lit";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";

class SlipDashboard extends LazyElement {
  protected load(): Promise<unknown> {
    return import("./dashboard/dashboard-view.ts");
  }

  protected renderLoaded() {
    return html`<slip-dashboard-view .api=${this.api}></slip-dashboard-view>`;
  }
}

define("slip-dashboard", SlipDashboard);
