/** `slip-home`: what asks first, then what runs, then the widgets. */
import { css, html, nothing, type PropertyValues } from "lit";
import { tasksOf } from "../state/task-store.ts";
import { summarize } from "../state/task-summary.ts";
import { define, SlipElement } from "../ui/element.ts";
import { keepKeyboard } from "../ui/keyboard.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";
import "./activity-row.ts";
import "./dashboard.ts";

class SlipHome extends SlipElement {
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      :host,
      section,
      ul {
        display: grid;
        gap: 10px;
        align-content: start;
      }
      :host {
        gap: 24px;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    tasksOf(this.api).subscribe(() => this.requestUpdate(), this.connected);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    keepKeyboard(this.shadowRoot, "h1");
  }

  protected override render() {
    const { words, api } = this;
    const store = tasksOf(api);
    const unfinished = store.tasks.filter((task) => summarize(task).group !== "finished");
    const first = unfinished.toSorted((a, b) => rank(summarize(a).group) - rank(summarize(b).group));
    return html`<h1 tabindex="-1">${words.app.titles.home}</h1>
      ${store.problem === undefined ? nothing : renderRefusal(store.problem, words, () => store.readAgain())}
      <section aria-labelledby="now">
        <h2 id="now">${words.home.now}</h2>
        ${
          first.length === 0
            ? html`<p class="muted">${store.isLoaded && store.problem === undefined ? words.home.quiet : words.common.loading}</p>`
            : html`<ul>
                ${first.map((task) => html`<li><slip-activity-row .api=${api} .task=${task}></slip-activity-row></li>`)}
              </ul>`
        }
      </section>
      ${store.isLoaded || store.problem !== undefined ? html`<slip-dashboard .api=${api}></slip-dashboard>` : nothing}`;
  }
}

function rank(group: string): number {
  return group === "asks" ? 0 : 1;
}

define("slip-home", SlipHome);
