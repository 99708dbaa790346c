/**
 * The one place where adapters meet the engine: opens everything a running engine needs, and closes it in the right
 * order. Embedders with other needs put the same parts together by hand (README, "Embedding").
 */
import { createSandbox, type SandboxOptions } from "../sandbox/sandbox.ts";
import { openCatalogDirectory } from "./adapters/catalog/catalog-directory.ts";
import { pullBeforeSync } from "./adapters/catalog/git/git-checkout.ts";
import { createLocalFolders } from "./adapters/local-folders.ts";
import { createPinoLogger } from "./adapters/logger-pino.ts";
import { createIcons } from "./adapters/network-policy/icons.ts";
import { createProviders } from "./adapters/network-policy/oauth-providers.ts";
import { createScriptIo } from "./adapters/script-io/script-io.ts";
import { guardAccess } from "./adapters/store-sqlite/faults.ts";
import { openStore } from "./adapters/store-sqlite/open-store.ts";
import { type HostChoice, isOwnHost, nameStandinFolder, openHost } from "./compose-host.ts";
import { EngineError } from "./core/codes/problems.ts";
import type { Engine } from "./engine/api.ts";
import { createEngine } from "./engine/engine.ts";
import type { EngineSettings } from "./engine/engine-settings.ts";
import type { Logger } from "./engine/ports/environment.ts";
import type { Icons } from "./engine/ports/icons.ts";
import { assertHost, type OwnHost } from "./engine/ports/own-host.ts";
import type { Providers } from "./engine/ports/providers.ts";
import type { Store, StoreOpened } from "./engine/ports/store.ts";
import { createSystemClock } from "./engine/system/clock.ts";
import { createHarmlessLogger } from "./engine/system/harmless-logger.ts";
import { nameListeningPort } from "./engine/system/listening-ports.ts";
import { assertOutsideCatalog, assertOwnState } from "./files/own-state.ts";

/** Settings passed on to `createEngine` as they are. */
type PassedOn = Pick<
  EngineSettings,
  | "enforceRequirements"
  | "hostNetworkPorts"
  | "kept"
  | "onNotification"
  | "telemetry"
  | "timing"
  | "trustedWidget"
  | "unattended"
>;

/** Settings an engine is opened with. */
export interface EngineChoice extends PassedOn {
  /** Which host to work with, or one of the embedder's own (docs/own-host.md); it is closed with the engine. */
  readonly host: HostChoice | OwnHost;
  /** The database file; created when absent. It lies neither in the catalog nor in the git work tree around it. */
  readonly db: string;
  /** Directory of install scripts; default: the one this database was last opened with. */
  readonly catalog?: string;
  /** The catalog is a git checkout: `syncCatalog` fast-forwards it first. Default: the files are read as they are. */
  readonly gitPull?: boolean;
  /**
   * Hides internal apps, refuses scripts where the sandbox is weak, and keeps loopback shut to scripts and sign-ins (a
   * stand-in's apps excepted).
   */
  readonly production: boolean;
  /**
   * Lets scripts run where their processes have no user of their own or see the host's network. Default: only outside
   * production.
   */
  readonly allowWeakSandbox?: boolean;
  /** Called when scripts run in a weak sandbox, with what it lacks, in words. Default: a warning of the logger. */
  readonly onWeakSandbox?: (missing: string) => void;
  /** Ports this process or a proxy before it serves on beside `startHttpServer`'s: no script and no sign-in reaches them. */
  readonly ownPorts?: readonly number[];
  /** Reaches OAuth providers; default: https at public addresses (`createProviders`). */
  readonly providers?: Providers;
  /** Reads pictures of apps; default: files of the catalog and public addresses (`createIcons`). */
  readonly icons?: Icons;
  /** Most hooks and widgets that run at once; others wait (16 and 4). */
  readonly concurrency?: SandboxOptions["concurrency"];
  /** The file that tells an older copy of the database; best on another dataset than that. Default: `DB.witness`. */
  readonly witness?: string;
  /** Default: errors and warnings on stderr; a revealed password is a warning. */
  readonly logger?: Logger;
  /** How this process calls itself where another one finds the database in use. Default: script and first argument. */
  readonly command?: string;
}

export interface OpenedEngine {
  readonly engine: Engine;
  /** How the last run left the database, and whether it is an older copy than that run worked on. */
  readonly opened: StoreOpened;
  /**
   * Closes the engine, its host session, its scripts and its database. The stand-in goes on until it is idle. Never
   * rejects: what can't be closed is logged and keeps nothing else open. Every call answers the one end.
   */
  close(): Promise<void>;
}

const WEAK_SANDBOX = "scripts run with the isolation this machine gives";

/** Where the settings of the composition itself stand; no app id begins so. */
const OWN_SETTINGS = "@slipway";

/**
 * Opens an engine and recovers what an earlier process left. Throws the `STORE_*`, `CATALOG_*` and `HOST_*` errors of
 * its parts; whatever was opened before is closed again.
 */
export async function openEngine(choice: EngineChoice): Promise<OpenedEngine> {
  const logger = createHarmlessLogger(choice.logger ?? createPinoLogger({ level: "warn" }));
  const clock = createSystemClock();
  if (isOwnHost(choice.host)) assertHost(choice.host);
  // Before anything is made: a folder that can't be read leaves no database behind.
  const named = choice.catalog === undefined ? null : await openCatalogDirectory(choice.catalog);
  refuseForeignState(choice, named?.root ?? null);
  const store = openStore({
    file: choice.db,
    ...(choice.command !== undefined && { command: choice.command }),
    ...(choice.witness !== undefined && { witness: choice.witness }),
  });
  const opened: (() => Promise<void> | void)[] = [() => store.close()];
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= closeAll(opened.toReversed(), logger);
    return closing;
  };
  try {
    const directory = named ?? (await openCatalogDirectory(readLastCatalog(choice, store)));
    if (named === null) refuseForeignState(choice, directory.root);
    const pulled = choice.gitPull === true ? pullBeforeSync(directory) : directory;
    if (named !== null) store.keepSettings(OWN_SETTINGS, { catalog: named.root });
    const { host, catalog } = await openHost(choice, pulled, clock, logger);
    opened.push(() => host.close?.());
    // Only a stand-in, or development, has its apps and providers on loopback.
    const loopback = !choice.production;
    const scriptIo = createScriptIo({
      loopback: loopback || (!isOwnHost(choice.host) && choice.host.kind === "standin"),
    });
    for (const port of choice.ownPorts ?? []) opened.push(nameListeningPort(port));
    const sandbox = createSandbox({
      scriptIo,
      allowWeakSandbox: choice.allowWeakSandbox ?? !choice.production,
      onWeakSandbox: choice.onWeakSandbox ?? ((missing) => logger.warn({ missing }, WEAK_SANDBOX)),
      ...(choice.concurrency !== undefined && { concurrency: choice.concurrency }),
    });
    opened.push(() => sandbox.close());
    const { production, providers = createProviders({ loopback }), icons = createIcons() } = choice;
    const { enforceRequirements, hostNetworkPorts, kept, onNotification, timing, trustedWidget } = choice;
    const { telemetry, unattended } = choice;
    const engine = createEngine({
      ...{ host, store, catalog, sandbox, providers, icons, clock, logger, production },
      folders: createLocalFolders(),
      ...(enforceRequirements !== undefined && { enforceRequirements }),
      ...(hostNetworkPorts !== undefined && { hostNetworkPorts }),
      ...(kept !== undefined && { kept }),
      ...(telemetry !== undefined && { telemetry }),
      ...(timing !== undefined && { timing }),
      ...(trustedWidget !== undefined && { trustedWidget }),
      ...(onNotification !== undefined && { onNotification }),
      ...(unattended !== undefined && { unattended }),
    });
    opened.push(() => engine.close());
    await engine.recover();
    return { engine, opened: store.opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One after the other, whatever becomes of each. */
async function closeAll(ends: readonly (() => Promise<void> | void)[], logger: Logger): Promise<void> {
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      logger.warn({ error }, "a part of the engine could not be closed properly");
    }
  }
}

/** A clone of a catalog may bring a database, and with it everything an engine goes on with. */
function refuseForeignState({ db, witness, host }: EngineChoice, catalog: string | null): void {
  const standin = !isOwnHost(host) && host.kind === "standin" ? [nameStandinFolder(db)] : [];
  guardAccess(db, () => {
    for (const path of [db, ...(witness === undefined ? [] : [witness]), ...standin])
      assertOutsideCatalog(path, catalog);
    // the store looks at its own files as it is opened
    for (const folder of standin) assertOwnState(folder);
  });
}

function readLastCatalog({ db }: EngineChoice, store: Store): string {
  const last = store.setting(OWN_SETTINGS, "catalog");
  if (typeof last === "string") return last;
  throw new EngineError("CLI_USAGE", `"${db}" was never opened with a catalog, name one`);
}
