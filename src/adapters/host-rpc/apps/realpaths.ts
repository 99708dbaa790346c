/** Where the mounts of apps really lie: every link on the way is looked up, and believed for a while. */
import { isHostRefusal } from "../../../engine/host-error.ts";
import { resolvePath } from "../../../engine/look-along.ts";
import type { Clock } from "../../../engine/ports/environment.ts";
import type { Host } from "../../../engine/ports/host.ts";
import type { HostApp, HostMount, HostPath } from "../../../engine/ports/host-records.ts";

/** How long an answer about a path is believed, ms. */
const REALPATH_MS = 60_000;

/** Resolves the mounts of apps. The host is asked once a minute for a directory, however many mounts lie below it. */
export class Realpaths {
  readonly #clock: Clock;
  readonly #stat: Host["stat"];
  readonly #known = new Map<string, { readonly found: Promise<HostPath | null>; readonly until: number }>();

  constructor(clock: Clock, stat: Host["stat"]) {
    this.#clock = clock;
    this.#stat = stat;
  }

  /**
   * The apps with the `realPath` of every mount whose path is not its own. An app is partial if the host refuses to say
   * where one of its mounts lies: a directory of another app may be there. Rejects if the host is away, busy, or the
   * connection ends.
   */
  async addTo(apps: readonly HostApp[]): Promise<readonly HostApp[]> {
    const now = this.#clock.monotonic();
    for (const [path, { until }] of this.#known) if (until <= now) this.#known.delete(path);
    return Promise.all(apps.map((app) => this.#addToOne(app)));
  }

  async #addToOne(app: HostApp): Promise<HostApp> {
    const found = await Promise.all(app.mounts.map(async (mount) => [mount, await this.#resolve(mount)] as const));
    const mounts = found.map(([mount, real]) =>
      real === null || real === mount.hostPath ? mount : { ...mount, realPath: real },
    );
    return { ...app, mounts, ...(found.some(([, real]) => real === null) && { isPartial: true }) };
  }

  /** null: the host does not say. */
  async #resolve({ hostPath }: HostMount): Promise<string | null> {
    try {
      return await resolvePath((path) => this.#ask(path), hostPath);
    } catch (error) {
      if (isHostRefusal(error)) return null;
      throw error;
    }
  }

  /** Failures are not kept: the next question may succeed. */
  #ask(path: string): Promise<HostPath | null> {
    const kept = this.#known.get(path);
    if (kept !== undefined) return kept.found;
    const known = { found: this.#stat(path), until: this.#clock.monotonic() + REALPATH_MS };
    this.#known.set(path, known);
    known.found.catch(() => {
      if (this.#known.get(path) === known) this.#known.delete(path);
    });
    return known.found;
  }
}
