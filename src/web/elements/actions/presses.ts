/** Pressing what starts a task: one at a time, what was started, and what was refused. */
import type { ReactiveController } from "lit";
import { ApiError, call, pathOf } from "../../api/client.ts";
import type { ActionEntry, ActionRequest, Task, UpgradeAllRequest } from "../../api/types.ts";
import type { SlipElement } from "../../ui/element.ts";
import { say } from "../../ui/say.ts";
import { words } from "../../ui/words.ts";

/** A request that starts a task. */
export interface Press {
  readonly api: string;
  /** Below `api`. */
  readonly path: string;
  readonly body?: ActionRequest | UpgradeAllRequest;
}

/** The press of an action of an app. */
export function toPress(
  api: string,
  appId: string,
  { hookId }: Pick<ActionEntry, "hookId">,
  body: ActionRequest,
): Press {
  return { api, path: pathOf("apps", appId, "actions", hookId), body };
}

/** Tells `slip-started {taskId, task}` of each task it starts. */
export class Presses implements ReactiveController {
  readonly #host: SlipElement;
  /** What was pressed last. */
  #last: Press | undefined;
  #isPressing = false;
  #started: { readonly title: string; readonly taskId: string } | undefined;
  #refusal: ApiError | undefined;

  constructor(host: SlipElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {}

  /** Whether the engine has not answered yet. */
  get isPressing(): boolean {
    return this.#isPressing;
  }

  /** The task of the last press. */
  get started(): { readonly title: string; readonly taskId: string } | undefined {
    return this.#started;
  }

  /** Why the last press started nothing. */
  get refusal(): ApiError | undefined {
    return this.#refusal;
  }

  /** Starts the task; a second press while the engine answers is none. */
  async press(press: Press): Promise<void> {
    if (this.#isPressing) return;
    this.#last = press;
    this.#isPressing = true;
    this.#refusal = undefined;
    this.#started = undefined;
    this.#host.requestUpdate();
    const { api, path, body } = press;
    try {
      const task = await call<Task>(api, path, { method: "POST", ...(body !== undefined && { body }) });
      const { id: taskId, title } = task;
      if (this.#last === press) this.#started = { title, taskId };
      say(words().actions.started(title));
      this.#host.tell("slip-started", { taskId, task });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.#last === press) this.#refusal = error;
    } finally {
      this.#isPressing = false;
      this.#host.requestUpdate();
    }
  }

  /** Presses again what was refused. */
  async again(): Promise<void> {
    if (this.#last !== undefined) await this.press(this.#last);
  }

  /** Forgets what was started or refused, and what is being pressed: it is of no app that is shown now. */
  clear(): void {
    this.#last = undefined;
    this.#started = undefined;
    this.#refusal = undefined;
    this.#host.requestUpdate();
  }
}
