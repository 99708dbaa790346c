/** Where the mounts of apps really lie: every link on the way is looked up, and believed for a while. */
import { resolvePath } from "../../../engine/look-along.ts";
import type { Clock } from "../../../engine/ports/environment.ts";
import type { Host } from "../../../engine/ports/host.ts";
import type { HostApp, HostPath } from "../../../engine/ports/host-records.ts";

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

  /** The app with the `realPath` of every mount whose path is not its own. */
  async addTo(app: HostApp): Promise<HostApp> {
    const mounts = await Promise.all(
      app.mounts.map(async (mount) => {
        const realPath = await resolvePath((path) => this.#ask(path), mount.hostPath);
        return realPath === mount.hostPath ? mount : { ...mount, realPath };
      }),
    );
    return { ...app, mounts };
  }

  /** A path that may not be read counts as gone, and keeps its name. */
  #ask(path: string): Promise<HostPath | null> {
    const now = this.#clock.monotonic();
    for (const [known, { until }] of this.#known) if (until <= now) this.#known.delete(known);
    const kept = this.#known.get(path);
    if (kept !== undefined) return kept.found;
    const found = this.#stat(path).catch(() => null);
    this.#known.set(path, { found, until: now + REALPATH_MS });
    return found;
  }
}
