/**
 * A rollback before it is confirmed: what the engine can go back to, and of one of these what goes back, is put aside or
 * stays. Connecting it opens it. Tells `slip-started {taskId, task}`, `slip-open-task {taskId}` and `slip-closed`.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { call, pathOf } from "../../../api/client.ts";
import type { AppSnapshot, AppSnapshots, RollbackPreview } from "../../../api/types.ts";
import { tasksOf } from "../../../state/task-store.ts";
import { define } from "../../../ui/element.ts";
import { formatSize, formatTime, readLocale } from "../../../ui/format/format.ts";
import { showUnseen } from "../../../ui/format/show-unseen.ts";
import { icon } from "../../../ui/icons.ts";
import type { Words } from "../../../ui/words.ts";
import { ConfirmDialog, type ConfirmFrame, renderFate, renderPath } from "./confirm-dialog.ts";

interface Shown {
  readonly snapshots: readonly AppSnapshot[];
  /** Id of the one a person has chosen, the newest at first; undefined where there is none. */
  readonly chosen: string | undefined;
  /** Of the one before while that of the chosen one is not there yet. */
  readonly preview: RollbackPreview | undefined;
}

export class SlipRollback extends ConfirmDialog<Shown> {
  static override styles = [
    ...ConfirmDialog.styles,
    css`
      .held {
        margin-inline-start: 32px;
      }
    `,
  ];

  static override properties = { ...ConfirmDialog.properties, isUnsaved: { state: true } };

  /** Whether it goes on without a snapshot of the present. */
  declare protected isUnsaved: boolean;
  protected readonly lifecycle = "rollback";

  constructor() {
    super();
    this.isUnsaved = false;
  }

  protected override forget(): void {
    super.forget();
    this.isUnsaved = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // What became of its last rollback may be known later.
    tasksOf(this.api).subscribe(() => this.requestUpdate(), this.connected);
  }

  protected override async ask(signal: AbortSignal): Promise<Shown> {
    const { api, app, shown } = this;
    const { snapshots } = await call<AppSnapshots>(api, pathOf("apps", app, "snapshots"), { signal });
    const chosen = (snapshots.find(({ id }) => id === shown?.chosen) ?? snapshots[0])?.id;
    if (chosen === undefined) return { snapshots, chosen, preview: undefined };
    const request = { method: "POST", body: { snapshot: chosen }, signal } as const;
    const preview = await call<RollbackPreview>(api, pathOf("apps", app, "rollback", "preview"), request);
    return { snapshots, chosen, preview };
  }

  protected override describe({ dialog: { rollback }, task }: Words, shown: Shown | undefined): ConfirmFrame {
    const preview = shown?.preview;
    const isAgreeable = preview?.snapshot.id === shown?.chosen && preview?.impossible === undefined;
    return {
      heading: rollback.heading(preview?.name ?? this.app),
      content: html`${shown && this.#renderSnapshots(shown)} ${preview && this.#renderPreview(preview)}`,
      confirm: task.commands.rollback,
      picture: "undo-2",
      agreed: preview && isAgreeable ? { appId: preview.appId, body: this.#toRequest(preview) } : undefined,
    };
  }

  #renderSnapshots({ snapshots, chosen }: Shown): TemplateResult {
    const { rollback } = this.words.dialog;
    if (snapshots.length === 0) return html`<p>${rollback.none}</p>`;
    return html`<p>${rollback.first}</p>
      <fieldset>
        <legend class="only-heard">${rollback.snapshots}</legend>
        ${snapshots.map((snapshot, at) => this.#renderSnapshot(snapshot, `held-${at}`, snapshot.id === chosen))}
      </fieldset>`;
  }

  #renderSnapshot({ id, at, purpose, version, toVersion, datasets }: AppSnapshot, held: string, isChosen: boolean) {
    const { appPage } = this.words;
    const versions = toVersion === undefined ? version && appPage.version(version) : appPage.move(version, toVersion);
    const why = [tellPurpose(this.words, purpose), ...(versions ? [versions] : [])].join(" · ");
    return html`<div>
      <label>
        <input type="radio" name="snapshot" .checked=${isChosen} aria-describedby=${held} @change=${() => this.#choose(id)} />
        <span>${formatTime(at)} <bdi class="muted small">${why}</bdi></span>
      </label>
      <ul class="held" id=${held}>
        ${datasets.map(({ name, paths, bytes }) =>
          renderFate(
            "folder",
            html`${paths.map(renderPath)}`,
            `${showUnseen(name)}${bytes === undefined ? "" : ` · ${formatSize(bytes, readLocale())}`}`,
          ),
        )}
      </ul>
    </div>`;
  }

  #renderPreview({ version, options, restored, kept, volumes, impossible }: RollbackPreview): TemplateResult {
    const { dialog } = this.words;
    const { rollback } = dialog;
    return html`<section class="list" aria-labelledby="happens" aria-live="polite">
      <h3 id="happens">${dialog.whatHappens}</h3>
      <ul class="list">
        <li>${icon("history")} <bdi>${rollback.version(version?.from, version?.to)}</bdi></li>
        <li>${icon("settings-2")} ${rollback.options[options]}</li>
        ${restored.map(({ path, since, newer, shares }) => [
          renderFate("undo-2", renderPath(path), rollback.restored(formatTime(since), newer.length)),
          ...shares.map(
            (share) => html`<li>${icon("circle-alert")} <bdi>${rollback.shared(showUnseen(share))}</bdi></li>`,
          ),
        ])}
        ${kept.map(({ paths, reason }) => renderFate("folder", html`${paths.map(renderPath)}`, dialog.stays(reason)))}
      </ul>
      ${volumes === "restored" ? html`<p>${rollback.volumes}</p>` : nothing}
      ${
        this.#hasFailedToSave
          ? html`<label>
              <input type="checkbox" .checked=${this.isUnsaved} @change=${this.#chooseUnsaved} />
              <span>${rollback.unsaved} <span class="muted small">${rollback.unsavedHint}</span></span>
            </label>`
          : nothing
      }
      ${
        impossible === undefined
          ? nothing
          : html`<div class="refusal">${icon("circle-alert")}<p>${rollback.impossible(impossible)}</p></div>`
      }
    </section>`;
  }

  /** The last rollback of the app came no further than the snapshot of the present. */
  get #hasFailedToSave(): boolean {
    const newest = tasksOf(this.api).tasks.find(({ appId, kind }) => appId === this.app && kind === "rollback");
    return newest?.steps.some(({ id, state }) => id === "SNAPSHOTS" && state === "stopped") === true;
  }

  #toRequest({ snapshot }: RollbackPreview) {
    return { snapshot: snapshot.id, ...(this.#hasFailedToSave && this.isUnsaved && { withoutSnapshot: true }) };
  }

  #chooseUnsaved({ target }: Event): void {
    if (target instanceof HTMLInputElement) this.isUnsaved = target.checked;
  }

  #choose(id: string): void {
    this.shown = this.shown && { ...this.shown, chosen: id };
    void this.read();
  }
}

/** Why the engine took it; the purpose itself where this build knows none like that. */
function tellPurpose({ dialog: { rollback }, task }: Words, purpose: string): string {
  if (purpose === "ownership-repair") return rollback.owners;
  const [, kind] = Object.entries(task.kinds).find(([name]) => purpose === `pre-${name}`) ?? [];
  return kind === undefined ? purpose : rollback.before(kind);
}

define("slip-rollback", SlipRollback);
