/** One life of an engine in a world: from its opening to its end, or to its death. */
// biome-ignore lint/style/noRestrictedImports: the copies lie in the private folder of the world
import { copyFileSync, existsSync } from "node:fs";
import type { Run, Sandbox } from "../../../sandbox/contract.ts";
import { createHostRpc } from "../../adapters/host-rpc/create-host-rpc.ts";
import { createLocalFolders } from "../../adapters/local-folders.ts";
import { openStore } from "../../adapters/store-sqlite/open-store.ts";
import type { Engine } from "../../engine/api.ts";
import { createEngine } from "../../engine/engine.ts";
import type { EngineSettings } from "../../engine/engine-settings.ts";
import type { Catalog } from "../../engine/ports/catalog.ts";
import type { Host } from "../../engine/ports/host.ts";
import { createSystemClock } from "../../engine/system/clock.ts";
import { createSystemRandomness } from "../../engine/system/randomness.ts";
import { SILENT_LOGGER } from "../../engine/system/silent-logger.ts";
import { STANDIN_LOCATIONS, STANDIN_OPTIONAL_LOCATIONS } from "../../standin/locations.ts";
import type { StandinHost } from "../../standin/standin.ts";
import { createMortalStore, type Fate } from "./mortal-store.ts";

/** Short pauses; deadlines are the engine's own. No look for drift comes in between. */
const TIMING = { appPoll: 10, appPollMost: 50, hostRetry: 50, oauthPoll: 20, driftEvery: 0 } as const;

/** What an engine is opened with. */
export interface LifeParts {
  readonly standin: Pick<StandinHost, "url" | "username" | "apiKey" | "dir">;
  /** The database. */
  readonly file: string;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox;
  /** When it dies; null: it lives until it is closed. */
  readonly fate: Fate | null;
  /** What it is made with instead. */
  readonly made: Partial<Pick<EngineSettings, "catalog" | "randomness">>;
}

/** A living engine, or one that has died. */
export interface Life {
  readonly engine: Engine;
  readonly host: Host;
  /** Resolves when it dies, with the database as it was at that moment; never otherwise. */
  readonly death: Promise<string>;
  isDead(): boolean;
  /** Has it die now. */
  die(): void;
  /** Ends whatever is left of it. */
  close(): Promise<void>;
}

/** Opens an engine and recovers what an earlier life has left; one that dies over that has died once it is open. */
export async function openLife({ standin, file, catalog, sandbox, fate, made }: LifeParts): Promise<Life> {
  const clock = createSystemClock();
  const host = createHostRpc({
    url: standin.url,
    username: standin.username,
    apiKey: standin.apiKey,
    trustPlaintext: true,
    locations: { ...STANDIN_LOCATIONS, ...STANDIN_OPTIONAL_LOCATIONS },
    localRoot: standin.dir,
    clock,
    logger: SILENT_LOGGER,
  });
  const death = Promise.withResolvers<string>();
  const runs = new LivingRuns(sandbox);
  let isDead = false;
  const die = (): void => {
    if (isDead) return;
    isDead = true;
    const left = `${file}.left`;
    for (const end of ["", "-wal", ".witness"]) if (existsSync(file + end)) copyFileSync(file + end, left + end);
    runs.kill();
    void host.close();
    death.resolve(left);
  };
  const store = openStore({ file });
  // drawn the same in every run: runs are compared. Ids stay what they are, as tasks need their own.
  const randomness = { ...createSystemRandomness(), alphanumeric: (length: number) => "R".repeat(length) };
  const engine = createEngine({
    host,
    store: fate === null ? store : createMortalStore(store, fate, { isDead: () => isDead, die }),
    catalog,
    sandbox: fate === null ? sandbox : runs.sandbox,
    folders: createLocalFolders(),
    clock,
    production: false,
    timing: TIMING,
    ...(fate !== null && { randomness }),
    ...made,
  });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= engine.close().finally(() => host.close());
    return closing;
  };
  // later: an engine is not closed in the middle of its turn
  void death.promise.then(close);
  try {
    await engine.recover();
  } catch (error) {
    if (!isDead) {
      await close();
      throw error;
    }
  }
  return { engine, host, death: death.promise, isDead: () => isDead, die, close };
}

/** The scripts of one life, which end with it. */
class LivingRuns {
  readonly sandbox: Sandbox;
  readonly #runs = new Set<Run>();

  constructor(sandbox: Sandbox) {
    const { health, compile, load, close } = sandbox;
    this.sandbox = { health, compile, load, close, run: (...asked) => this.#attend(sandbox.run(...asked)) };
  }

  /** Ends them all, as a kill would: nothing they still ask for is done. */
  kill(): void {
    for (const run of this.#runs) run.stop();
  }

  #attend(run: Run): Run {
    this.#runs.add(run);
    void run.outcome.then(() => this.#runs.delete(run));
    return run;
  }
}
