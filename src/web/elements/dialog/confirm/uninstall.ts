/**
 * An uninstall before it is confirmed: what becomes of the app's data, each path named, of its answers, and of what it is
 * linked with. Connecting it opens it. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-closed`.
 */
import { html, nothing, type TemplateResult } from "lit";
import { call, pathOf } from "../../../api/client.ts";
import type { UninstallPreview } from "../../../api/types.ts";
import { define } from "../../../ui/element.ts";
import { icon } from "../../../ui/icons.ts";
import type { Words } from "../../../ui/words.ts";
import { ConfirmDialog, type ConfirmFrame, renderFate, renderPath } from "./confirm-dialog.ts";

/** What becomes of the data. */
type Choice = "keep" | "remove";

/** What each choice does. */
type Previews = Readonly<Record<Choice, UninstallPreview>>;

export class SlipUninstall extends ConfirmDialog<Previews> {
  static override properties = { ...ConfirmDialog.properties, choice: { state: true } };

  declare protected choice: Choice;
  protected readonly lifecycle = "uninstall";

  constructor() {
    super();
    this.choice = "keep";
  }

  protected override forget(): void {
    super.forget();
    this.choice = "keep";
  }

  protected override async ask(signal: AbortSignal): Promise<Previews> {
    const path = pathOf("apps", this.app, "uninstall", "preview");
    const preview = (keepData: boolean) =>
      call<UninstallPreview>(this.api, path, { method: "POST", body: { keepData }, signal });
    const [keep, remove] = await Promise.all([preview(true), preview(false)]);
    return { keep, remove };
  }

  protected override describe({ dialog: { uninstall } }: Words, previews: Previews | undefined): ConfirmFrame {
    const { choice } = this;
    const preview = previews?.[choice];
    return {
      heading: uninstall.heading(preview?.name ?? this.app),
      content: preview === undefined ? html`` : html`${this.#renderChoices()} ${this.#renderPreview(preview)}`,
      confirm: uninstall.confirm[choice],
      picture: "trash-2",
      agreed: preview && { appId: preview.appId, body: toRequest(preview) },
    };
  }

  #renderChoices(): TemplateResult {
    const { uninstall } = this.words.dialog;
    return html`<fieldset>
      <legend class="only-heard">${uninstall.data}</legend>
      ${(["keep", "remove"] as const).map(
        (choice) => html`<label>
          <input type="radio" name="data" .checked=${choice === this.choice} @change=${() => this.#choose(choice)} />
          <span>${uninstall[choice]} <span class="muted small">${uninstall.hints[choice]}</span></span>
        </label>`,
      )}
    </fieldset>`;
  }

  #renderPreview({ directories, shares, removesVolumes, answers, links }: UninstallPreview): TemplateResult {
    const { dialog } = this.words;
    const { uninstall } = dialog;
    return html`<section class="list" aria-labelledby="directories" aria-live="polite">
        <h3 id="directories">${uninstall.directories}</h3>
        ${directories.length === 0 ? html`<p class="muted">${uninstall.noDirectories}</p>` : nothing}
        <ul class="list">
          ${directories.map(({ path, fate, reason }) =>
            renderFate(
              fate === "removed" ? "trash-2" : "folder",
              renderPath(path),
              reason === undefined ? uninstall.fates[fate] : dialog.stays(reason),
            ),
          )}
          ${shares.map(({ name, path, leadsTo }) =>
            renderFate("server", renderPath(path), uninstall.shares[leadsTo](name)),
          )}
        </ul>
        ${removesVolumes ? html`<p>${uninstall.volumes}</p>` : nothing}
        <p>${uninstall.answers[answers]}</p>
      </section>
      ${
        links.length === 0
          ? nothing
          : html`<section class="list" aria-labelledby="links">
              <h3 id="links">${uninstall.links}</h3>
              <ul class="list">
                ${links.map(({ title, target }) => html`<li>${icon("link")} <bdi>${dialog.linkTo(title, target.name)}</bdi></li>`)}
              </ul>
            </section>`
      }`;
  }

  #choose(choice: Choice): void {
    this.choice = choice;
  }
}

/** Names what was shown, so that nothing else is removed. */
function toRequest({ keepData, directories }: UninstallPreview) {
  const removes = directories.filter(({ fate }) => fate === "removed").map(({ path }) => path);
  return keepData ? { keepData } : { keepData, removes };
}

define("slip-uninstall", SlipUninstall);
