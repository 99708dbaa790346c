import type { EngineHint } from "../api.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Store } from "../ports/store.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { CatalogView } from "../surfaces/catalog-view.ts";
import type { HostAnswers } from "../surfaces/host-answers.ts";
import { HintHub } from "./hint-hub.ts";
import { AppWatch } from "./watch-apps.ts";

export interface Hints {
  tell(hint: EngineHint): void;
  watch(signal?: AbortSignal): AsyncIterable<EngineHint>;
  /** Ends every watcher. */
  close(): void;
}

export interface HintsDeps {
  readonly clock: Pick<Clock, "after">;
  readonly logger: Logger;
  readonly answers: Pick<HostAnswers, "apps" | "facts">;
  readonly runtime: Pick<Runtime, "watch">;
  readonly store: Pick<Store, "lastSeq">;
  /** Told when the host says something else of an app. */
  readonly onAppsChanged: () => void;
  /** The catalog as people see it: of internal apps nobody is told. */
  readonly view: () => Pick<CatalogView, "hidden">;
}

/** Makes an engine's hints; the host is asked for its apps only while somebody watches. */
export function createHints({ clock, logger, answers, runtime, store, onAppsChanged, view }: HintsDeps): Hints {
  const apps = new AppWatch({
    clock,
    logger,
    askApps: () => answers.apps(),
    changes: (signal) => runtime.watch(store.lastSeq(), signal),
    onChange: async (appIds) => {
      onAppsChanged();
      // Whoever reads anew for the hint must not be shown facts that were kept from before it.
      await answers.facts().catch(() => {});
      for (const appId of appIds) if (!view().hidden.has(appId)) hub.tell({ type: "app.changed", appId });
    },
  });
  const hub = new HintHub(clock, (isWatched) => (isWatched ? apps.start() : apps.stop()));
  return {
    tell: (hint) => hub.tell(hint),
    watch: (signal) => hub.watch(signal),
    close: () => {
      apps.stop();
      hub.close();
    },
  };
}
