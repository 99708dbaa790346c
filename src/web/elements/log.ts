/** `slip-log`: the lines a hook's script wrote. */
import { html } from "lit";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";

class SlipLog extends LazyElement {
  static override properties = { ...LazyElement.properties, task: { type: String }, live: { type: Boolean } };

  /** Id of a hook's or link's task. */
  declare task: string;
  /** Whether the script may still write: its lines are looked for again and again. */
  declare live: boolean;

  constructor() {
    super();
    this.task = "";
    this.live = false;
  }

  protected load(): Promise<unknown> {
    return import("./log/log-view.ts");
  }

  protected renderLoaded() {
    return html`<slip-log-view .api=${this.api} .task=${this.task} .live=${this.live}></slip-log-view>`;
  }
}

define("slip-log", SlipLog);
