/**
 * `slip-files`: the host's folders. Tells `slip-open-folder {path}` where another folder is chosen, and goes there itself unless
 * that is prevented; `slip-started {taskId, task}` of an action that was pressed.
 */
import { html } from "lit";
import { define } from "../ui/element.ts";
import { LazyElement } from "../ui/lazy-element.ts";

class SlipFiles extends LazyElement {
  static override properties = { ...LazyElement.properties, path: { type: String } };

  /** Host path of the folder; empty: the locations. */
  declare path: string;

  constructor() {
    super();
    this.path = "";
  }

  protected load(): Promise<unknown> {
    return import("./files/files-view.ts");
  }

  protected renderLoaded() {
    return html`<slip-files-view .api=${this.api} .path=${this.path}></slip-files-view>`;
  }
}

define("slip-files", SlipFiles);
