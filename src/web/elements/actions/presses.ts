/** Pressing actions: one at a time, what was started, and what was refused. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { ApiError, call, pathOf } from "../../api/client.ts";
import type { ActionEntry, ActionRequest, Task } from "../../api/types.ts";
import { say } from "../../ui/say.ts";
import { words } from "../../ui/words.ts";

/** An action of an app, and how it is pressed. */
export interface Press {
  readonly api: string;
  readonly appId: string;
  readonly action: ActionEntry;
  readonly request: ActionRequest;
}

/** Tells `slip-started {taskId, task}` of each task it starts. */
export class Presses implements ReactiveController {
  readonly #host: ReactiveControllerHost & EventTarget;
  /** What was pressed last. */
  #last: Press | undefined;
  #isPressing = false;
  #started: { readonly title: string; readonly taskId: string } | undefined;
  #refusal: ApiError | undefined;

  constructor(host: ReactiveControllerHost & EventTarget) {
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

  /** Runs an action; a second press while the engine answers is none. */
  async press(press: Press): Promise<void> {
    if (this.#isPressing) return;
    this.#last = press;
    this.#isPressing = true;
    this.#refusal = undefined;
    this.#started = undefined;
    this.#host.requestUpdate();
    const { api, appId, action, request } = press;
    try {
      const path = pathOf("apps", appId, "actions", action.hookId);
      const task = await call<Task>(api, path, { method: "POST", body: request });
      this.#started = { title: action.title, taskId: task.id };
      say(words().actions.started(action.title));
      const detail = { taskId: task.id, task };
      this.#host.dispatchEvent(new CustomEvent("slip-started", { detail, bubbles: true, composed: true }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#refusal = error;
    } finally {
      this.#isPressing = false;
      this.#host.requestUpdate();
    }
  }

  /** Presses again what was refused. */
  async again(): Promise<void> {
    if (this.#last !== undefined) await this.press(this.#last);
  }

  /** Forgets what was started or refused. */
  clear(): void {
    this.#started = undefined;
    this.#refusal = undefined;
    this.#host.requestUpdate();
  }
}
