/** One look after another at the apps this engine has changed, or could adopt, and what they have found. */
import type { DriftFinding } from "../../core/drift/drift-types.ts";
import { findDrift, findUnknown } from "../../core/drift/find-drift.ts";
import type { Drift } from "../api.ts";
import { readChangedBy } from "../effects/app/note-change.ts";
import { findApp } from "../find-app.ts";
import { HostError, isHostAway } from "../host-error.ts";
import type { Host } from "../ports/host.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { Store } from "../ports/store.ts";
import type { LoggedRow } from "../ports/store-rows.ts";
import { findLifecycle } from "../runtime/claims.ts";
import type { CatalogView } from "../surfaces/catalog-view.ts";
import { believeApp } from "./believe-app.ts";
import { isForeign, type LeftStore } from "./left-app.ts";
import { seeApp } from "./see-app.ts";

/** Most apps of one look; the next one begins with the others. */
const APPS_PER_LOOK = 100;
/** Most entries of the event log that are read for one app; where more happened during a look, the next one tells. */
const MOST_ENTRIES = 1_000;

export interface LookDeps {
  /** Rejects soon where the host is away. */
  readonly host: Pick<Host, "apps" | "appConfig" | "stat" | "shares" | "user" | "group" | "dataset" | "datasetOf">;
  readonly store: LeftStore & Pick<Store, "holder" | "lastSeq" | "logAfter">;
  readonly view: () => CatalogView;
}

type Skipped = Drift["skipped"][number];

/** What one look has asked once for all apps. */
interface Looked {
  /** Number of the newest entry of the event log before anything was asked. */
  readonly since: number;
  readonly apps: readonly HostApp[];
  /** Paths of the host's shares. */
  readonly shares: () => Promise<ReadonlySet<string>>;
}

/** Nothing is kept of an app that is not looked at any more. */
export class DriftLook {
  readonly #deps: LookDeps;
  /** By app id; kept over looks that leave the app out. */
  readonly #findings = new Map<string, readonly DriftFinding[]>();
  /** Number of the look each app was last looked at in. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(deps: LookDeps) {
    this.#deps = deps;
  }

  /** By app id. */
  findings(): readonly DriftFinding[] {
    return [...this.#findings.keys()].toSorted().flatMap((appId) => this.#findings.get(appId) ?? []);
  }

  /** The apps that were left out. Rejects where the host is away, with the signal's reason, and as the store does. */
  async run(signal: AbortSignal): Promise<readonly Skipped[]> {
    const { host, store } = this.#deps;
    const since = store.lastSeq();
    const apps = await host.apps();
    signal.throwIfAborted();
    const shares = askOnce(async () => new Set((await host.shares()).map(({ path }) => path)));
    const skipped: Skipped[] = [];
    this.#turn += 1;
    for (const appId of this.#listDue(apps)) {
      this.#turns.set(appId, this.#turn);
      const code = await this.#lookAt(appId, { since, apps, shares }, signal);
      signal.throwIfAborted();
      if (code !== null) skipped.push({ appId, code });
    }
    return skipped;
  }

  /** The apps this engine has changed or could adopt, those first that were not looked at for longest; forgets the others. */
  #listDue(apps: readonly HostApp[]): readonly string[] {
    const { store, view } = this.#deps;
    const { apps: shown, hidden } = view();
    const ids = new Set([...shown.keys(), ...hidden, ...apps.map(({ appId }) => appId), ...this.#findings.keys()]);
    const kept = [...ids]
      .filter((appId) => readChangedBy(store, appId) !== null || this.#findForeign(appId, apps) !== null)
      .toSorted();
    for (const appId of this.#findings.keys()) if (!kept.includes(appId)) this.#findings.delete(appId);
    const turnOf = (appId: string) => this.#turns.get(appId) ?? 0;
    return kept.toSorted((a, b) => turnOf(a) - turnOf(b)).slice(0, APPS_PER_LOOK);
  }

  /** The app as the host has it, where an adoption would take it over; else null. */
  #findForeign(appId: string, apps: readonly HostApp[]): HostApp | null {
    const { store, view } = this.#deps;
    const dictionary = view().apps.get(appId)?.dictionary;
    const app = findApp(apps, appId);
    if (!dictionary || dictionary.custom || app === null || app.custom) return null;
    return isForeign(store, appId) ? app : null;
  }

  /**
   * Whether a task is at work on the app, or was since the host was first asked: what it said then may be of before, and
   * what is kept of the app is of after.
   */
  #isBusySince(appId: string, since: number): boolean {
    const { store } = this.#deps;
    if (findLifecycle(store, appId) !== null) return true;
    if (store.lastSeq() === since) return false;
    const entries = store.logAfter(since, MOST_ENTRIES);
    return entries.length === MOST_ENTRIES || entries.some((entry) => isOfApp(entry, appId));
  }

  /** Why the app was left out, or null. */
  async #lookAt(appId: string, looked: Looked, signal: AbortSignal): Promise<Skipped["code"] | null> {
    const { host, store, view } = this.#deps;
    if (this.#isBusySince(appId, looked.since)) return "TASK_CONFLICT";
    const installed = new Set(looked.apps.map((app) => app.appId));
    const foreign = this.#findForeign(appId, looked.apps);
    const unknown = foreign === null ? [] : [findUnknown(appId, foreign.name)];
    const believed = believeApp(store, view(), appId, (id) => installed.has(id));
    if (believed === null) {
      this.#findings.set(appId, unknown);
      return null;
    }
    try {
      const seen = await seeApp(host, believed, looked, signal);
      signal.throwIfAborted();
      if (this.#isBusySince(appId, looked.since)) return "TASK_CONFLICT";
      this.#findings.set(appId, [...unknown, ...findDrift(believed, seen)]);
      return null;
    } catch (error) {
      if (isHostAway(error) || !(error instanceof HostError) || error.delivery !== "yes") throw error;
      return error.code;
    }
  }
}

function isOfApp(entry: LoggedRow, appId: string): boolean {
  const { task } = entry;
  return task.appId === appId && task.kind !== "hook" && task.kind !== "link";
}

function askOnce<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null;
  return () => {
    answer ??= ask();
    return answer;
  };
}
