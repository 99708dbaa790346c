/**
 * Works on the scripts of many apps, each app's in a process of its own.
 *
 * Invariants:
 * 1. No process works on scripts of two apps: one that a script has taken over can change that app's bundles only.
 * 2. `AT_ONCE` scripts are worked on at a time, one of an app, apps in turn: scripts that take their whole deadline hold up
 *    their own app, and others only where as many apps have such scripts.
 */
import type { SandboxLayer } from "../../contract.ts";
import { readBundlerLayer, reportNoBundler } from "../../process/health.ts";
import { Slot } from "../../run/slots.ts";
import { Bundler } from "./bundler.ts";
import type { BundleOutcome, BundleTask } from "./process.ts";
import { BundlerStarter, type StarterOptions } from "./starter.ts";

/** Scripts worked on at the same time. */
const AT_ONCE = 2;
/** Unused processes kept beside them. */
const KEPT = 1;

/** Bundlers by app. */
export class Bundlers {
  readonly #starter: BundlerStarter;
  readonly #allowWeak: boolean;
  readonly #slot = new Slot(AT_ONCE);
  readonly #closing = new AbortController();
  /** The one used last stands last. */
  readonly #byApp = new Map<string, Bundler>();
  #layer: Promise<SandboxLayer> | null = null;

  constructor(options: StarterOptions) {
    this.#starter = new BundlerStarter(options);
    this.#allowWeak = options.allowWeak;
  }

  /** Has one script of an app worked on; rejects where no process can be started. */
  ask(app: string, task: BundleTask): Promise<BundleOutcome> {
    return this.#of(app).ask(task);
  }

  /** Starts an app's process ahead of its first script. */
  prepare(app: string): void {
    this.#of(app).prepare();
  }

  /** Ends an app's process because what it answered was not to be believed; the next script finds a new one. */
  discard(app: string): Promise<void> {
    return this.#of(app).rest();
  }

  /** The isolation of a process, as a live one shows it, or one that is started for it; asked once. */
  layer(): Promise<SandboxLayer> {
    const asked = this.#layer ?? this.#readLayer();
    this.#layer = asked;
    return asked;
  }

  /** Ends all processes; scripts under way fail. Resolves when nothing is left of them. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#starter.close();
    await Promise.all([...this.#byApp.values()].map((bundler) => bundler.stop()));
    await this.#layer;
    await this.#starter.removeFiles();
  }

  #of(app: string): Bundler {
    const bundler = this.#byApp.get(app) ?? new Bundler(this.#starter, (work) => this.#enqueue(app, work));
    this.#byApp.delete(app);
    this.#byApp.set(app, bundler);
    return bundler;
  }

  async #enqueue<T>(app: string, work: () => Promise<T>): Promise<T> {
    if (!(await this.#slot.enter(this.#closing.signal))) throw new Error("the sandbox is closed");
    try {
      this.#makeRoom(app);
      return await work();
    } finally {
      this.#slot.leave();
    }
  }

  /** Of processes nobody asks anything of now, those used last are kept. */
  #makeRoom(app: string): void {
    const idle = [...this.#byApp].flatMap(([other, bundler]) => (other !== app && bundler.isIdle ? bundler : []));
    for (const bundler of idle.slice(0, -KEPT)) void bundler.rest();
  }

  async #readLayer(): Promise<SandboxLayer> {
    for (const { pid } of this.#byApp.values()) if (pid !== null) return readBundlerLayer(pid, this.#allowWeak);
    try {
      const started = await this.#starter.start();
      const layer = readBundlerLayer(started.pid ?? 0, this.#allowWeak);
      await started.kill();
      return layer;
    } catch (error) {
      // may pass: the next one to ask has another started
      this.#layer = null;
      return reportNoBundler(error);
    }
  }
}
