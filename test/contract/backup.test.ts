/** Backups of the SQLite store: what is in them, what is refused, and what a restore leaves wherever it is killed. */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { backUpDatabase } from "../../src/adapters/store-sqlite/backup/back-up.ts";
import { checkApart } from "../../src/adapters/store-sqlite/backup/check-apart.ts";
import { makeCopy } from "../../src/adapters/store-sqlite/backup/make-copy.ts";
import { restoreDatabase } from "../../src/adapters/store-sqlite/backup/restore-database.ts";
import { openReader, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { applyMigrations } from "../../src/adapters/store-sqlite/opening/migrate.ts";
import { MIGRATIONS } from "../../src/adapters/store-sqlite/schema.ts";
import { makeEffect, makeEntry, makeTask, turn } from "../../src/contract/store-rows.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import { readJournalKeys } from "../support/journal-traces.ts";
import { useStoreFolder } from "../support/store-folder.ts";

const folder = useStoreFolder();
const { open, closeLater } = folder;
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const KEPT = "slipway.db.before-2026-01-02T03-04-05.000Z";

const inFolder = (name: string): string => join(folder.path, name);
const commit = (store: Store, rev: number) => store.commit(turn(store, makeTask("t", rev)));
const restore = (name = "backup") => restoreDatabase({ file: inFolder(name), db: folder.file, now: NOW });

/** The revision of the one task in a database. */
function readRev(file = folder.file): number | undefined {
  const reader = openReader(file);
  try {
    return reader.task("t")?.rev;
  } finally {
    reader.close();
  }
}

/** A closed database at revision 2 and a backup of it at revision 1. */
async function makeBackup(): Promise<string> {
  const store = open();
  commit(store, 1);
  const { file } = await store.backup({ file: inFolder("backup") });
  commit(store, 2);
  store.close();
  return file;
}

describe("a backup", () => {
  test("holds one moment, its secrets and no journal, and is a file of its owner's alone", async () => {
    const store = open();
    store.commit(turn(store, makeTask("t", 1), { effects: [makeEffect("t", 1)] }));
    store.keepSecrets("t", { word: "swordfish" });
    store.writeJournals([makeEntry("t", 0)]);
    const [key = ""] = readJournalKeys(folder.path);
    const told: number[] = [];
    let rev = 1;
    const made = await store.backup({
      file: inFolder("backup"),
      onProgress({ copiedBytes, totalBytes }) {
        told.push(copiedBytes / totalBytes);
        rev += 1;
        commit(store, rev);
      },
    });
    expect(made).toEqual({ file: inFolder("backup"), bytes: statSync(made.file).size, tasks: 1, unfinished: 1 });
    expect([told[0], readRev(), readRev(made.file)]).toEqual([0, rev, 1]);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("backup"))).toEqual(["backup"]);
    expect(readFileSync(made.file).includes(key)).toBe(false);
    const reader = openReader(made.file);
    closeLater(reader);
    expect(reader.secrets("t")).toEqual({ word: "swordfish" });
  });

  test("is known as an older copy wherever it is opened, each time as another", async () => {
    const backup = await makeBackup();
    const histories = [openReader(backup), openReader(backup)].map((reader) => {
      reader.close();
      const file = inFolder(`elsewhere-${Math.random()}`);
      writeFileSync(file, readFileSync(backup));
      const store = openStore({ file });
      closeLater(store);
      expect(store.opened).toMatchObject({ after: "clean", rolledBack: true });
      const { history } = store.opened;
      store.close();
      const unrecovered = openStore({ file });
      closeLater(unrecovered);
      expect(unrecovered.opened.rolledBack).toBe(true);
      unrecovered.noteRecovered();
      unrecovered.close();
      const again = openStore({ file });
      closeLater(again);
      expect(again.opened.rolledBack).toBe(false);
      return history;
    });
    expect(new Set(histories).size).toBe(2);
  });

  test("replaces no file unless told to, and never the database", async () => {
    const store = open();
    commit(store, 1);
    const file = inFolder("backup");
    writeFileSync(file, "mine");
    const exists = expect.objectContaining({ code: "STORE_BACKUP_EXISTS" });
    await expect(store.backup({ file })).rejects.toEqual(exists);
    expect(readFileSync(file, "utf8")).toBe("mine");
    await expect(store.backup({ file: folder.file, replace: true })).rejects.toEqual(exists);
    await store.backup({ file, replace: true });
    expect(readRev(file)).toBe(1);
  });

  test("is checked in a process of its own, which a signal ends", async () => {
    const pipe = inFolder("pipe");
    spawnSync("mkfifo", [pipe]);
    const stop = new AbortController();
    // Opening it waits for somebody who writes, and nobody does.
    const checking = checkApart(pipe, stop.signal);
    stop.abort(new Error("enough"));
    await expect(checking).rejects.toThrow("enough");
    writeFileSync(inFolder("text"), "no database at all");
    const foreign = expect.objectContaining({ code: "STORE_FOREIGN" });
    await expect(checkApart(inFolder("text"))).rejects.toThrow(foreign);
  });

  test("that is stopped, or whose store is closed, leaves nothing", async () => {
    const store = open();
    commit(store, 1);
    const stop = new AbortController();
    const stopped = store.backup({
      file: inFolder("backup"),
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await expect(stopped).rejects.toThrow("enough");
    const closed = store.backup({ file: inFolder("backup"), onProgress: () => store.close() });
    await expect(closed).rejects.toThrow(expect.objectContaining({ code: "TASK_ENGINE_CLOSED" }));
    expect(readdirSync(folder.path).filter((name) => name.startsWith("backup"))).toEqual([]);
  });
});

describe("a restore", () => {
  test("keeps the database that was there, and puts that back as well", async () => {
    await makeBackup();
    expect(await restore()).toMatchObject({ db: folder.file, kept: inFolder(KEPT), tasks: 1 });
    expect([readRev(), readRev(inFolder(KEPT))]).toEqual([1, 2]);
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    await restoreDatabase({ file: inFolder(KEPT), db: folder.file, now: NOW + 1 });
    expect(readRev()).toBe(2);
    expect(open().opened.rolledBack).toBe(true);
  });

  test("takes in what a killed engine left in its write-ahead log before it keeps it", async () => {
    const store = open();
    commit(store, 1);
    await store.backup({ file: inFolder("backup") });
    commit(store, 2);
    const [db, wal] = ["", "-wal"].map((end) => readFileSync(`${folder.file}${end}`));
    store.close();
    writeFileSync(folder.file, db ?? "");
    writeFileSync(`${folder.file}-wal`, wal ?? "");
    const reader = new Database(folder.file, { readonly: true });
    reader.exec("BEGIN; SELECT * FROM tasks");
    await expect(restore()).rejects.toThrow(expect.objectContaining({ code: "STORE_LOCKED" }));
    reader.close();
    await restore();
    expect([readRev(), readRev(inFolder(KEPT))]).toEqual([1, 2]);
  });

  test("puts a backup in the place of a damaged database, and where there is none", async () => {
    await makeBackup();
    writeFileSync(folder.file, "rubble");
    await restore();
    expect([readRev(), readFileSync(inFolder(KEPT), "utf8")]).toEqual([1, "rubble"]);
    const db = inFolder("new.db");
    expect(await restoreDatabase({ file: inFolder("backup"), db, now: NOW })).toMatchObject({ kept: null });
    expect(readRev(db)).toBe(1);
  });

  test("refuses while an engine runs, and the database itself", async () => {
    await makeBackup();
    await expect(restore("slipway.db")).rejects.toThrow(expect.objectContaining({ code: "CLI_USAGE" }));
    symlinkSync(folder.file, inFolder("link.db"));
    for (const name of [folder.file, inFolder("link.db")]) {
      const store = openStore({ file: name });
      closeLater(store);
      const locked = expect.objectContaining({ code: "STORE_LOCKED" });
      await expect(restore()).rejects.toThrow(locked);
      const byLink = { file: inFolder("backup"), db: inFolder("link.db"), now: NOW };
      await expect(restoreDatabase(byLink)).rejects.toThrow(locked);
      store.close();
    }
    expect([readRev(), existsSync(inFolder(KEPT))]).toEqual([2, false]);
  });

  test.skipIf(process.getuid?.() !== 0)("leaves the database to the user it belongs to", async () => {
    await makeBackup();
    chownSync(folder.file, 65_534, 65_534);
    await restore();
    expect(statSync(folder.file)).toMatchObject({ uid: 65_534, gid: 65_534, mode: expect.any(Number) });
  });

  test.each([
    ["STORE_NEWER", (db: Database.Database) => db.pragma("user_version = 99")],
    ["STORE_FOREIGN", (db: Database.Database) => db.pragma("application_id = 7")],
    ["STORE_BACKUP_CHANGED", (db: Database.Database) => db.exec("UPDATE tasks SET app_id = 'other'")],
  ] as const)("refuses a file that was changed: %s", async (code, change) => {
    const db = new Database(await makeBackup());
    change(db);
    db.close();
    await expect(restore()).rejects.toThrow(expect.objectContaining({ code }));
    expect([readRev(), readdirSync(folder.path).filter((name) => /restoring|before/.test(name))]).toEqual([2, []]);
  });

  test.each([
    ["a trigger", "CREATE TRIGGER spy AFTER INSERT ON copy BEGIN DELETE FROM tasks; END", "spy"],
    ["a view", "CREATE VIEW spy AS SELECT * FROM vault", "spy"],
    ["a view in a table's place", "DROP TABLE plans; CREATE VIEW plans AS SELECT 1 AS root, 2 AS plan", "plans"],
    ["a column", "ALTER TABLE tasks ADD COLUMN spy TEXT AS (quote(facts))", "tasks"],
    ["an index", "CREATE INDEX spy ON tasks (hex(facts))", "spy"],
    ["a table less", "DROP TABLE dashboard", "dashboard"],
  ])("refuses a file whose schema was changed by hand: %s", async (_, sql, name) => {
    const db = new Database(await makeBackup());
    db.exec(`UPDATE copy SET sha256 = ''; ${sql}`);
    db.close();
    const refusal = { code: "STORE_BACKUP_CHANGED", message: expect.stringContaining(`"${name}"`) };
    await expect(restore()).rejects.toThrow(expect.objectContaining(refusal));
    expect([readRev(), readdirSync(folder.path).filter((file) => /restoring|before/.test(file))]).toEqual([2, []]);
  });

  test("takes a file that somebody has analysed", async () => {
    const db = new Database(await makeBackup());
    db.exec("ANALYZE");
    const statistics = db
      .prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'sqlite_stat*' ORDER BY name")
      .pluck();
    expect(statistics.all()).toEqual(["sqlite_stat1", "sqlite_stat4"]);
    db.close();
    await restore();
    expect(readRev()).toBe(1);
  });

  test("refuses a schema that was changed after it was looked at", async () => {
    const db = new Database(await makeBackup());
    db.exec("CREATE TRIGGER spy AFTER INSERT ON copy BEGIN DELETE FROM tasks; END");
    const copy = inFolder("crafted");
    await expect(makeCopy(db, copy)).rejects.toThrow(expect.objectContaining({ code: "STORE_BACKUP_CHANGED" }));
    db.close();
    expect(readRev(copy)).toBe(1);
  });

  test("refuses a file that is damaged, foreign or missing", async () => {
    const bytes = readFileSync(await makeBackup());
    writeFileSync(inFolder("damaged"), bytes.fill(0x55, bytes.length / 2, bytes.length / 2 + 8192));
    await expect(restore("damaged")).rejects.toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
    writeFileSync(inFolder("text"), "no database at all");
    await expect(restore("text")).rejects.toThrow(expect.objectContaining({ code: "STORE_FOREIGN" }));
    await expect(restore("nothing")).rejects.toThrow(expect.objectContaining({ code: "STORE_CANNOT_OPEN" }));
    expect(readRev()).toBe(2);
  });

  test.each([
    ["copying", 2],
    ["copied", 2],
    ["kept", 2],
    ["placed", 1],
  ] as const)("that is killed (%s) leaves a whole database, and may be made again", async (step, rev) => {
    const backup = await makeBackup();
    const program = fileURLToPath(new URL("../crash/restore.ts", import.meta.url));
    const { signal, stderr } = spawnSync(process.execPath, [program, backup, folder.file, step], { encoding: "utf8" });
    expect([signal, stderr]).toEqual(["SIGKILL", ""]);
    expect(readRev()).toBe(rev);
    await restore();
    expect([readRev(), readRev(inFolder(KEPT))]).toEqual([1, rev]);
    expect(existsSync(`${folder.file}.restoring`)).toBe(false);
  });
});

test("a database of an older schema is not backed up, and restored at the newest", async () => {
  const file = inFolder("older.db");
  const db = new Database(file);
  applyMigrations(db, MIGRATIONS.slice(0, -1));
  db.exec("INSERT INTO settings (app_id, key, value) VALUES ('demo', 'answers', '7')");
  db.close();
  const older = backUpDatabase(file, { file: inFolder("backup") });
  await expect(older).rejects.toThrow(expect.objectContaining({ code: "STORE_OUTDATED" }));
  await restoreDatabase({ file, db: inFolder("new.db"), now: NOW });
  const reader = openReader(inFolder("new.db"));
  closeLater(reader);
  expect(reader.setting("demo", "answers")).toBe(7);
});
