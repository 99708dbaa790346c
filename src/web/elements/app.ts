/** The whole page: what its address names, below one heading. */
import { html } from "lit";
import { define, SlipElement } from "../ui/element.ts";

class SlipApp extends SlipElement {
  protected override render() {
    return html`<main><h1>Slipway</h1></main>`;
  }
}

define("slip-app", SlipApp);
