/** `slip-app-icon`: the letters of an app. */
import { css, html, type PropertyValues } from "lit";
import { define, SlipElement } from "../ui/element.ts";
import { chooseHue, readInitials } from "../ui/letters.ts";

class SlipAppIcon extends SlipElement {
  static override properties = { ...SlipElement.properties, app: { type: String }, name: { type: String } };
  static override styles = [
    ...SlipElement.styles,
    css`
      :host {
        flex: none;
        width: var(--slip-icon-size, 40px);
        height: var(--slip-icon-size, 40px);
        border-radius: 22%;
        overflow: hidden;
      }
      span {
        display: grid;
        place-items: center;
        height: 100%;
        background: light-dark(oklch(0.93 0.05 var(--hue)), oklch(0.36 0.07 var(--hue)));
        color: light-dark(oklch(0.36 0.1 var(--hue)), oklch(0.94 0.05 var(--hue)));
        font-size: calc(var(--slip-icon-size, 40px) * 0.38);
        font-weight: 650;
        line-height: 1;
      }
    `,
  ];

  /** Id of the app. */
  declare app: string;
  /** Its name, of which the letters are; the id where it is empty. */
  declare name: string;

  constructor() {
    super();
    this.app = "";
    this.name = "";
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.style.setProperty("--hue", String(chooseHue(this.app)));
  }

  protected override render() {
    // A name stands beside every icon, so that this one says nothing.
    return html`<span aria-hidden="true">${readInitials(this.name || this.app)}</span>`;
  }
}

define("slip-app-icon", SlipAppIcon);
