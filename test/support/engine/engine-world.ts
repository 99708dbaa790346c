/** An engine over real parts: SQLite, catalog directory, sandbox; the host is scripted, the clock the system's. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { createIcons } from "../../../src/adapters/network-policy/icons.ts";
import { createProviders } from "../../../src/adapters/network-policy/oauth-providers.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { restoreDatabase } from "../../../src/adapters/store-sqlite/backup/restore-database.ts";
import { openStore } from "../../../src/adapters/store-sqlite/open-store.ts";
import type { Engine, TaskView } from "../../../src/engine/api.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { EngineSettings } from "../../../src/engine/engine-settings.ts";
import type { Host } from "../../../src/engine/ports/host.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createScriptedHost, type HostScript, type ScriptedHostOptions } from "../host/scripted-host.ts";
import { rawScript } from "../scripts/scripts.ts";
import { WITHIN_MS } from "../within.ts";
import { createTestFolder } from "./runtime-world.ts";

export interface EngineWorld {
  readonly engine: Engine;
  readonly host: Host & { readonly script: HostScript };
  readonly store: Store;
  /** The database. */
  readonly file: string;
  /** Every line the engine logged, as JSON. */
  readonly log: readonly string[];
  /** Writes install scripts or TypeScript into the catalog; `sync` makes them count. */
  write(files: Readonly<Record<string, unknown>>): void;
  /** Stops the engine as a shutdown does and starts another on the same database and host. */
  restart(changes?: EngineWorldOptions["engine"]): Promise<EngineWorld>;
  /** Has the engine die where it stands, and starts another on the database as a kill leaves it. */
  crash(): Promise<EngineWorld>;
  /** Copies the database as it is; the answer has the engine die and starts another on that copy, put back. */
  copy(): () => Promise<EngineWorld>;
  /** Stops the engine, restores a backup and starts another on it. */
  restore(backup: string): Promise<EngineWorld>;
  close(): Promise<void>;
}

export interface EngineWorldOptions {
  /** By app id: what `rawScript` takes; or by file name: text of a script file. */
  readonly catalog: Readonly<Record<string, unknown>>;
  readonly host?: ScriptedHostOptions;
  readonly engine?: Partial<Omit<EngineSettings, "host" | "store" | "catalog">>;
  /** The catalog is opened once for all worlds of the same object and never written to: opening it takes a while. */
  readonly shareCatalog?: boolean;
  /** A database to start on a copy of, with its witness beside it; default: a new one. */
  readonly database?: string;
  /** Where catalog and database are made; default: the system's folder for temporary files. */
  readonly parent?: string;
}

/** Pauses short enough for tests; deadlines as in production. What the host is asked is counted: no look comes by itself. */
export const QUICK = { appPoll: 5, appPollMost: 20, hostRetry: 10, oauthPoll: 5, driftEvery: 0 };

/** Set where hooks are played back to where they stand before each outcome (vitest.config.ts). */
const ALWAYS_REPLAY = process.env["SLIPWAY_ALWAYS_REPLAY"] !== undefined;

/** One sandbox for a test file: starting its child takes longer than most tests. */
export function createTestSandbox(): Sandbox {
  return createSandbox({
    allowWeakSandbox: true,
    scriptIo: createScriptIo({ loopback: true }),
    alwaysReplay: ALWAYS_REPLAY,
  });
}

export async function createEngineWorld(options: EngineWorldOptions): Promise<EngineWorld> {
  const folder = createTestFolder(options.parent);
  const root = options.shareCatalog === true ? null : makeCatalog(folder.path, options.catalog);
  const catalog = root === null ? await sharedCatalog(options.catalog) : await openCatalogDirectory(root);
  const ids = Object.keys(options.catalog).filter((name) => !name.includes("."));
  const host = createScriptedHost({
    catalog: Object.fromEntries([...ids, "ix-app"].map((id) => [id, offered(id)])),
    facts: { locations: { ApplicationsPerformance: "/mnt/tank/apps", Media: "/mnt/tank/media" } },
    ...options.host,
  });
  if (options.database !== undefined) {
    for (const end of ["", ".witness"]) copyFileSync(`${options.database}${end}`, `${nameDatabase(folder, 1)}${end}`);
  }
  return open(options, folder, { root, catalog }, host);
}

function nameDatabase(folder: { readonly path: string }, life: number): string {
  return join(folder.path, `slipway-${life}.db`);
}

function makeCatalog(folder: string, files: EngineWorldOptions["catalog"]): string {
  const root = join(folder, "catalog");
  mkdirSync(root);
  writeFiles(root, files);
  return root;
}

const shared = new Map<EngineWorldOptions["catalog"], ReturnType<typeof openCatalogDirectory>>();

function sharedCatalog(files: EngineWorldOptions["catalog"]): ReturnType<typeof openCatalogDirectory> {
  const opened = shared.get(files) ?? openCatalogDirectory(makeCatalog(createTestFolder().path, files));
  shared.set(files, opened);
  return opened;
}

async function open(
  options: EngineWorldOptions,
  folder: ReturnType<typeof createTestFolder>,
  { root, catalog }: { readonly root: string | null; readonly catalog: EngineSettings["catalog"] },
  host: EngineWorld["host"],
  life = 1,
): Promise<EngineWorld> {
  const file = nameDatabase(folder, life);
  // A new life reads the folder anew, as a new process does.
  const reopened = async () => ({ root, catalog: root === null ? catalog : await openCatalogDirectory(root) });
  const store = openStore({ file });
  const log: string[] = [];
  const line = (fields: unknown, message: string) => void log.push(JSON.stringify([fields, message]));
  const engine = createEngine({
    host,
    store,
    catalog,
    providers: createProviders({ loopback: true }),
    icons: createIcons({ loopback: true }),
    logger: { debug: line, info: line, warn: line, error: line },
    ...options.engine,
    timing: { ...QUICK, ...options.engine?.timing },
  });
  await engine.recover();
  /** A database copied beside the engine's, and the start of another engine on it. */
  const copy = (): (() => Promise<EngineWorld>) => {
    const next = nameDatabase(folder, life + 1);
    for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, `${next}${end}`);
    return async () => {
      copyFileSync(`${file}.witness`, `${next}.witness`);
      await engine.close();
      return open(options, folder, await reopened(), host, life + 1);
    };
  };
  return {
    engine,
    host,
    store,
    file,
    log,
    write(files) {
      if (root === null) throw new Error("a shared catalog is not written to");
      writeFiles(root, files);
    },
    async restart(changes) {
      await engine.close();
      const next = { ...options, engine: { ...options.engine, ...changes } };
      return open(next, folder, await reopened(), host, life);
    },
    crash: () => copy()(),
    async restore(backup) {
      await engine.close();
      await restoreDatabase({ file: backup, db: file, now: 0 });
      return open(options, folder, await reopened(), host, life);
    },
    copy,
    async close() {
      await engine.close();
      folder.remove();
    },
  };
}

function offered(id: string) {
  return { train: "stable", title: id.toUpperCase(), icon: "", versions: ["1.0.0", "1.1.0", "2.0.0"] };
}

function writeFiles(root: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = join(root, name.includes(".") ? name : `${name}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(rawScript(Object(content))));
  }
}

/** The task of a hook in a tree. */
export function hookTask(view: TaskView, hookId: string): TaskView {
  const found = view.children.find((child) => child.hookId === hookId);
  if (found === undefined) throw new Error(`no task of "${hookId}" in ${JSON.stringify(view)}`);
  return found;
}

/** The task in its tree once it, and everything under it, is in one of these states and goes on no more. */
export async function settledTask(engine: Engine, id: string): Promise<TaskView> {
  return engine.settled(id, AbortSignal.timeout(WITHIN_MS));
}

/** Waits for the change of the engine that makes the condition true. */
export async function until(engine: Engine, condition: () => boolean): Promise<void> {
  if (condition()) return;
  for await (const _ of engine.watch(0, AbortSignal.timeout(WITHIN_MS))) if (condition()) return;
  throw new Error("the condition never became true");
}
