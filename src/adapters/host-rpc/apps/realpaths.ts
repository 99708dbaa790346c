/** Where the mounts of apps really lie: symlinks resolved by the host, and believed for a while. */
import type { Clock } from "../../../engine/ports/environment.ts";
import type { Host } from "../../../engine/ports/host.ts";
import type { HostApp } from "../../../engine/ports/host-records.ts";

/** How long a resolved path is believed, ms. */
const REALPATH_MS = 60_000;

/** Resolves the mounts of apps; the host is asked once a minute for a path, however many apps mount it. */
export class Realpaths {
  readonly #clock: Clock;
  readonly #stat: Host["stat"];
  readonly #known = new Map<string, { readonly path: Promise<string>; readonly until: number }>();

  constructor(clock: Clock, stat: Host["stat"]) {
    this.#clock = clock;
    this.#stat = stat;
  }

  /** The app with the `realPath` of every mount whose path is not its own. */
  async addTo(app: HostApp): Promise<HostApp> {
    const mounts = await Promise.all(
      app.mounts.map(async (mount) => {
        const realPath = await this.#resolve(mount.hostPath);
        return realPath === mount.hostPath ? mount : { ...mount, realPath };
      }),
    );
    return { ...app, mounts };
  }

  /** A path that is gone, or that may not be read, keeps its name. */
  #resolve(path: string): Promise<string> {
    const now = this.#clock.monotonic();
    for (const [known, { until }] of this.#known) if (until <= now) this.#known.delete(known);
    const kept = this.#known.get(path);
    if (kept !== undefined) return kept.path;
    const asked = this.#stat(path).then(
      (found) => found?.realpath ?? path,
      () => path,
    );
    this.#known.set(path, { path: asked, until: now + REALPATH_MS });
    return asked;
  }
}
