/** `slip-machine`: a task as the run of its machine. */
import { html } from "lit";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";

class SlipMachine extends LazyElement {
  static override properties = { ...LazyElement.properties, task: { type: String }, reveal: { type: Boolean } };

  /** Id of the task that is followed; empty for recordings alone. */
  declare task: string;
  /** Whether it comes into the window once it shows something, as in a tab that was just opened. */
  declare reveal: boolean;

  constructor() {
    super();
    this.task = "";
    this.reveal = false;
  }

  protected load(): Promise<unknown> {
    return import("./machine/machine-view.ts");
  }

  protected renderLoaded() {
    return html`<slip-machine-view .api=${this.api} .task=${this.task} .reveal=${this.reveal}></slip-machine-view>`;
  }
}

define("slip-machine", SlipMachine);
