/** The contract of `Store` (src/engine/ports/store.ts), held by the SQLite store. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storeError } from "../../src/adapters/store-sqlite/faults.ts";
import { openReader, openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { readLockOwner, takeLock } from "../../src/adapters/store-sqlite/opening/lock.ts";
import { migrate } from "../../src/adapters/store-sqlite/opening/migrate.ts";
import { openDatabase } from "../../src/adapters/store-sqlite/opening/open-database.ts";
import { MIGRATIONS } from "../../src/adapters/store-sqlite/schema.ts";
import { describeStore } from "../../src/contract/store.ts";
import { makeTask, turn } from "../../src/contract/store-rows.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";
import { openOnDatabase, useStoreFolder } from "../support/store-folder.ts";

const folder = useStoreFolder();
const { open, closeLater } = folder;

describeStore({ afterEach, beforeEach, describe, expect, test }, "SQLite", () => {
  const place = createTestFolder();
  const stores: Store[] = [];
  return {
    open: () => {
      const store = openStore({ file: join(place.path, "slipway.db"), command: "slipway serve" });
      stores.push(store);
      return store;
    },
    remove: () => {
      for (const store of stores) store.close();
      place.remove();
    },
  };
});

describe("opening", () => {
  test("makes a private file with every setting in force, also the second time", () => {
    open().close();
    open();
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    expect(statSync(`${folder.file}-wal`).mode & 0o777).toBe(0o600);
    const db = openDatabase(folder.file);
    const shown = [
      "journal_mode",
      "synchronous",
      "foreign_keys",
      "busy_timeout",
      "trusted_schema",
      "secure_delete",
      "temp_store",
    ].map((name) => db.pragma(name, { simple: true }));
    db.close();
    expect(shown).toEqual(["wal", 2, 1, 5000, 0, 1, 2]);
  });

  test("ends with closing: what comes afterwards is refused with a code", () => {
    const store = open();
    store.close();
    expect(() => store.setting("shop", "answers")).toThrow(expect.objectContaining({ code: "TASK_ENGINE_CLOSED" }));
    expect(() => store.commit(turn(store, makeTask("t", 1)))).toThrow(
      expect.objectContaining({ code: "TASK_ENGINE_CLOSED" }),
    );
  });

  test("refuses a second owner in the same process and names it", () => {
    open();
    expect(() => openStore({ file: folder.file })).toThrow(
      expect.objectContaining({
        code: "STORE_LOCKED",
        details: expect.objectContaining({ pid: process.pid, command: "slipway serve" }),
      }),
    );
  });

  test("keeps its lock when its own process asks for it again", async () => {
    open();
    chmodSync(`${folder.file}.lock`, 0o644);
    expect(() => openStore({ file: folder.file })).toThrow(expect.objectContaining({ code: "STORE_LOCKED" }));
    expect(statSync(`${folder.file}.lock`).mode & 0o777).toBe(0o600);
    const script = fileURLToPath(new URL("../support/hold-store.ts", import.meta.url));
    const child = spawn(process.execPath, [script, folder.file], { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", () => child.kill("SIGKILL"));
    for await (const chunk of child.stderr) said += chunk;
    expect(said).toContain("STORE_LOCKED");
  });

  test("takes over the lock file of an earlier version", () => {
    const lock = new Database(`${folder.file}.lock`);
    lock.exec("CREATE TABLE owner (id INTEGER PRIMARY KEY CHECK (id = 1), pid INTEGER, command TEXT) STRICT");
    lock.exec("INSERT INTO owner VALUES (1, 7, 'slipway serve')");
    lock.close();
    open();
    expect(readLockOwner(folder.file)).toMatchObject({ pid: process.pid, nonce: expect.stringMatching(/^[\w-]{43}$/) });
    expect(statSync(`${folder.file}.lock`).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["a database of something else", "STORE_CANNOT_OPEN"],
    ["a folder", "STORE_CANNOT_OPEN"],
    ["a link", "STORE_CANNOT_OPEN"],
    ["a text", "STORE_FOREIGN"],
  ])("refuses %s in place of its lock file, and leaves it as it is", (what, code) => {
    const path = `${folder.file}.lock`;
    if (what === "a folder") mkdirSync(path);
    else if (what === "a link") symlinkSync(`${path}.target`, path);
    else if (what === "a text")
      writeFileSync(path, "something else, and long enough to be no empty database ".repeat(20));
    else {
      const foreign = new Database(path);
      foreign.exec("CREATE TABLE things (a); CREATE VIEW owner AS SELECT a FROM things");
      foreign.close();
    }
    expect(() => open()).toThrow(expect.objectContaining({ code }));
    expect(existsSync(`${path}.target`)).toBe(false);
    expect(existsSync(folder.file)).toBe(false);
  });

  test("takes the access of others to no file that has a second name", () => {
    const other = `${folder.file}.other`;
    writeFileSync(other, "");
    chmodSync(other, 0o644);
    linkSync(other, `${folder.file}.lock`);
    expect(() => open()).toThrow(expect.objectContaining({ code: "STORE_CANNOT_OPEN" }));
    expect(statSync(other).mode & 0o777).toBe(0o644);
  });

  test("is not refused because other processes ask who holds its lock", async () => {
    open().close();
    const script = fileURLToPath(new URL("../support/ask-for-owner.ts", import.meta.url));
    const askers = [1, 2].map(() =>
      spawn(process.execPath, [script, folder.file], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    await Promise.all(askers.map(({ stdout }) => once(stdout, "data")));
    for (let at = 0; at < 500; at++) takeLock(folder.file, { pid: at, command: "one of many" })();
    for (const { stdin } of askers) stdin.end();
    await Promise.all(askers.map((asker) => once(asker, "exit")));
  });

  test("refuses a second process, which is let in as soon as the first was killed", async () => {
    const script = fileURLToPath(new URL("../support/hold-store.ts", import.meta.url));
    const child = spawn(process.execPath, [script, folder.file], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(() => openStore({ file: folder.file })).toThrow(
      expect.objectContaining({
        code: "STORE_LOCKED",
        details: expect.objectContaining({ pid: child.pid, command: "hold-store.ts" }),
      }),
    );
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    expect(open().opened.after).toBe("unclean");
  });

  test("tells how the last life ended, and fences it", () => {
    const first = open();
    expect(first.opened).toMatchObject({ after: "new", epoch: 1, rolledBack: false, lastAlive: null });
    first.commit(turn(first, makeTask("t", 1)));
    first.heartbeat(77);
    first.close();
    expect(open().opened).toMatchObject({ after: "clean", epoch: 2, rolledBack: false, lastAlive: 77 });
  });

  test("names its history anew where it is found to be an older copy, each time, and not otherwise", () => {
    const { file, open } = folder;
    const copy = `${file}.copy`;
    const close = (store: Store) => {
      store.close();
      return store.opened.history;
    };
    const first = open();
    first.commit(turn(first, makeTask("t", 1)));
    const names = [close(first)];
    copyFileSync(file, copy);
    const second = open();
    second.commit(turn(second, makeTask("t", 2)));
    second.commit(turn(second, makeTask("t", 3)));
    names.push(close(second));
    for (let again = 0; again < 2; again += 1) {
      copyFileSync(copy, file);
      const older = open();
      expect([older.opened.rolledBack, older.lastSeq(), older.oldestSeq()]).toEqual([true, 3 + again, 4 + again]);
      older.commit(turn(older, makeTask("t", 2)));
      expect(older.oldestSeq()).toBe(4 + again);
      older.noteRecovered();
      names.push(close(older), close(open()));
    }
    const [one, ...others] = names;
    expect(others).toEqual([one, others[1], others[1], others[3], others[3]]);
    expect(new Set(names).size).toBe(3);
  });

  test("is readable while its owner writes", () => {
    const store = open();
    const reader = openReader(folder.file);
    closeLater(reader);
    store.commit(turn(store, makeTask("t", 1)));
    expect(reader.task("t")?.rev).toBe(1);
  });

  test("opens a database of an older schema for no reader, and one that can't have its settings for no writer", () => {
    open().close();
    const db = new Database(folder.file);
    db.pragma(`user_version = ${MIGRATIONS.length - 1}`);
    db.close();
    expect(() => openReader(folder.file)).toThrow(
      expect.objectContaining({
        code: "STORE_OUTDATED",
        details: expect.objectContaining({ found: MIGRATIONS.length - 1 }),
      }),
    );
    // A database in memory knows no write-ahead log.
    expect(() => openDatabase(":memory:")).toThrow(
      expect.objectContaining({ code: "STORE_SETTINGS", details: { file: ":memory:", name: "journal_mode" } }),
    );
  });

  test("refuses a database of a newer schema, a foreign file, and a file that is no database", () => {
    open().close();
    const db = new Database(folder.file);
    db.pragma("user_version = 99");
    db.close();
    expect(() => openStore({ file: folder.file })).toThrow(
      expect.objectContaining({ code: "STORE_NEWER", details: expect.objectContaining({ found: 99 }) }),
    );
    const foreign = join(folder.path, "foreign.db");
    new Database(foreign).exec("CREATE TABLE x (y)").close();
    expect(() => openStore({ file: foreign })).toThrow(expect.objectContaining({ code: "STORE_FOREIGN" }));
    const text = join(folder.path, "text.db");
    writeFileSync(text, "this is a letter, not a database, and long enough to be read as a header".repeat(20));
    expect(() => openStore({ file: text })).toThrow(expect.objectContaining({ code: "STORE_FOREIGN" }));
    for (const open of [(path: string) => openStore({ file: path }), openReader]) {
      expect(() => open(join(folder.path, "no", "such", "folder.db"))).toThrow(
        expect.objectContaining({ code: "STORE_CANNOT_OPEN" }),
      );
    }
  });

  test("finds a damaged page after an unclean stop", () => {
    const store = open();
    for (let rev = 1; rev <= 200; rev += 1) store.commit(turn(store, makeTask(`t${rev}`, 1)));
    store.close();
    const db = new Database(folder.file);
    db.exec("UPDATE meta SET clean = 0");
    db.close();
    const bytes = readFileSync(folder.file);
    bytes.fill(0x5a, 4096 * 3, 4096 * 12);
    writeFileSync(folder.file, bytes);
    expect(() => openStore({ file: folder.file })).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
  });
});

describe("migrations", () => {
  const second = "ALTER TABLE tasks ADD COLUMN note TEXT";

  test("go forward one by one and leave a backup of what was there", () => {
    const store = open();
    store.commit(turn(store, makeTask("t", 1)));
    store.close();
    const db = openDatabase(folder.file);
    migrate(db, [...MIGRATIONS, second]);
    expect(db.pragma("user_version", { simple: true })).toBe(MIGRATIONS.length + 1);
    db.close();
    const backup = `${folder.file}.backup-v${MIGRATIONS.length}`;
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    copyFileSync(backup, folder.file);
    expect(open().task("t")?.rev).toBe(1);
  });

  test("keep what people were told, and whether they have read it", () => {
    const db = openDatabase(folder.file);
    migrate(
      db,
      MIGRATIONS.slice(
        0,
        MIGRATIONS.findIndex((sql) => sql.includes("RENAME TO notifications")),
      ),
    );
    db.pragma("foreign_keys = OFF");
    db.exec("INSERT INTO notifications VALUES (7, 't.0', 1, 't', 'pairing.linked', 'hub', 'connect', 'notes', 2)");
    migrate(db, MIGRATIONS);
    db.close();
    const linked = { type: "pairing.linked", taskId: "t", runsOnAppId: "hub", hookId: "connect", target: "notes" };
    expect(open().notificationsOf("t")).toEqual([{ ...linked, id: "t.0", at: 1, readAt: 2 }]);
  });

  test("leave the database as it was when one fails", () => {
    open().close();
    const db = openDatabase(folder.file);
    expect(() => migrate(db, [...MIGRATIONS, `${second}; SELECT broken`])).toThrow();
    expect(db.pragma("user_version", { simple: true })).toBe(MIGRATIONS.length);
    expect(db.prepare("SELECT name FROM pragma_table_info('tasks') WHERE name = 'note'").get()).toBeUndefined();
    db.close();
    expect(existsSync(folder.file)).toBe(true);
  });
});

describe("a full disk", () => {
  test("refuses the turn with a clear code, keeps serving reads, and takes it once there is room", () => {
    const { db, store } = openOnDatabase(folder.file);
    closeLater(store);
    store.commit(turn(store, makeTask("t", 1)));
    db.pragma(`max_page_count = ${Number(db.pragma("page_count", { simple: true })) + 1}`);
    const big = { snapshot: "x".repeat(100_000) };
    expect(() => store.commit(turn(store, makeTask("t", 2, big)))).toThrow(
      expect.objectContaining({ code: "STORE_FULL" }),
    );
    expect(store.task("t")?.rev).toBe(1);
    expect(store.logAfter(0, 10)).toHaveLength(1);
    db.pragma("max_page_count = 100000");
    expect(store.commit(turn(store, makeTask("t", 2, big))).logged[0]?.seq).toBe(2);
  });
});

describe("a fault of SQLite or the file system", () => {
  test.each([
    ["SQLITE_FULL", "STORE_FULL"],
    ["SQLITE_READONLY_DIRECTORY", "STORE_READ_ONLY"],
    ["SQLITE_CORRUPT_INDEX", "STORE_CORRUPT"],
    ["SQLITE_NOTADB", "STORE_FOREIGN"],
    ["SQLITE_CANTOPEN", "STORE_CANNOT_OPEN"],
    ["SQLITE_BUSY_SNAPSHOT", "STORE_LOCKED"],
    ["SQLITE_IOERR_FSYNC", "STORE_IO"],
  ])("%s is %s", (sqlite, code) => {
    expect(storeError("a.db", new Database.SqliteError("boom", sqlite))).toMatchObject({
      code,
      details: { file: "a.db" },
    });
  });

  test.each([
    ["EROFS", "STORE_READ_ONLY"],
    ["EACCES", "STORE_READ_ONLY"],
    ["ENOSPC", "STORE_FULL"],
    ["ENOENT", "STORE_CANNOT_OPEN"],
  ])("%s is %s", (errno, code) => {
    const error = Object.assign(new Error("boom"), { syscall: "open", code: errno });
    expect(storeError("a.db", error)).toMatchObject({ code });
  });

  test("that is none is a bug and stays what it is", () => {
    const bug = new TypeError("boom");
    expect(storeError("a.db", bug)).toBe(bug);
  });
});

describe("the log", () => {
  test("shows the failure and the checkpoints of each entry as they were, and keeps each change of them once", () => {
    const store = open();
    const failure = { code: "TASK_HOOK_FAILED", message: "f".repeat(10_000), context: [], retryable: true } as const;
    const shown = Array.from({ length: 200 }, (_, rev) => {
      const checkpoints = Array.from({ length: rev + 1 }, (_each, index) => {
        const state = index < rev ? "COMPLETED" : "REGISTERED";
        return { id: `c${index}`, message: "m".repeat(500), state, created: "c", updated: state } as const;
      });
      const { log, ...rows } = turn(store, makeTask("t", rev + 1));
      const entries = log.map((entry) => ({
        ...entry,
        task: { ...entry.task, kind: "hook", checkpoints, ...(rev % 100 > 50 && { failure }) } as const,
      }));
      store.commit({ ...rows, log: entries });
      return entries[0]?.task;
    });
    expect(store.logAfter(0, 1_000).map((entry) => entry.task)).toEqual(shown);
    expect(store.logAfter(100, 1)[0]?.task).toEqual(shown[100]);
    const { task: _task, ...entry } = store.taskLog("t")[100] ?? {};
    expect(store.taskEvents("t")[100]).toEqual(entry);
    store.close();
    expect(statSync(folder.file).size).toBeLessThan(1_000_000);
  });
});
