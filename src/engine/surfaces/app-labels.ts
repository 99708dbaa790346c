import type { PairingTarget } from "../api.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { AvailableApp, Host } from "../ports/host.ts";
import type { CatalogView } from "./catalog-view.ts";

/** Ms the host's titles are kept, ms until an unreachable host is asked again, and ms a label waits for the host. */
const KEPT_MS = 600_000;
const ASK_AGAIN_MS = 30_000;
const WAIT_MS = 2_000;

type Titles = ReadonlyMap<string, AvailableApp>;

export interface AppLabels {
  /** Name and icon of an app: the script's metadata, else the host's catalog, else the raw id (docs/decisions.md, section 7). */
  of(appId: string, view: CatalogView): Promise<PairingTarget>;
  /** Grows when a label may have changed since it was last given. */
  readonly revision: number;
}

/**
 * Reads labels. The host is asked for all its titles at once, and never holds a label up for long: one that it answers
 * late, or not at all, is the last one known.
 */
export function createAppLabels(
  host: Pick<Host, "availableApps">,
  clock: Clock,
  logger: Logger,
  isAway: () => boolean = () => false,
): AppLabels {
  let titles: Titles = new Map();
  let asked: { readonly until: number; readonly answer: Promise<void> } | null = null;
  let revision = 0;

  async function ask(): Promise<number> {
    try {
      titles = new Map((await host.availableApps()).map((app) => [app.catalogApp, app]));
      revision += 1;
      return KEPT_MS;
    } catch (error) {
      logger.debug({ error }, "the host was not asked for the titles of its apps");
      return ASK_AGAIN_MS;
    }
  }

  function awaitAnswer(): Promise<void> {
    if (asked !== null && clock.monotonic() < asked.until) return asked.answer;
    const answer = new Promise<void>((resolve) => {
      const stop = clock.after(WAIT_MS, resolve);
      void ask().then((keptMs) => {
        stop();
        asked = { until: clock.monotonic() + keptMs, answer: Promise.resolve() };
        resolve();
      });
    });
    asked = { until: Number.POSITIVE_INFINITY, answer };
    return answer;
  }

  return {
    get revision() {
      // Whoever keeps what was made of labels asks again, so that they are read again in time.
      if (asked !== null && clock.monotonic() >= asked.until) void awaitAnswer();
      return revision;
    },
    async of(appId, view) {
      const metadata = view.apps.get(appId)?.dictionary?.metadata;
      if (metadata !== undefined) return { appId, name: metadata.name, icon: metadata.icon };
      const answer = awaitAnswer();
      if (titles.size === 0 && !isAway()) await answer;
      const found = titles.get(appId);
      return { appId, name: found?.title ?? appId, icon: found?.icon ?? "" };
    },
  };
}
