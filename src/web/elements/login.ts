/** `slip-login`: asks for the token and takes the browser's session for it. Tells `slip-logged-in`. */
import { css, html, nothing } from "lit";
import { type ApiError, call, readRefusal } from "../api/client.ts";
import { keepSessionKey } from "../api/session-key.ts";
import type { Session } from "../api/types.ts";
import { tasksOf } from "../state/task-store.ts";
import { define, SlipElement } from "../ui/element.ts";
import { formatDuration } from "../ui/format/format.ts";
import { icon } from "../ui/icons.ts";
import { refusalStyles } from "../ui/refusal.ts";

class SlipLogin extends SlipElement {
  static override properties = { ...SlipElement.properties, refusal: { state: true }, isBusy: { state: true } };
  static override styles = [
    ...SlipElement.styles,
    refusalStyles,
    css`
      form {
        display: grid;
        gap: 14px;
        width: min(420px, 100%);
        margin: 8vh auto;
      }
      label {
        display: grid;
        gap: 4px;
      }
    `,
  ];

  declare refusal: ApiError | undefined;
  declare isBusy: boolean;

  constructor() {
    super();
    this.isBusy = false;
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  protected override render() {
    const { words, refusal, isBusy } = this;
    const { login } = words;
    return html`<form class="card" @submit=${this.#submit}>
      <h1>${login.enter}</h1>
      <p class="muted">${login.where}</p>
      <label
        >${login.token}
        <input
          type="password"
          name="token"
          required
          autocomplete="current-password"
          aria-invalid=${refusal === undefined ? "false" : "true"}
          aria-describedby="refusal"
        />
      </label>
      <div id="refusal" role="alert">
        ${refusal === undefined ? nothing : html`<p class="refusal">${icon("circle-x")} <span>${this.#explain(refusal)}</span></p>`}
      </div>
      <button class="primary" aria-disabled=${isBusy ? "true" : "false"}>${login.enter}</button>
    </form>`;
  }

  #explain({ code, details, message }: ApiError): string {
    const { login, app } = this.words;
    if (code === "HTTP_UNAUTHORIZED") return login.wrong;
    if (code === "HTTP_RATE_LIMITED") return login.wait(formatDuration((details?.retryAfter ?? 10) * 1_000));
    if (code === "HTTP_NOT_FOUND") return login.elsewhere;
    return code === "UNREACHABLE" ? app.unreachable : (details?.detail ?? message);
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const input = this.renderRoot.querySelector("input");
    if (input === null || this.isBusy) return;
    this.isBusy = true;
    this.refusal = undefined;
    try {
      const body = { token: input.value.trim() };
      const { key } = await call<Session>(this.api, "/session", { method: "POST", body });
      keepSessionKey(key);
      input.value = "";
      tasksOf(this.api).reopen();
      this.tell("slip-logged-in", {});
    } catch (error) {
      this.refusal = readRefusal(error);
      input.select();
    } finally {
      this.isBusy = false;
    }
  }
}

define("slip-login", SlipLogin);
