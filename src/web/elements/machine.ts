/** `slip-machine`: a task as the run of its machine. */
import { html } from "lit";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";

class SlipMachine extends LazyElement {
  static override properties = { ...LazyElement.properties, task: { type: String }, stamp: { type: String } };

  /** Id of the task that is followed; empty for recordings alone. */
  declare task: string;
  /** Anything that changes when the task does, as its `updated`: the trace is read on. */
  declare stamp: string;

  constructor() {
    super();
    this.task = "";
    this.stamp = "";
  }

  protected load(): Promise<unknown> {
    return import("./machine/machine-view.ts");
  }

  protected renderLoaded() {
    return html`<slip-machine-view .api=${this.api} .task=${this.task} .stamp=${this.stamp}></slip-machine-view>`;
  }
}

define("slip-machine", SlipMachine);
