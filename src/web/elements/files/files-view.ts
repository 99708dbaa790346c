/** The file browser: folders below the host's locations, and what the installed apps can do with selected files. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { FileEntry } from "../../api/types.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { formatSize, formatTime, readLocale } from "../../ui/format/format.ts";
import { type IconName, icon } from "../../ui/icons.ts";
import { renderLink } from "../../ui/link.ts";
import { refusalStyles, renderRefusal } from "../../ui/refusal.ts";
import { say } from "../../ui/say.ts";
import { Presses, toPress } from "../actions/presses.ts";
import { actionStyles, renderAction, renderPressed } from "../actions/render-actions.ts";
import { filesStyles } from "./files-styles.ts";
import { FolderStore } from "./folder-store.ts";
import { listCrumbs } from "./names.ts";
import { countSelected, isSelectable, select, selectAll } from "./selection.ts";

const PICTURES: Readonly<Record<FileEntry["kind"], IconName>> = {
  file: "file",
  folder: "folder",
  link: "link",
  other: "circle-help",
};

class SlipFilesView extends SlipElement {
  static override properties = { ...SlipElement.properties, path: { type: String } };
  static override styles = [...SlipElement.styles, refusalStyles, ...actionStyles, filesStyles];

  /** Host path of the folder; empty: the locations. */
  declare path: string;
  readonly #store = new FolderStore(this, () => this.api);
  readonly #presses = new Presses(this);
  /** What was selected last: a range begins there. */
  #anchor: string | undefined;

  constructor() {
    super();
    this.path = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (!changed.has("path") && !changed.has("api")) return;
    this.#anchor = undefined;
    this.#presses.clear();
    void this.#store.open(this.path);
  }

  protected override render() {
    const { words } = this;
    const { folder, refusal, isReading } = this.#store;
    return html`<section aria-label=${words.app.titles.files} aria-busy=${isReading}>
      ${this.#renderCrumbs()}
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => void this.#store.again())}
      ${folder === undefined && isReading ? html`<p class="muted">${words.common.loading}</p>` : nothing}
      ${folder === undefined ? nothing : this.#renderFolder(folder.entries)}
      ${folder === undefined || folder.whole ? nothing : html`<p class="muted">${icon("info")} ${words.files.notWhole}</p>`}
      ${this.#store.selection.size === 0 ? nothing : this.#renderPanel()}
    </section>`;
  }

  #renderCrumbs(): TemplateResult | typeof nothing {
    const { files } = this.words;
    if (this.path === "") return nothing;
    const crumbs = listCrumbs(this.#store.folder?.path ?? this.path, this.#store.locations);
    return html`<nav aria-label=${files.way}>
      <ul class="crumbs">
        <li>${this.#renderWay("", files.locations)}</li>
        ${crumbs.map(
          ({ label, path }, at) => html`<li>
            ${icon("chevron-right")}
            ${at === crumbs.length - 1 ? html`<bdi aria-current="page">${label}</bdi>` : this.#renderWay(path, html`<bdi>${label}</bdi>`)}
          </li>`,
        )}
      </ul>
    </nav>`;
  }

  #renderWay(path: string, content: unknown): TemplateResult {
    return renderLink({ screen: "files", path }, content, () => {
      if (this.tell("slip-open-folder", { path })) this.path = path;
    });
  }

  #renderFolder(entries: readonly FileEntry[]): TemplateResult {
    const { files } = this.words;
    if (entries.length === 0) return html`<p class="muted">${files.empty}</p>`;
    return html`${entries.some(isSelectable) ? this.#renderAll(entries) : nothing}
      <ul class="card entries" @keydown=${this.#moveByKey}>
        ${repeat(
          entries,
          ({ path }) => path,
          (entry, at) => this.#renderEntry(entry, at),
        )}
      </ul>
      ${this.#renderPages()}`;
  }

  #renderAll(entries: readonly FileEntry[]): TemplateResult {
    const { files } = this.words;
    const { selection } = this.#store;
    const standing = countSelected(selection, entries);
    return html`<div class="bar">
      <label class="all">
        <input
          type="checkbox"
          .checked=${standing === "all"}
          .indeterminate=${standing === "some"}
          @change=${() => this.#take(selectAll(selection, entries, standing !== "all"))}
        />
        ${files.all}
      </label>
    </div>`;
  }

  #renderEntry(entry: FileEntry, at: number): TemplateResult {
    const { files } = this.words;
    const { path, label, kind, isLink, size, modified } = entry;
    const isSelected = this.#store.selection.has(path);
    const name = html`<bdi id="name-${at}">${label}</bdi>`;
    return html`<li class=${isSelected ? "selected" : ""}>
      ${
        isSelectable(entry)
          ? html`<input
              type="checkbox"
              data-path=${path}
              aria-labelledby="name-${at}"
              .checked=${isSelected}
              @click=${(event: MouseEvent) => this.#select(path, !isSelected, event.shiftKey)}
            />`
          : html`<span></span>`
      }
      ${icon(PICTURES[kind])}
      <div>
        <span class="only-heard">${files.kinds[kind]}</span>
        ${kind === "folder" ? this.#renderWay(path, name) : name}
        ${isLink || kind === "link" ? html`<span class="badge">${icon("link")} ${kind === "link" ? files.leadsOut : files.link}</span>` : nothing}
      </div>
      <span class="what muted">${size === undefined ? nothing : formatSize(size, readLocale())}</span>
      <span class="when muted">
        ${modified === undefined ? nothing : html`<time datetime=${modified}>${formatTime(modified)}</time>`}
      </span>
    </li>`;
  }

  #renderPages(): TemplateResult | typeof nothing {
    const { common } = this.words;
    const { folder, page, isReading } = this.#store;
    if (page === 1 && folder?.next === undefined) return nothing;
    const turn = async (by: 1 | -1) => {
      this.#anchor = undefined;
      await this.#store.turn(by);
      say(common.page(this.#store.page));
      this.renderRoot.querySelector("section")?.scrollIntoView({ block: "start" });
    };
    return html`<nav class="bar" aria-label=${common.pages}>
      <button type="button" ?disabled=${page === 1 || isReading} @click=${() => turn(-1)}>
        ${icon("chevron-left")} ${common.before}
      </button>
      <span>${common.page(page)}</span>
      <button type="button" ?disabled=${folder?.next === undefined || isReading} @click=${() => turn(1)}>
        ${common.after} ${icon("chevron-right")}
      </button>
    </nav>`;
  }

  #renderPanel(): TemplateResult {
    const { words, api } = this;
    const { selection, actions, actionRefusal } = this.#store;
    const request = { surface: "fileBrowser", files: [...selection] } as const;
    return html`<div class="card panel" role="region" aria-labelledby="selected" tabindex="0">
      <div class="bar">
        <h2 id="selected" class="grow">${words.files.selected(selection.size)}</h2>
        <button type="button" @click=${() => this.#take(new Set())}>${icon("x")} ${words.files.none}</button>
      </div>
      ${actionRefusal === undefined ? nothing : renderRefusal(actionRefusal, words, () => void this.#store.askActions())}
      ${actions === undefined ? html`<p class="muted">${words.common.loading}</p>` : nothing}
      ${actions?.length === 0 && actionRefusal === undefined ? html`<p class="muted">${words.files.noActions}</p>` : nothing}
      <div class="actions">
        ${(actions ?? []).map(({ app, ...action }, at) =>
          renderAction(
            { ...action, title: words.files.actionOf(action.title, app.name) },
            `why-${at}`,
            this.#presses,
            () => this.#presses.press(toPress(api, app.appId, action, request)),
          ),
        )}
      </div>
      ${renderPressed(words, this.#presses, this)}
    </div>`;
  }

  #take(selection: ReadonlySet<string>): void {
    this.#store.select(selection);
    say(this.words.files.selected(selection.size));
  }

  #select(path: string, isOn: boolean, isRange: boolean): void {
    const { folder, selection } = this.#store;
    const anchor = isRange && this.#anchor !== undefined ? { anchor: this.#anchor } : {};
    this.#anchor = path;
    this.#presses.clear();
    this.#take(select(selection, folder?.entries ?? [], { path, isOn, ...anchor }));
  }

  /** Up and down between what can be selected; with the shift key a range grows. */
  #moveByKey(event: KeyboardEvent): void {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const boxes = [...this.renderRoot.querySelectorAll<HTMLInputElement>(".entries input")];
    if (by === 0 || !(event.target instanceof HTMLInputElement)) return;
    const next = boxes[boxes.indexOf(event.target) + by];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    const from = event.target.dataset["path"];
    const to = next.dataset["path"];
    if (!event.shiftKey || from === undefined || to === undefined) return;
    this.#anchor ??= from;
    const { folder, selection } = this.#store;
    this.#take(select(selection, folder?.entries ?? [], { path: to, anchor: from, isOn: true }));
  }
}

define("slip-files-view", SlipFilesView);
