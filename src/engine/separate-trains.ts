/**
 * The host with its apps told apart by train: a catalog id is not unique, and `community/nextcloud` is another app than
 * `stable/nextcloud`.
 *
 * Invariants:
 * 1. A script means the train `availableApp` takes, and for an app this engine has installed or adopted the train it came
 *    from.
 * 2. An app of another train that has the id too is `<id>@<train>`: no script, answer or action is its.
 * 3. An app whose train has lost the id, because the catalog has moved it, keeps its id.
 * 4. Reading apps does not depend on the catalog: the last known one counts. As long as none is known, an app of another train
 *    than the one this engine has installed or adopted is another app.
 */
import type { Clock, Logger } from "./ports/environment.ts";
import type { Host } from "./ports/host.ts";
import type { HostApp } from "./ports/host-records.ts";
import type { Store } from "./ports/store.ts";
import { answerIfSoon } from "./standing/answer-promptly.ts";

/** The setting of an app that holds the train it was installed from, or found in when it was adopted. */
export const TRAIN = "train";

/** Ms the trains of the host's catalog are believed: they change when its authors move an app. */
const TRAINS_MS = 600_000;
/** Ms the host is not asked for its catalog again after it could not be read. */
const PAUSE_MS = 10_000;
/** Ms a question about apps waits for the host's catalog, whose first sync takes minutes. */
const PATIENCE_MS = 5_000;

interface TrainDeps {
  readonly store: Pick<Store, "setting">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The same host; `apps`, `app` and `facts` give each app the id the engine knows it by. */
export function separateTrains(host: Host, deps: TrainDeps): Host {
  const separated = new SeparateTrains(host, deps);
  const own: Pick<Host, "apps" | "app" | "facts"> = {
    apps: () => separated.apps(),
    app: (name) => separated.app(name),
    facts: () => separated.facts(),
  };
  return new Proxy(host, {
    get(target, name) {
      const member: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** The trains that have an id, the one scripts mean first. */
type TrainsOf = ReadonlyMap<string, readonly string[]>;

class SeparateTrains {
  readonly #host: Host;
  readonly #deps: TrainDeps;
  #known: TrainsOf | null = null;
  /** Monotonic ms until which the catalog is not asked for. */
  #until = Number.NEGATIVE_INFINITY;
  /** Settles when the catalog is read, or has taken too long. */
  #asking: Promise<unknown> | null = null;

  constructor(host: Host, deps: TrainDeps) {
    this.#host = host;
    this.#deps = deps;
  }

  async apps(): ReturnType<Host["apps"]> {
    return Promise.all((await this.#host.apps()).map((app) => this.#identify(app)));
  }

  async app(name: string): ReturnType<Host["app"]> {
    const app = await this.#host.app(name);
    return app === null ? null : this.#identify(app);
  }

  /** Facts have one app for an id: where it is of another train, the apps are asked for again. */
  async facts(): ReturnType<Host["facts"]> {
    const facts = await this.#host.facts();
    const entries = Object.entries(facts.apps);
    const foreign = await Promise.all(entries.map(([appId, { train }]) => this.#isOther(appId, train)));
    if (!foreign.includes(true)) return facts;
    const apps = await this.apps();
    const toFact = ({ appId, state, version, train, publishedPorts: ports }: HostApp) =>
      [appId, { state, version, ports, ...(train !== undefined && { train }) }] as const;
    return { ...facts, apps: Object.fromEntries(apps.map(toFact)) };
  }

  async #identify(app: HostApp): Promise<HostApp> {
    const isOther = !app.custom && (await this.#isOther(app.appId, app.train));
    return isOther ? { ...app, appId: `${app.appId}@${app.train}` } : app;
  }

  async #isOther(appId: string, train: string | undefined): Promise<boolean> {
    if (train === undefined) return false;
    const setting = this.#deps.store.setting(appId, TRAIN);
    const kept = typeof setting === "string" ? setting : null;
    // The train a script means where both have the id: no need to ask the catalog.
    if (train === (kept ?? "stable")) return false;
    const trains = await this.#findTrains();
    if (trains === null) return kept !== null;
    const listed = trains.get(appId) ?? [];
    const wanted = kept ?? listed[0];
    return wanted !== undefined && train !== wanted && listed.includes(train) && listed.includes(wanted);
  }

  /** null: the catalog could not be read yet. */
  async #findTrains(): Promise<TrainsOf | null> {
    if (this.#deps.clock.monotonic() >= this.#until) this.#asking ??= this.#askTrains();
    if (this.#known === null) await this.#asking;
    return this.#known;
  }

  #askTrains(): Promise<unknown> {
    const reading = this.#readTrains().finally(() => {
      this.#asking = null;
    });
    return answerIfSoon(this.#deps.clock, reading, PATIENCE_MS);
  }

  async #readTrains(): Promise<void> {
    const { clock, logger } = this.#deps;
    try {
      const items = await this.#host.availableApps();
      this.#known = new Map(
        items.map(({ catalogApp, train, otherTrains = [] }) => [catalogApp, [train, ...otherTrains]]),
      );
      this.#until = clock.monotonic() + TRAINS_MS;
    } catch (error) {
      this.#until = clock.monotonic() + PAUSE_MS;
      logger.warn({ error }, "the host's catalog can't be read: the trains of apps are as they were last known");
    }
  }
}
