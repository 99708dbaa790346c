/**
 * A dialog under way: the choices so far, and how the engine judges them. Each change is judged anew after a pause; the
 * latest counts. What was typed outlives a closed dialog and a lost connection, until it is used.
 */
import type { ReactiveController } from "lit";
import { type ApiError, call, pathOf, readRefusal, whenSessionEnds } from "../../api/client.ts";
import type { Form, Preview, Task } from "../../api/types.ts";
import { tasksOf } from "../../state/task-store.ts";
import type { SlipElement } from "../../ui/element.ts";
import { type Choices, NO_CHOICES, toFormRequest, toRequest } from "./install/choices.ts";

/** Ms after the last change. */
const PAUSE_MS = 250;
/** Ms after which an engine that could not be reached is asked again. */
const AGAIN_MS = 2_000;

/** Choices of dialogs that were closed, by the app's address and the occasion; gone with the page, and with the session. */
const kept = new Map<string, Choices>();
whenSessionEnds(() => kept.clear());

/** Which dialog. `mode` undefined: the install or reinstall, as the engine finds it. */
export interface Subject {
  readonly api: string;
  readonly appId: string;
  readonly mode: Form["mode"] | undefined;
}

export class Draft implements ReactiveController {
  form: Form | undefined;
  /** Undefined until it was judged, and of an upgrade. */
  preview: Preview | undefined;
  /** Why it can't be judged or was not started; gone with the next answer. */
  refusal: ApiError | undefined;
  /** A start is under way. */
  isStarting = false;
  readonly #host: SlipElement;
  readonly #subject: () => Subject;
  #choices: Choices | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #judging: AbortController | undefined;
  /** Something has changed since the judgement under way began. */
  #isOvertaken = false;
  /** Which dialog is shown. */
  #begun: string | undefined;

  constructor(host: SlipElement, subject: () => Subject) {
    this.#host = host;
    this.#subject = subject;
    host.addController(this);
  }

  get choices(): Choices {
    this.#choices ??= kept.get(this.#key) ?? NO_CHOICES;
    return this.#choices;
  }

  /** Which dialog it is stands before the first update, not before it is connected. */
  hostUpdate(): void {
    const key = this.#key;
    if (this.#begun === key) return;
    this.#begun = key;
    this.#choices = undefined;
    Object.assign(this, { form: undefined, preview: undefined, refusal: undefined });
    void this.judge();
  }

  /** An element that was moved, or has another interface or app, begins anew with what was typed there. */
  hostConnected(): void {
    const { api, connected } = this.#host;
    tasksOf(api).onHint(({ type }) => {
      if (type !== "app.changed" && type !== "catalog.changed") return;
      // A press may wait for the judgement under way: it comes to its end.
      if (this.#judging === undefined) this.#later(PAUSE_MS);
      else this.#isOvertaken = true;
    }, connected);
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#judging?.abort();
    this.#begun = undefined;
  }

  /** Takes new choices; they are judged once nothing changes for a moment. */
  change(choices: Choices): void {
    this.#choices = choices;
    kept.set(this.#key, choices);
    this.#later(PAUSE_MS);
    this.#host.requestUpdate();
  }

  /** Forgets what was chosen. */
  discard(): void {
    kept.delete(this.#key);
    this.#choices = NO_CHOICES;
  }

  /** Has the engine judge the choices now; false where that failed, or where newer ones took their place. */
  async judge(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#judging?.abort();
    const judging = new AbortController();
    this.#judging = judging;
    const { signal } = judging;
    const { api, appId, mode } = this.#subject();
    const options = { method: "POST", query: { mode }, signal } as const;
    try {
      const body = toFormRequest(this.form, this.choices);
      const form = await call<Form>(api, pathOf("apps", appId, "form"), { ...options, body });
      const request = { ...options, body: toRequest(form, this.choices) };
      // The form of an upgrade says all that its preview would, and has the host asked once.
      const preview =
        mode === "upgrade" ? undefined : await call<Preview>(api, pathOf("apps", appId, "preview"), request);
      if (signal.aborted) return false;
      Object.assign(this, { form, preview, refusal: undefined });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.#fail(error);
      return false;
    } finally {
      if (!signal.aborted) this.#endJudging();
    }
  }

  #endJudging(): void {
    this.#judging = undefined;
    if (this.#isOvertaken) this.#later(PAUSE_MS);
    this.#isOvertaken = false;
    this.#host.requestUpdate();
  }

  /**
   * Starts what the dialog is about, as it was shown when it was pressed: of anything else it is refused. The choices are
   * used with it. Undefined where it is refused.
   */
  async start(
    lifecycle: "install" | "update" | "upgrade",
    revision = this.form?.request.revision,
  ): Promise<Task | undefined> {
    const { form } = this;
    if (form === undefined || this.isStarting) return undefined;
    // What is shown is started, whatever the dialog is about by now.
    const { appId } = form;
    const { api } = this.#subject();
    this.isStarting = true;
    this.#host.requestUpdate();
    try {
      const body = { ...toRequest(form, this.choices), revision };
      const task = await call<Task>(api, pathOf("apps", appId, lifecycle), { method: "POST", body });
      this.discard();
      return task;
    } catch (error) {
      this.#fail(error);
      return undefined;
    } finally {
      this.isStarting = false;
      this.#host.requestUpdate();
    }
  }

  get #key(): string {
    const { api, appId, mode = "install" } = this.#subject();
    return JSON.stringify([api, appId, mode]);
  }

  #fail(error: unknown): void {
    this.refusal = readRefusal(error);
    if (this.refusal?.status === 0 && !this.isStarting) this.#later(AGAIN_MS);
  }

  #later(pauseMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.judge(), pauseMs);
  }
}
