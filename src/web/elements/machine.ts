/** `slip-machine`: a task as the run of its machine. */
import { html } from "lit";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";

class SlipMachine extends LazyElement {
  static override properties = { ...LazyElement.properties, task: { type: String } };

  /** Id of the task that is followed; empty for recordings alone. */
  declare task: string;

  constructor() {
    super();
    this.task = "";
  }

  protected load(): Promise<unknown> {
    return import("./machine/machine-view.ts");
  }

  protected renderLoaded() {
    return html`<slip-machine-view .api=${this.api} .task=${this.task}></slip-machine-view>`;
  }
}

define("slip-machine", SlipMachine);
