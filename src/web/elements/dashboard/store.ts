/** The dashboard as the engine has it, and what was changed of it here. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { type ApiError, call, readRefusal } from "../../api/client.ts";
import type { AllWidgets, AppWidget, Dashboard, DashboardRequest, DashboardTile } from "../../api/types.ts";
import { toRequest } from "./arrange.ts";

/** Changes are shown at once and sent one after the other; while one is under way, what is read does not count. */
export class DashboardStore implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #api: () => string;
  #sending: Promise<void> = Promise.resolve();
  #unsent = 0;
  #readings = 0;
  tiles: readonly DashboardTile[] | undefined;
  isArranged = false;
  /** Widgets of the installed apps; empty before `readWidgets`. */
  widgets: readonly AppWidget[] = [];
  refusal: ApiError | undefined;

  constructor(host: ReactiveControllerHost, api: () => string) {
    this.#host = host;
    this.#api = api;
    host.addController(this);
  }

  hostConnected(): void {}

  /** Reads it; a later reading, or a change made meanwhile, counts in its place. */
  async read(): Promise<void> {
    this.#readings += 1;
    const mine = this.#readings;
    await this.#try(async () => {
      const found = await call<Dashboard>(this.#api(), "/dashboard");
      if (mine === this.#readings && this.#unsent === 0) this.#take(found);
    });
  }

  /** Reads what can be put there. */
  async readWidgets(): Promise<void> {
    await this.#try(async () => {
      const { widgets } = await call<AllWidgets>(this.#api(), "/widgets", { query: { installed: true } });
      this.widgets = widgets;
    });
  }

  /** Puts tiles there. Where the engine refuses, what it has is shown again. */
  put(tiles: readonly DashboardTile[]): Promise<void> {
    this.tiles = tiles;
    this.isArranged = true;
    return this.#send(toRequest(tiles));
  }

  /** Has the widgets of the installed apps there again. */
  reset(): Promise<void> {
    return this.#send({ tiles: null });
  }

  #send(body: DashboardRequest): Promise<void> {
    this.#unsent += 1;
    this.#readings += 1;
    this.#host.requestUpdate();
    this.#sending = this.#sending.then(async () => {
      const isTaken = await this.#try(async () => {
        const found = await call<Dashboard>(this.#api(), "/dashboard", { method: "PUT", body });
        if (this.#unsent === 1) this.#take(found);
      });
      this.#unsent -= 1;
      if (isTaken || this.#unsent > 0) return;
      const { refusal } = this;
      await this.read();
      this.refusal = refusal;
      this.#host.requestUpdate();
    });
    return this.#sending;
  }

  #take({ tiles, arranged }: Dashboard): void {
    this.tiles = tiles;
    this.isArranged = arranged;
  }

  async #try(step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      this.refusal = undefined;
      return true;
    } catch (error) {
      this.refusal = readRefusal(error);
      return false;
    } finally {
      this.#host.requestUpdate();
    }
  }
}
