import type { PairingTarget } from "../api.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { CatalogView } from "./catalog-view.ts";

/** Ms a title the host gave is kept, and ms until an unreachable host is asked again. */
const KEPT_MS = 600_000;
const ASK_AGAIN_MS = 30_000;

export interface AppLabels {
  /** Name and icon of an app: the script's metadata, else the host's catalog, else the raw id (decisions.md 7). */
  of(appId: string, view: CatalogView): Promise<PairingTarget>;
  /** Grows when a label may have changed since it was last given. */
  readonly revision: number;
}

export function createAppLabels(host: Host, clock: Clock, logger: Logger): AppLabels {
  const known = new Map<string, { readonly until: number; readonly label: Promise<PairingTarget> }>();
  let revision = 0;

  async function ask(appId: string): Promise<PairingTarget> {
    try {
      const found = await host.availableApp(appId);
      return found === null ? rawLabel(appId) : { appId, name: found.title, icon: found.icon };
    } catch (error) {
      logger.debug({ appId, error }, "the host was not asked for an app's title");
      const until = clock.monotonic() + ASK_AGAIN_MS;
      known.set(appId, { until, label: Promise.resolve(rawLabel(appId)) });
      return rawLabel(appId);
    }
  }

  return {
    get revision() {
      const now = clock.monotonic();
      for (const [appId, { until }] of known) {
        if (until > now) continue;
        known.delete(appId);
        revision += 1;
      }
      return revision;
    },
    of(appId, view) {
      const metadata = view.apps.get(appId)?.dictionary?.metadata;
      if (metadata !== undefined) return Promise.resolve({ appId, name: metadata.name, icon: metadata.icon });
      const kept = known.get(appId);
      if (kept !== undefined) return kept.label;
      const label = ask(appId);
      known.set(appId, { until: clock.monotonic() + KEPT_MS, label });
      return label;
    },
  };
}

function rawLabel(appId: string): PairingTarget {
  return { appId, name: appId, icon: "" };
}
