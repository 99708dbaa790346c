import type { PairingTarget } from "../api.ts";
import type { Clock, Logger } from "../ports/environment.ts";
import type { Host } from "../ports/host.ts";
import type { AvailableApp } from "../ports/host-records.ts";
import type { CatalogView } from "./catalog-view.ts";

/** Ms the host's titles are kept, ms until an unreachable host is asked again, and ms a label waits for the host. */
const KEPT_MS = 600_000;
const ASK_AGAIN_MS = 30_000;
const WAIT_MS = 2_000;

type Titles = ReadonlyMap<string, AvailableApp>;

export interface AppLabels {
  /** Name and icon of an app: the script's metadata, else the host's catalog, else the raw id (docs/decisions.md, section 7). */
  of(appId: string, view: CatalogView): Promise<PairingTarget>;
  /** The name alone, as far as it is known without asking the host. */
  known(appId: string, view: CatalogView): string | undefined;
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
  return new HostLabels({ host, clock, logger, isAway });
}

interface LabelDeps {
  readonly host: Pick<Host, "availableApps">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isAway: () => boolean;
}

class HostLabels implements AppLabels {
  readonly #deps: LabelDeps;
  #titles: Titles = new Map();
  #asked: { readonly until: number; readonly answer: Promise<void> } | null = null;
  #revision = 0;

  constructor(deps: LabelDeps) {
    this.#deps = deps;
  }

  get revision(): number {
    // Whoever keeps what was made of labels asks again, so that they are read again in time.
    if (this.#asked !== null && this.#deps.clock.monotonic() >= this.#asked.until) void this.#awaitAnswer();
    return this.#revision;
  }

  async of(appId: string, view: CatalogView): Promise<PairingTarget> {
    const metadata = view.apps.get(appId)?.dictionary?.metadata;
    if (metadata !== undefined) return { appId, name: metadata.name, icon: metadata.icon };
    const answer = this.#awaitAnswer();
    if (this.#titles.size === 0 && !this.#deps.isAway()) await answer;
    const found = this.#titles.get(appId);
    return { appId, name: found?.title ?? appId, icon: found?.icon ?? "" };
  }

  known(appId: string, view: CatalogView): string | undefined {
    return view.apps.get(appId)?.dictionary?.metadata?.name ?? this.#titles.get(appId)?.title;
  }

  /** Resolves with the ms its answer is good for. */
  async #ask(): Promise<number> {
    const { host, logger } = this.#deps;
    try {
      this.#titles = new Map((await host.availableApps()).map((app) => [app.catalogApp, app]));
      this.#revision += 1;
      return KEPT_MS;
    } catch (error) {
      logger.debug({ error }, "the host was not asked for the titles of its apps");
      return ASK_AGAIN_MS;
    }
  }

  #awaitAnswer(): Promise<void> {
    const { clock } = this.#deps;
    if (this.#asked !== null && clock.monotonic() < this.#asked.until) return this.#asked.answer;
    const answer = new Promise<void>((resolve) => {
      const stop = clock.after(WAIT_MS, resolve);
      void this.#ask().then((keptMs) => {
        stop();
        this.#asked = { until: clock.monotonic() + keptMs, answer: Promise.resolve() };
        resolve();
      });
    });
    this.#asked = { until: Number.POSITIVE_INFINITY, answer };
    return answer;
  }
}
