import { basename } from "node:path";
import type Database from "better-sqlite3";
import type { Code } from "../../core/codes/code.ts";
import { createEngineClosedError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";
import type { Store, StoreStanding } from "../../engine/ports/store.ts";
import { backUpDatabase } from "./backup/back-up.ts";
import { prepareCommit } from "./commit.ts";
import { guardAccess } from "./faults.ts";
import { allowShrinking, FreePages } from "./free-pages.ts";
import { prepareInsert } from "./insert.ts";
import { DeletedTraces } from "./journals/deleted-traces.ts";
import { prepareHookLog } from "./journals/hook-log.ts";
import { createJournalStore } from "./journals/journal-store.ts";
import { prepareJournals } from "./journals/journals.ts";
import { LifeCounters } from "./life-counters.ts";
import { beginLife } from "./opening/begin-life.ts";
import { takeLock } from "./opening/lock.ts";
import { migrate, requireNewestSchema } from "./opening/migrate.ts";
import { fillLog, openDatabase } from "./opening/open-database.ts";
import { openForReading } from "./opening/open-for-reading.ts";
import { assertOwnFiles, resolveDatabase } from "./opening/own-files.ts";
import { createPrivateFile } from "./opening/private-file.ts";
import { measureTurn, RoomProbe } from "./probe-room.ts";
import { preparePruneEndedTasks } from "./prune-tasks.ts";
import { prepareReads, type StoreReads } from "./reads.ts";
import type { EffectRecord, SecretRecord } from "./records.ts";
import { prepareRedactTree } from "./redact-tree.ts";
import { openRollbackWitness, type RollbackWitness } from "./rollback-witness.ts";
import { RowCache } from "./row-cache.ts";
import { createKeptRows } from "./rows/kept-rows.ts";
import { MIGRATIONS } from "./schema.ts";
import { UnbrokenTail } from "./unbroken-tail.ts";

export interface StoreOptions {
  /** The database; created with mode 0600 when absent. `<file>.lock` stands beside it. */
  readonly file: string;
  /** Where the witness stands; best on another dataset. Default `<file>.witness`. */
  readonly witness?: string;
  /** How this process calls itself in a second one's refusal. Default: script and first argument. */
  readonly command?: string;
}

/**
 * Opens the store as its one writer. Throws `STORE_UNTRUSTED`, `STORE_LOCKED {pid, command}`, `STORE_NEWER`,
 * `STORE_FOREIGN`, `STORE_CORRUPT`, `STORE_READ_ONLY`, `STORE_CANNOT_OPEN`, `STORE_FULL`, `STORE_SETTINGS`.
 */
export function openStore(options: StoreOptions): Store {
  const { file } = options;
  const witness = options.witness ?? `${file}.witness`;
  guardAccess(file, () => assertOwnFiles(file, witness));
  const unlock = takeLock(file, { pid: process.pid, command: options.command ?? readOwnCommand() });
  let db: Database.Database | undefined;
  try {
    return guardAccess(file, () => {
      createPrivateFile(resolveDatabase(file));
      db = openDatabase(file);
      migrate(db, MIGRATIONS);
      allowShrinking(db);
      return createStore(db, openRollbackWitness(witness), unlock);
    });
  } catch (error) {
    db?.close();
    unlock();
    throw error;
  }
}

/**
 * Opens a database for reading only, also while its owner runs; beside it SQLite makes its `-shm` and an empty `-wal`.
 * Throws `STORE_CANNOT_OPEN`, `STORE_FOREIGN`, `STORE_NEWER`, and `STORE_OUTDATED` for one that no writer of this version
 * has opened yet.
 */
export function openReader(file: string): StoreReads & { close(): void } {
  let db: Database.Database | undefined;
  try {
    return guardAccess(file, () => {
      const opened = openForReading(file);
      db = opened;
      requireNewestSchema(opened, MIGRATIONS.length);
      const guard = <T>(access: () => T): T => guardAccess(file, access);
      return { ...guardReads(prepareReads(opened), guard), close: () => opened.close() };
    });
  } catch (error) {
    db?.close();
    throw error;
  }
}

/** A store over an open, migrated database; `release` is called when it is closed. */
export function createStore(db: Database.Database, witness: RollbackWitness, release: () => void): Store {
  const life = beginLife(db, witness);
  const counters = new LifeCounters(life, witness);
  const traces = new DeletedTraces(db, life.opened.after !== "new");
  const appendHookLog = prepareHookLog(db);
  const journals = prepareJournals(db, appendHookLog, () => traces.note());
  const commit = prepareCommit(db, () => counters.takeSeq(), journals);
  const reads = prepareReads(db);
  const recent = new RowCache();
  const note = db.prepare<[Pick<EffectRecord, "id" | "note">]>("UPDATE effects SET note = :note WHERE id = :id");
  const keepSecret = prepareInsert<SecretRecord>(db, "REPLACE INTO vault");
  const redactTree = prepareRedactTree(db, () => traces.note());
  const pruneEndedTasks = preparePruneEndedTasks(db);
  const probe = new RoomProbe(db);
  const pages = new FreePages(db);
  const tail = new UnbrokenTail(db);
  const closing = new AbortController();
  const heartbeat = db.prepare<[{ readonly at: number }]>("UPDATE meta SET alive_at = :at");
  const leave = db.prepare("UPDATE meta SET clean = 1");
  const guard = <T>(access: () => T): T => {
    // A request that was still asking the host when the engine was closed comes here afterwards.
    if (!db.open) throw createEngineClosedError();
    return guardAccess(db.name, access);
  };
  const write = <T>(bytes: () => number, access: () => T): T => {
    try {
      return guard(access);
    } catch (error) {
      journals.takenBack();
      if (error instanceof EngineError && LACKS_ROOM.has(error.code)) probe.refused(bytes());
      throw error;
    }
  };

  return {
    ...guardReads(reads, guard),
    opened: life.opened,
    commit(turn) {
      const committed = counters.commit(() =>
        write(
          () => measureTurn(turn),
          () => commit(turn),
        ),
      );
      for (const { row } of turn.tasks) recent.put(row);
      return committed;
    },
    lastSeq: () => counters.seq,
    oldestSeq: () => guard(() => tail.begin(counters.seq)),
    task: (id) => recent.get(id) ?? guard(() => reads.task(id)),
    writeNote(effectId, value) {
      guard(() => note.run({ id: effectId, note: JSON.stringify(value) }));
    },
    keepSecrets(rootId, values) {
      guard(
        db.transaction(() => {
          for (const [name, value] of Object.entries(values)) {
            keepSecret.run({ root: rootId, name, value: JSON.stringify(value) });
          }
        }).immediate,
      );
    },
    redactTree: (rootId, plan) => guard(() => redactTree(rootId, plan)),
    noteRecovered: () => void guard(() => db.exec("DELETE FROM copy")),
    ...createKeptRows(db, guard),
    appendHookLog(taskId, at, lines) {
      guard(db.transaction(() => appendHookLog(taskId, at, lines)).immediate);
    },
    ...createJournalStore({
      db,
      journals,
      counters,
      guard,
      write,
      lastAlive: life.opened.lastAlive,
    }),
    pruneEndedTasks(keep, part = "trees", most = 10) {
      const pruned = guard(() => pruneEndedTasks(keep, part, most));
      if (pruned > 0) {
        traces.note();
        tail.forget();
      }
      return pruned;
    },
    usedBytes: () => guard(() => pages.usedBytes()),
    shrink() {
      const goesOn = guard(() => pages.shrink());
      // the file becomes shorter as the write-ahead log is emptied
      if (goesOn) traces.note();
      return goesOn;
    },
    holdsDeleted: () => traces.holds(),
    eraseDeleted() {
      const isEmpty = guard(() => traces.erase());
      if (isEmpty) fillLog(db);
    },
    heartbeat: (at) => void guard(() => heartbeat.run({ at })),
    async backup({ signal, ...request }) {
      if (!db.open) throw createEngineClosedError();
      const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
      return backUpDatabase(db.name, { ...request, signal: AbortSignal.any(signals) });
    },
    writable: () => findStanding(() => guard(() => probe.write())),
    close() {
      if (!db.open) return;
      closing.abort(createEngineClosedError());
      try {
        guard(() => leave.run());
        guard(() => traces.erase());
      } finally {
        closeFiles(db, witness, release);
      }
    },
  };
}

function findStanding(writeProbe: () => void): StoreStanding {
  try {
    writeProbe();
    return { ok: true };
  } catch (error) {
    const code = error instanceof EngineError ? error.code : "STORE_IO";
    return { ok: false, code, detail: readMessage(error) };
  }
}

/** Frees the lock whatever else fails: a file that can't be closed keeps no other process from the database. */
function closeFiles(db: Database.Database, witness: RollbackWitness, release: () => void): void {
  try {
    db.close();
  } finally {
    try {
      witness.close();
    } finally {
      release();
    }
  }
}

/** Refusals that depend on how much a turn writes; a quota or a limit of the file shows as an error of the disk. */
const LACKS_ROOM: ReadonlySet<Code> = new Set(["STORE_FULL", "STORE_IO"]);

function guardReads(reads: StoreReads, guard: <T>(access: () => T) => T): StoreReads {
  const wrap =
    <A extends readonly unknown[], R>(read: (...parameters: A) => R) =>
    (...parameters: A): R =>
      guard(() => read(...parameters));
  return {
    task: wrap(reads.task),
    tree: wrap(reads.tree),
    children: wrap(reads.children),
    rootTrees: wrap(reads.rootTrees),
    unfinished: wrap(reads.unfinished),
    holder: wrap(reads.holder),
    runs: wrap(reads.runs),
    effect: wrap(reads.effect),
    isOpen: wrap(reads.isOpen),
    openEffects: wrap(reads.openEffects),
    effectsOf: wrap(reads.effectsOf),
    timers: wrap(reads.timers),
    nextMail: wrap(reads.nextMail),
    busy: wrap(reads.busy),
    logAfter: wrap(reads.logAfter),
    taskLog: wrap(reads.taskLog),
    taskEvents: wrap(reads.taskEvents),
    history: wrap(reads.history),
    lastSeq: wrap(reads.lastSeq),
    plan: wrap(reads.plan),
    secret: wrap(reads.secret),
    secrets: wrap(reads.secrets),
    script: wrap(reads.script),
    setting: wrap(reads.setting),
    hookLog: wrap(reads.hookLog),
    notifications: wrap(reads.notifications),
    notification: wrap(reads.notification),
    notificationsOf: wrap(reads.notificationsOf),
    audit: wrap(reads.audit),
    dashboard: wrap(reads.dashboard),
    tally: wrap(reads.tally),
  };
}

function readOwnCommand(): string {
  const [, script, command] = process.argv;
  return [script === undefined ? "node" : basename(script), command ?? ""].join(" ").trim();
}
