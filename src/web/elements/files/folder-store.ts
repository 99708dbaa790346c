/** One folder in pages, and what the apps can do with what is selected in it. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { type ApiError, call, readRefusal } from "../../api/client.ts";
import type { FileAction, FileActions, FileEntry, Folder } from "../../api/types.ts";
import type { Selection } from "./selection.ts";

/** What was asked for last counts; everything before it is dropped. */
export class FolderStore implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #api: () => string;
  #path = "";
  #reading: AbortController | undefined;
  #asking: AbortController | undefined;
  /** `after` of the pages up to the one that is shown. */
  #pages: readonly (string | undefined)[] = [undefined];
  folder: Folder | undefined;
  /** The host's locations; empty until they are known. */
  locations: readonly FileEntry[] = [];
  refusal: ApiError | undefined;
  isReading = false;
  selection: Selection = new Set();
  /** Undefined while the engine is asked. */
  actions: readonly FileAction[] | undefined = [];
  actionRefusal: ApiError | undefined;

  constructor(host: ReactiveControllerHost, api: () => string) {
    this.#host = host;
    this.#api = api;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#reading?.abort();
    this.#asking?.abort();
  }

  /** Number of the page that is shown, from 1. */
  get page(): number {
    return this.#pages.length;
  }

  /** Opens another folder at its first page; `""` are the locations. */
  open(path: string): Promise<void> {
    this.#path = path;
    this.folder = undefined;
    this.select(new Set());
    return this.#show([undefined]);
  }

  /** Shows the page after or before this one. */
  turn(by: 1 | -1): Promise<void> {
    const next = this.folder?.next;
    if (by === -1) return this.#show(this.#pages.length > 1 ? this.#pages.slice(0, -1) : this.#pages);
    return this.#show(next === undefined ? this.#pages : [...this.#pages, next]);
  }

  /** Reads the page that is shown again. */
  again(): Promise<void> {
    return this.#show(this.#pages);
  }

  /** Takes what is selected, and asks what can be done with it. */
  select(selection: Selection): void {
    this.selection = selection;
    void this.askActions();
  }

  /** Asks what can be done with the selection. */
  async askActions(): Promise<void> {
    this.#asking?.abort();
    this.#asking = undefined;
    this.actionRefusal = undefined;
    this.actions = this.selection.size === 0 ? [] : undefined;
    this.#host.requestUpdate();
    if (this.selection.size === 0) return;
    const asking = new AbortController();
    this.#asking = asking;
    const body = { files: [...this.selection] };
    const { signal } = asking;
    try {
      const { actions } = await call<FileActions>(this.#api(), "/files/actions", { method: "POST", body, signal });
      if (!signal.aborted) this.actions = actions;
    } catch (error) {
      if (signal.aborted) return;
      this.actionRefusal = readRefusal(error);
      this.actions = [];
    }
    this.#host.requestUpdate();
  }

  async #show(pages: readonly (string | undefined)[]): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const read = (query: Record<string, string | undefined>) => call<Folder>(this.#api(), "/files", { query, signal });
    this.isReading = true;
    this.refusal = undefined;
    this.#host.requestUpdate();
    try {
      const path = this.#path === "" ? undefined : this.#path;
      const folder = await read({ path, after: pages.at(-1) });
      const isKnown = this.locations.length > 0;
      const locations = path === undefined ? folder.entries : isKnown ? this.locations : (await read({})).entries;
      if (signal.aborted) return;
      this.#pages = pages;
      this.folder = folder;
      this.locations = locations;
    } catch (error) {
      if (signal.aborted) return;
      this.refusal = readRefusal(error);
    }
    this.isReading = false;
    this.#host.requestUpdate();
  }
}
