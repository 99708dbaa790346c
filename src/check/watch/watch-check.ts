/**
 * Checks the apps of a catalog again and again while it is edited.
 *
 * Invariants:
 * 1. An app is played once at a time, and what is told last of it was read after its last change: a change of an app that is
 *    being played ends that play and begins another.
 * 2. Nothing is left running once it has ended: whoever waits, waits for the plays too.
 */
import { type AuthorCheck, createAuthorCheck } from "../../adapters/catalog/file-check/author-check.ts";
import { type CatalogWatch, watchCatalog } from "../../adapters/catalog/watch/watch-catalog.ts";
import { checkApp } from "../check-app.ts";
import { LEVELS } from "../levels/levels.ts";
import { CatalogNeighbours } from "../neighbours.ts";
import { type ListedApp, readApp } from "../read-apps.ts";
import type { CheckOptions, CheckView } from "../run-check.ts";
import { Worlds } from "../world/worlds.ts";
import { EditedApps, type TouchedApps } from "./edited-apps.ts";

/** Is told what a check does that goes on. */
export interface WatchView extends Omit<CheckView, "begin"> {
  /** An app whose scripts are gone. */
  removed(appId: string): void;
  /** Everything is checked that has changed so far. */
  rested(): void;
}

/**
 * Checks apps, and those that change, until the signal comes. Throws `CATALOG_UNREADABLE`, also when the catalog goes away,
 * and `CLI_USAGE`.
 */
export async function watchCheck(options: CheckOptions, view: WatchView): Promise<void> {
  const { signal, catalog } = options;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  ended.catch(() => undefined);
  const plays = new Plays(options, view, reject);
  const edited = new EditedApps(catalog, options.apps);
  // One look after the other: each compares with the one before.
  let last = Promise.resolve();
  const look = (how: () => Promise<TouchedApps>): void => {
    last = last
      .then(async () => {
        const { touched, removed } = await how();
        plays.take(touched, removed);
        await edited.learn(touched);
      })
      .catch(reject);
  };
  let watched: CatalogWatch | null = null;
  try {
    watched = await watchCatalog(catalog, { changed: (files) => look(() => edited.change(files)), failed: reject });
    look(() => edited.begin());
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
    await ended;
  } finally {
    watched?.close();
    await Promise.all([plays.close(), last]);
  }
}

/** Plays apps, so many at a time, with what is warm. */
class Plays {
  readonly #options: CheckOptions;
  readonly #view: WatchView;
  readonly #check: AuthorCheck = createAuthorCheck();
  readonly #worlds = new Worlds();
  readonly #waiting = new Map<string, ListedApp>();
  readonly #playing = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  readonly #failed: (error: unknown) => void;
  #isAtRest = false;
  #isClosed = false;

  /** `failed` is told of a fault that is no app's. */
  constructor(options: CheckOptions, view: WatchView, failed: (error: unknown) => void) {
    this.#options = options;
    this.#view = view;
    this.#failed = failed;
    this.#check.prepare();
  }

  /** Plays apps as soon as there is room, and tells of apps that are gone; what is being played of either is stopped. */
  take(apps: readonly ListedApp[], gone: readonly string[]): void {
    if (apps.length + gone.length > 0) this.#isAtRest = false;
    for (const appId of gone) {
      this.#waiting.delete(appId);
      this.#playing.get(appId)?.stop.abort();
      this.#view.removed(appId);
    }
    for (const app of apps) {
      this.#waiting.set(app.appId, app);
      this.#playing.get(app.appId)?.stop.abort();
    }
    this.#goOn();
  }

  /** Stops everything; resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    for (const { stop } of this.#playing.values()) stop.abort();
    await Promise.all([...this.#playing.values()].map(({ ended }) => ended));
    await Promise.all([this.#check.close(), this.#worlds.close()]);
  }

  #goOn(): void {
    if (this.#isClosed) return;
    for (const [appId, app] of this.#waiting) {
      if (this.#playing.size >= this.#options.jobs) break;
      if (this.#playing.has(appId)) continue;
      this.#waiting.delete(appId);
      const stop = new AbortController();
      this.#playing.set(appId, { stop, ended: this.#play(app, stop.signal) });
    }
    if (this.#playing.size > 0 || this.#isAtRest) return;
    this.#isAtRest = true;
    this.#view.rested();
  }

  async #play(app: ListedApp, stopped: AbortSignal): Promise<void> {
    const { appId } = app;
    const signal = AbortSignal.any([this.#options.signal, stopped]);
    const levels = LEVELS.filter(({ number }) => number <= this.#options.level);
    const playing = ({ number }: { readonly number: number }) => this.#view.playing(appId, number);
    try {
      const subject = await readApp(app, this.#check, this.#options.schemas);
      signal.throwIfAborted();
      // read anew each time: others may have changed since
      const neighbours = new CatalogNeighbours(this.#options.catalog);
      const worlds = this.#worlds;
      const report = await checkApp(subject, { ...this.#options, signal, levels, worlds, neighbours, playing });
      if (!stopped.aborted) this.#view.ended(report);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    } finally {
      this.#playing.delete(appId);
      this.#goOn();
    }
  }
}
