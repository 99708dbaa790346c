/** `slip-notifications`: what people were told, newest first, and what of it nobody has read. */
import { css, html, nothing, type PropertyValues } from "lit";
import { type ApiError, call, pathOf, readRefusal, tellNow } from "../api/client.ts";
import type { Notifications } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatMoment } from "../ui/format/format.ts";
import { icon } from "../ui/icons.ts";
import { keepKeyboard } from "../ui/keyboard.ts";
import { renderLink } from "../ui/link.ts";
import { refusalStyles, renderRefusal } from "../ui/refusal.ts";

type Notification = Notifications["notifications"][number];

export class SlipNotifications extends SlipElement {
  static override properties = { ...SlipElement.properties, list: { state: true }, refusal: { state: true } };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      :host,
      ul {
        display: grid;
        gap: 12px;
      }
      li {
        display: grid;
        gap: 6px;
        justify-items: start;
      }
    `,
  ];

  declare list: readonly Notification[] | undefined;
  declare refusal: ApiError | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const store = tasksOf(this.api);
    store.onEvent((event) => {
      if (event.type === "task.notified") void this.#read();
    }, this.connected);
    store.onHint(({ type }) => {
      if (type.startsWith("notification.") || type === "hints.lost") void this.#read();
    }, this.connected);
    void this.#read();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    keepKeyboard(this.shadowRoot, "h1");
  }

  protected override render() {
    const { words, list, refusal } = this;
    const unread = list?.filter(({ read }) => !read) ?? [];
    return html`<h1 tabindex="-1">${words.app.titles.notifications}</h1>
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => this.#read())}
      ${unread.length === 0 ? nothing : html`<div><button type="button" @click=${() => this.#mark()}>${icon("check")} ${words.notifications.readAll}</button></div>`}
      ${list === undefined ? html`<p class="muted">${refusal === undefined ? words.common.loading : ""}</p>` : this.#renderList(list)}`;
  }

  #renderList(list: readonly Notification[]) {
    const { words } = this;
    if (list.length === 0) return html`<p class="muted">${words.notifications.empty}</p>`;
    return html`<ul>
      ${list.map(
        (told) => html`<li class="card">
          <strong>${told.type === "pairing.linked" ? words.notifications.linked(told.appName ?? told.runsOnAppId, told.targetName ?? told.target) : words.notifications.upgrade(told.appName ?? told.appId, told.to)}</strong>
          <span class="muted">${formatMoment(told.at, tellNow())}</span>
          ${told.type === "pairing.linked" ? renderLink({ screen: "activity", task: told.taskId }, words.actions.showTask, () => this.tell("slip-open-task", { taskId: told.taskId })) : nothing}
          ${told.read ? nothing : html`<button type="button" @click=${() => this.#mark(told.id)}>${icon("check")} ${words.notifications.read}</button>`}
        </li>`,
      )}
    </ul>`;
  }

  async #read(): Promise<void> {
    try {
      this.list = (await call<Notifications>(this.api, "/notifications", { signal: this.connected })).notifications;
      this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }

  async #mark(id?: string): Promise<void> {
    const path = id === undefined ? "/notifications/read" : `${pathOf("notifications", id)}/read`;
    try {
      await call(this.api, path, { method: "POST" });
      await this.#read();
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }
}

define("slip-notifications", SlipNotifications);
