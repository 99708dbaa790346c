/** A refusal in words: what was refused, what to do about it, and its code for whoever looks it up. */
import { css, html, nothing, type TemplateResult } from "lit";
import type { ApiError } from "../api/client.ts";
import type { SlipElement } from "./element.ts";
import { icon } from "./icons.ts";
import type { Words } from "./words.ts";

export const refusalStyles = css`
  .refusal {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 4px 10px;
    padding: 10px 12px;
    border-radius: calc(var(--radius) - 2px);
    background: var(--bad-soft);
    color: var(--bad);
  }
  .refusal > div {
    display: grid;
    gap: 4px;
    justify-items: start;
  }
  .refusal button {
    color: var(--text);
  }
  .refusal .ways {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .refusal code {
    font-family: var(--mono);
    font-size: 0.8125em;
  }
`;

/** What a dialog says and offers of its own. */
export interface RefusalWays {
  /** Said where the engine can't be reached. */
  readonly unreachable?: string;
  /** Buttons beside the one that tries again. */
  readonly ways?: TemplateResult | typeof nothing;
}

/** Renders it; with `again` a button that tries it again, which happens by itself once the connection is back. */
export function renderRefusal(
  { code, details, message, isPassing }: ApiError,
  { common, app }: Words,
  again?: () => unknown,
  { unreachable = app.unreachable, ways = nothing }: RefusalWays = {},
): TemplateResult {
  // A database that is only looked at has no such thing: nothing is broken.
  if (code === "HTTP_READ_ONLY") return html`<p class="muted">${message}</p>`;
  const isAway = code === "UNREACHABLE";
  const isClosing = code === "TASK_ENGINE_DRAINING";
  const hint = isClosing ? nothing : html`<span>${details?.hint}</span>`;
  return html`<div class="refusal" role="alert">
    ${icon(isAway ? "cloud-off" : isClosing ? "clock" : "triangle-alert")}
    <div>
      <strong>${isAway ? unreachable : isClosing ? app.draining : message}</strong>
      ${details === undefined ? nothing : html`${hint}<code>${code}</code>`}
      ${
        again === undefined
          ? nothing
          : html`<p class="ways"><button type="button" class="again" @click=${again} @live=${isPassing ? again : nothing}>${common.tryAgain}</button>${ways}</p>`
      }
    </div>
  </div>`;
}

/** The way to the task that is in the way, where one is known: `slip-open-task {taskId}`. */
export function renderTaskWay(
  words: Words,
  taskId: string | undefined,
  from: Pick<SlipElement, "tell">,
): TemplateResult | typeof nothing {
  if (taskId === undefined) return nothing;
  const open = () => from.tell("slip-open-task", { taskId });
  return html`<button type="button" @click=${open}>${words.dialog.showTask}</button>`;
}
