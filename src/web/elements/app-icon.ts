/** `slip-app-icon`: the picture of an app, asked of the engine alone; its letters until it is there, and where there is none. */
import { css, html, type PropertyValues } from "lit";
import { authorize, pathOf } from "../api/client.ts";
import { limitAtOnce } from "../ui/at-once.ts";
import { define, SlipElement } from "../ui/element.ts";
import { chooseHue, readInitials } from "../ui/format/letters.ts";

/** A browser has six connections to a server, and a picture of the internet may take seconds. */
const takeTurn = limitAtOnce(2);
/** What was answered, by its address: many rows are about one app. */
const known = new Map<string, { readonly picture: string; readonly until: number }>();
/** Most that are kept; a page of the catalog has 48. */
const KNOWN = 200;
/** Ms an answer is good for. */
const KEPT_MS = 60_000;

class SlipAppIcon extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    name: { type: String },
    picture: { state: true },
  };
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
      img {
        display: block;
        width: 100%;
        height: 100%;
        object-fit: contain;
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
  /** As an address of its own bytes; empty where there is none. */
  declare picture: string;

  constructor() {
    super();
    this.app = "";
    this.name = "";
    this.picture = "";
  }

  /** Whatever was being read when it was moved was given up. */
  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated && this.picture === "") void this.#find();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("api") || changed.has("app")) void this.#find();
    this.style.setProperty("--hue", String(chooseHue(this.app)));
  }

  protected override render() {
    // A name stands beside every icon, so that this one says nothing.
    if (this.picture !== "") return html`<img alt="" src=${this.picture} @error=${() => this.#show("")} />`;
    return html`<span aria-hidden="true">${readInitials(this.name || this.app)}</span>`;
  }

  async #find(): Promise<void> {
    const { api, app, connected } = this;
    this.#show("");
    if (app === "") return;
    const picture = await takeTurn(() => readPicture(`${api}${pathOf("apps", app, "icon")}?optional=true`, connected));
    if (app === this.app && api === this.api) this.#show(picture);
  }

  #show(picture: string): void {
    this.picture = picture;
  }
}

/** A picture as an address of its own bytes, which the page's policy takes; empty where it can't be had. */
async function readPicture(address: string, signal: AbortSignal): Promise<string> {
  const kept = known.get(address);
  if (signal.aborted || (kept !== undefined && performance.now() < kept.until)) return kept?.picture ?? "";
  try {
    const response = await fetch(address, { headers: await authorize(), signal });
    const picture = response.status === 200 ? await encode(await response.blob()) : "";
    if (known.size >= KNOWN) known.clear();
    if (response.ok) known.set(address, { picture, until: performance.now() + KEPT_MS });
    return picture;
  } catch {
    return "";
  }
}

function encode(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });
}

define("slip-app-icon", SlipAppIcon);
