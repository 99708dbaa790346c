/** `slip-upgrade-policy`: when upgrades begin by themselves: of one app, or of all that have no policy of their own. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { type ApiError, call, readRefusal } from "../../api/client.ts";
import type { UpgradePolicies, UpgradePolicy } from "../../api/types.ts";
import { tasksOf } from "../../state/task-store.ts";
import { isTurn } from "../../state/task-summary.ts";
import { Again } from "../../ui/again.ts";
import { define, SlipElement } from "../../ui/element.ts";
import { formatTime, nameDay } from "../../ui/format/format.ts";
import { icon } from "../../ui/icons.ts";
import { live } from "../../ui/live.ts";
import { refusalStyles, renderRefusal } from "../../ui/refusal.ts";
import { say } from "../../ui/say.ts";
import { wayTo } from "../apps/ways.ts";
import {
  type ChosenPolicy,
  choosePolicy,
  MODES,
  readDaily,
  readPolicy,
  replacePolicy,
  writeDaily,
} from "./choose-policy.ts";

const PATH = "/upgrades/policies";
/** Somebody else has changed them since they were shown here. */
const STALE = "TASK_POLICIES_STALE";
/** As the times of a window name them, Monday first; `*` is each. */
const DAYS = [..."*1234560"];

export class SlipUpgradePolicy extends SlipElement {
  static override properties = {
    ...SlipElement.properties,
    app: { type: String },
    policies: { state: true },
    draft: { state: true },
    refusal: { state: true },
    isSaving: { state: true },
  };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      .card {
        display: grid;
        gap: 12px;
      }
      .card > * {
        justify-self: start;
      }
      .check {
        display: flex;
        gap: 8px;
      }
    `,
  ];

  /** Id of the app; empty for all. */
  declare app: string;
  declare policies: UpgradePolicies | undefined;
  /** What is chosen and not kept yet. */
  declare draft: ChosenPolicy | undefined;
  declare refusal: ApiError | undefined;
  declare isSaving: boolean;
  /** What the draft is made from: what somebody else keeps meanwhile is not overwritten unseen. */
  #based: UpgradePolicies | undefined;
  readonly #again = new Again(() => this.#read());

  constructor() {
    super();
    this.app = "";
    this.isSaving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // An upgrade may have begun by itself: the next window is another one.
    tasksOf(this.api).onEvent((event) => void (isTurn(event) && this.#again.ask()), this.connected);
    this.connected.addEventListener("abort", () => this.#again.stop(), { once: true });
    this.#again.ask();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("app")) this.#discard();
    if (this.draft === undefined) this.#based = this.policies;
  }

  protected override render() {
    const { words, policies, refusal } = this;
    return html`<div class="card" role="group" aria-labelledby="policy">
      <h2 id="policy">${words.upgrades.bySelf}</h2>
      ${policies === undefined ? nothing : this.#renderPolicy(policies)}
      ${refusal === undefined ? nothing : renderRefusal(refusal, words, () => (this.draft === undefined || refusal.isPassing ? this.#read() : this.#save()))}
    </div>`;
  }

  #renderPolicy(policies: UpgradePolicies): TemplateResult {
    const { words, app, draft, isSaving, refusal } = this;
    const kept = readPolicy(policies, app);
    const chosen = draft ?? kept;
    const mode = chosen === "all" ? chosen : chosen.mode;
    return html`<label>
        ${words.upgrades.begin}
        <select @change=${this.#chooseMode}>
          ${app === "" ? nothing : html`<option value="all" .selected=${mode === "all"}>${words.upgrades.asAll}</option>`}
          ${MODES.map((name) => html`<option value=${name} .selected=${name === mode}>${words.upgrades.modes[name]}</option>`)}
        </select>
      </label>
      ${chosen !== "all" && chosen.mode === "automatic" ? this.#renderWindow(chosen, kept === "all" || kept.cron === undefined || readDaily(kept.cron).day !== "") : nothing}
      ${draft === undefined ? this.#renderNext(policies, kept === "all" ? policies.all : kept) : nothing}
      ${refusal?.code === STALE ? html`<p>${words.upgrades.keptNow} ${this.#describe(kept)}</p>` : nothing}
      <div class="check">
        <button type="button" ?disabled=${draft === undefined || isSaving} @click=${this.#save}>${icon("check")} ${words.upgrades.keep}</button>
        <button type="button" ?disabled=${draft === undefined || isSaving} @click=${this.#discard}>${words.common.cancel}</button>
      </div>
      ${app === "" ? this.#renderOwn(policies) : nothing}`;
  }

  #renderWindow(policy: UpgradePolicy, isDaily: boolean): TemplateResult {
    const { upgrades } = this.words;
    const { cron = "", minutes, late = false, stopOnFailure = false } = policy;
    const { day, time } = readDaily(cron);
    return html`<label>
        ${upgrades.day}
        <select @change=${this.#take(({ value }) => ({ cron: writeDaily(value, time) }))}>
          <option value="" hidden .selected=${day === ""}></option>
          ${DAYS.map((name) => html`<option value=${name} .selected=${day === name}>${name === "*" ? upgrades.everyDay : nameDay(Number(name))}</option>`)}
        </select>
      </label>
      <label>
        ${upgrades.time}
        <input type="time" .value=${this.draft === undefined ? live(time) : time} @input=${this.#take(({ value }) => (value === "" ? {} : { cron: writeDaily(day, value) }))} />
      </label>
      <details ?open=${!isDaily}>
        <summary>${upgrades.otherTimes}</summary>
        <label>
          ${upgrades.cron}
          <input .value=${cron} maxlength="200" autocomplete="off" spellcheck="false" aria-describedby="cron"
            @input=${this.#take(({ value }) => ({ cron: value }))} />
        </label>
        <p class="muted small" id="cron">${upgrades.cronHint}</p>
      </details>
      <label>
        ${upgrades.minutes}
        <input type="number" min="1" max="1440" placeholder="60" .value=${minutes === undefined ? "" : String(minutes)}
          @input=${this.#take(({ value }) => ({ minutes: value === "" ? undefined : Number(value) }))} />
      </label>
      <label class="check"><input type="checkbox" .checked=${late} @change=${this.#take(({ checked }) => ({ late: checked }))} /> ${upgrades.late}</label>
      <label class="check"><input type="checkbox" .checked=${stopOnFailure} @change=${this.#take(({ checked }) => ({ stopOnFailure: checked }))} /> ${upgrades.stopOnFailure}</label>`;
  }

  #renderNext({ timeZone }: UpgradePolicies, { next }: UpgradePolicy): TemplateResult | typeof nothing {
    const { upgrades } = this.words;
    if (next === undefined) return nothing;
    return html`<p>${icon("clock")} ${upgrades.next(formatTime(next))}
      ${timeZone === undefined ? nothing : html`<span class="muted">${upgrades.timeZone(timeZone)}</span>`}</p>`;
  }

  #describe(policy: ChosenPolicy): TemplateResult {
    const { modes, asAll } = this.words.upgrades;
    if (policy === "all") return html`${asAll}`;
    return html`${modes[policy.mode]} <code>${policy.cron}</code>`;
  }

  /** The apps that have a policy of their own. */
  #renderOwn({ apps }: UpgradePolicies): TemplateResult | typeof nothing {
    const { upgrades } = this.words;
    const own = Object.entries(apps);
    if (own.length === 0) return nothing;
    return html`<h3>${upgrades.own}</h3>
      <ul>
        ${own.map(([appId, { mode, next }]) => {
          const way = wayTo(this, appId);
          return html`<li><a href=${way.href} @click=${way.open}>${appId}</a> ${upgrades.modes[mode]}
            ${next === undefined ? nothing : html`<span class="muted">${upgrades.next(formatTime(next))}</span>`}</li>`;
        })}
      </ul>`;
  }

  #chooseMode({ target }: Event): void {
    if (!(target instanceof HTMLSelectElement)) return;
    const mode = MODES.find((name) => name === target.value);
    this.draft = mode === undefined ? "all" : choosePolicy(mode);
  }

  /** Takes what was entered into a field of the window. */
  #take(read: (field: { readonly value: string; readonly checked?: boolean }) => Partial<Omit<UpgradePolicy, "mode">>) {
    return ({ target }: Event): void => {
      const chosen = this.draft ?? (this.policies && readPolicy(this.policies, this.app));
      const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (isField && chosen !== undefined && chosen !== "all") this.draft = { ...chosen, ...read(target) };
    };
  }

  #discard(): void {
    this.draft = undefined;
    this.refusal = undefined;
  }

  async #save(): Promise<void> {
    const { api, app, draft } = this;
    if (draft === undefined || this.#based === undefined || this.isSaving) return;
    this.isSaving = true;
    try {
      const body = replacePolicy(this.#based, app, draft);
      const policies = await call<UpgradePolicies>(api, PATH, { method: "PUT", body });
      this.refusal = undefined;
      this.policies = policies;
      this.#based = policies;
      if (this.draft === draft) this.draft = undefined;
      say(this.words.upgrades.kept);
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal?.code === STALE) {
        await this.#read();
        this.#based = this.policies;
      }
      this.refusal = refusal;
    } finally {
      this.isSaving = false;
    }
  }

  async #read(): Promise<void> {
    try {
      this.policies = await call<UpgradePolicies>(this.api, PATH, { signal: this.connected });
      // What was refused is still to be kept.
      if (this.draft === undefined) this.refusal = undefined;
    } catch (error) {
      this.refusal = readRefusal(error);
    }
  }
}

define("slip-upgrade-policy", SlipUpgradePolicy);
