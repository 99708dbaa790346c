import type { ChangedFiles } from "../../adapters/catalog/watch/watch-catalog.ts";
import { type ListedApp, listApps } from "../read-apps.ts";
import { listAppFiles } from "./app-files.ts";

/** What a change means for apps. */
export interface TouchedApps {
  /** Those to be looked at again, and new ones. */
  readonly touched: readonly ListedApp[];
  /** Ids of those whose last script is gone. */
  readonly removed: readonly string[];
}

/** The apps of a catalog that is being edited. */
export class EditedApps {
  readonly #catalog: string;
  /** Ids; none: every app. */
  readonly #wanted: ReadonlySet<string>;
  #apps: ReadonlyMap<string, ListedApp> = new Map();
  readonly #files = new Map<string, ReadonlySet<string>>();

  constructor(catalog: string, wanted: readonly string[]) {
    this.#catalog = catalog;
    this.#wanted = new Set(wanted);
  }

  /** Touches every app there is. Throws `CATALOG_UNREADABLE`, and `CLI_USAGE` for a wanted app that is not there. */
  async begin(): Promise<TouchedApps> {
    return this.#look(await listApps(this.#catalog, [...this.#wanted]), "all");
  }

  /** The apps a change is one of. Throws `CATALOG_UNREADABLE`. */
  async change(files: ChangedFiles): Promise<TouchedApps> {
    const all = await listApps(this.#catalog, []);
    return this.#look(
      all.filter(({ appId }) => this.#wanted.size === 0 || this.#wanted.has(appId)),
      files,
    );
  }

  /** Finds out what apps are made of: a change of it is one of theirs from then on. To be done after every look. */
  async learn(apps: readonly ListedApp[]): Promise<void> {
    for (const app of apps) this.#files.set(app.appId, await listAppFiles(app, this.#files.get(app.appId)));
  }

  #look(listed: readonly ListedApp[], changed: ChangedFiles): TouchedApps {
    const before = this.#apps;
    this.#apps = new Map(listed.map((app) => [app.appId, app]));
    const removed = [...before.keys()].filter((appId) => !this.#apps.has(appId));
    for (const appId of removed) this.#files.delete(appId);
    const touched = listed.filter((app) => {
      const files = this.#files.get(app.appId);
      const isSame = String(before.get(app.appId)?.files) === String(app.files);
      return !isSame || files === undefined || holdsChange(files, changed);
    });
    return { touched, removed };
  }
}

/** Whether one of the files changed, or a folder that one of them lies in. */
function holdsChange(files: ReadonlySet<string>, changed: ChangedFiles): boolean {
  if (changed === "all") return true;
  for (const file of files) {
    for (let path = file; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf("/"))))
      if (changed.has(path)) return true;
  }
  return false;
}
