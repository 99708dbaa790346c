/** What a script may read of an SQLite database in a mount: a copy of a committed state, by queries that only read. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { readdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CopiedBytes } from "../../../src/adapters/script-io/copied-bytes.ts";
import { QUERY_MS } from "../../../src/adapters/script-io/sqlite-process.ts";
import { SqliteSession } from "../../../src/adapters/script-io/sqlite-query.ts";
import { createTestMount } from "./test-mount.ts";

const GB = 1024 * 1024 * 1024;
const at = createTestMount();

describe("a database of a mount", () => {
  let session: SqliteSession;
  let path: string;
  let copied: CopiedBytes;
  const openSession = (bytes: number) => new SqliteSession(at.mounts, copied.openRun(bytes));

  beforeEach(() => {
    copied = new CopiedBytes();
    session = openSession(GB);
    path = join(at.local, "app.db");
    const database = new DatabaseSync(path);
    database.exec(
      "CREATE TABLE t (id INTEGER, name TEXT, data BLOB); INSERT INTO t VALUES (1, 'a', x'0102'), (2, NULL, NULL)",
    );
    database.close();
  });

  afterEach(() => session.close());

  const open = async (at = path): Promise<number> => {
    const answer = await session.openDatabase(at);
    if ("error" in answer) throw new Error(answer.error.message);
    return answer.ok;
  };
  const query = async (sql: string, params: readonly (string | number)[] = []) =>
    session.query({ db: await open(), sql, params });

  test("answers rows with numbers, text, null and bytes", async () => {
    expect(await query("SELECT * FROM t ORDER BY id")).toEqual({
      ok: {
        columns: ["id", "name", "data"],
        rows: [
          [1, "a", { bytes: "AQI=" }],
          [2, null, null],
        ],
      },
    });
  });

  test("takes parameters by position and by name, and gives no more rows than wanted", async () => {
    expect(await query("SELECT name FROM t WHERE id = ?", [1])).toMatchObject({ ok: { rows: [["a"]] } });
    const db = await open();
    expect(await session.query({ db, sql: "SELECT id FROM t WHERE id = $id", params: { $id: 2 } })).toMatchObject({
      ok: { rows: [[2]] },
    });
    expect(await session.query({ db, sql: "SELECT id FROM t", params: [], limit: 1 })).toMatchObject({
      ok: { rows: [[1]] },
    });
  });

  test("shows what stands in the WAL of a live one, and neither it nor its folder is written", async () => {
    const live = new DatabaseSync(path);
    live.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; INSERT INTO t VALUES (3, 'wal', NULL)");
    const before = await contentsOf(at.local);
    expect(await query("SELECT name FROM t WHERE id = 3")).toMatchObject({ ok: { rows: [["wal"]] } });
    expect(await contentsOf(at.local)).toEqual(before);
    live.close();
  });

  test("is rolled back in the copy where a crash left a hot journal", async () => {
    const live = new DatabaseSync(path);
    live.exec("PRAGMA cache_size = 1; PRAGMA journal_mode = DELETE; BEGIN; CREATE TABLE filler (x)");
    live.exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO filler SELECT randomblob(100) FROM n",
    );
    live.exec("DELETE FROM t");
    cpSync(path, join(at.local, "crashed.db"));
    cpSync(`${path}-journal`, join(at.local, "crashed.db-journal"));
    live.close();
    const db = await open(join(at.local, "crashed.db"));
    expect(await session.query({ db, sql: "SELECT count(*) AS n FROM t", params: [] })).toMatchObject({
      ok: { rows: [[2]] },
    });
  });

  describe("that is being written without pause", () => {
    let writer: ChildProcess;

    /** Moves amounts between two accounts whose sum is always 1,000, in transactions that touch many pages. */
    const write = async (mode: string): Promise<void> => {
      const program = `
        const { DatabaseSync } = require("node:sqlite");
        const db = new DatabaseSync(${JSON.stringify(path)});
        db.exec("PRAGMA journal_mode = ${mode}; PRAGMA synchronous = OFF; CREATE TABLE account (n INTEGER); CREATE TABLE pad (x)");
        db.exec("INSERT INTO account VALUES (1000), (0)");
        const move = db.prepare("UPDATE account SET n = n + CASE rowid WHEN 1 THEN -? ELSE ? END");
        const pad = db.prepare("INSERT INTO pad SELECT randomblob(3000) FROM (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)");
        for (let i = 0; ; i++) {
          db.exec("BEGIN");
          move.run(i % 7, i % 7);
          pad.run();
          if (i % 50 === 49) db.exec("DELETE FROM pad");
          db.exec("COMMIT");
          if (i === 10) console.log("writing");
        }`;
      writer = spawn(process.execPath, ["--no-warnings", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
      if (writer.stdout !== null) await once(writer.stdout, "data");
    };

    const stopWriting = async (): Promise<void> => {
      writer.kill("SIGKILL");
      if (writer.exitCode === null && writer.signalCode === null) await once(writer, "exit");
    };
    afterEach(stopWriting);

    const check = async (db: number): Promise<void> => {
      const sum = await session.query({ db, sql: "SELECT sum(n) AS n FROM account", params: [] });
      expect(sum).toMatchObject({ ok: { rows: [[1000]] } });
    };

    test.each(["DELETE", "WAL"])("in mode %s: a committed state, or SQLITE_BUSY", async (mode) => {
      await write(mode);
      const ends = { copied: 0, busy: 0 };
      for (let i = 0; i < 12; i++) {
        const answer = await session.openDatabase(path);
        if ("error" in answer) {
          expect(answer.error).toMatchObject({ name: "SQLiteError", code: "SQLITE_BUSY" });
          ends.busy++;
          continue;
        }
        ends.copied++;
        await check(answer.ok);
        await session.closeDatabase(answer.ok);
      }
      // a rollback journal leaves no moment for a copy; a WAL leaves many
      if (mode === "DELETE") expect(ends.busy).toBeGreaterThan(0);
      await stopWriting();
      await check(await open());
    });
  });

  test("that can't be copied is a fault without a path of this machine, and the session closes all the same", async () => {
    vi.stubEnv("TMPDIR", join(at.folder, "gone"));
    const answer = await session.openDatabase(path);
    expect(answer).toEqual({ error: { name: "SQLiteError", message: "unable to open database file: ENOENT" } });
    await session.close();
    vi.unstubAllEnvs();
  });

  test("may be opened again and again, until too many bytes were copied", async () => {
    const sparse = join(at.local, "sparse.db");
    cpSync(path, sparse);
    const tooBig = { error: { name: "SQLiteError", code: "SQLITE_TOOBIG" } };
    const none = join(at.local, "none.db");
    await writeFile(none, "text");
    await truncate(none, 3 * GB);
    // what is no database is not copied at all
    expect(await session.openDatabase(none)).toHaveProperty("ok");
    await truncate(sparse, 3 * GB);
    expect(await session.openDatabase(sparse)).toMatchObject(tooBig);
  });

  test("is copied within the bounds of its run and of all runs, which get theirs back", async () => {
    const { size } = await stat(path);
    const small = openSession(2 * size);
    const ends = [];
    for (let tries = 0; tries < 3; tries++) ends.push("ok" in (await small.openDatabase(path)));
    expect(ends).toEqual([true, true, false]);
    await small.close();
    const others = copied.openRun(4 * GB);
    expect(others.take(4 * GB)).toBe(true);
    expect(await session.openDatabase(path)).toMatchObject({ error: { code: "SQLITE_TOOBIG" } });
    others.close();
    expect(await query("SELECT count(*) FROM t")).toMatchObject({ ok: { rows: [[2]] } });
  });

  test("takes no more room as a copy than it has: its holes stay holes", async () => {
    vi.stubEnv("TMPDIR", at.folder);
    await truncate(path, 256 * 1024 * 1024);
    const db = await open();
    vi.unstubAllEnvs();
    const names = await readdir(at.folder, { recursive: true });
    const copy = await stat(join(at.folder, names.find((name) => name.endsWith(`/${db}.db`)) ?? "none"));
    expect(copy.size).toBe(256 * 1024 * 1024);
    expect(copy.blocks * 512).toBeLessThan(1024 * 1024);
    expect(await session.query({ db, sql: "SELECT count(*) FROM t", params: [] })).toMatchObject({
      ok: { rows: [[2]] },
    });
  });

  test.each([
    ["INSERT INTO t VALUES (3, 'x', NULL)"],
    ["DELETE FROM t"],
    ["DROP TABLE t"],
    ["CREATE TEMP TABLE x (a)"],
    ["ATTACH '/etc/passwd' AS p"],
    ["VACUUM INTO '/tmp/slipway-stolen'"],
    ["PRAGMA journal_mode = DELETE"],
    ["PRAGMA user_version = 7"],
    ["PRAGMA writable_schema = ON"],
    ["BEGIN EXCLUSIVE"],
    ["SELECT load_extension('/x.so')"],
    ["SELECT writefile('/tmp/slipway-stolen', 'x')"],
    ["SELECT readfile('/etc/passwd')"],
  ])("refuses %s", async (sql) => {
    expect(await query(sql)).toMatchObject({ error: { name: "SQLiteError" } });
    expect(await query("SELECT count(*) FROM t")).toMatchObject({ ok: { rows: [[2]] } });
  });

  test.each([
    "SELECT length(randomblob(900000000))",
    "SELECT group_concat(hex(zeroblob(50000000))) FROM t a, t b, t c, t d",
  ])("that would take too much memory is a fault: %s", async (sql) => {
    expect(await query(sql)).toMatchObject({ error: { name: "SQLiteError" } });
    expect(await query("SELECT 1")).toMatchObject({ ok: { rows: [[1]] } });
  });

  test("may be asked for its tables", async () => {
    expect(await query("PRAGMA table_info(t)")).toMatchObject({
      ok: { columns: ["cid", "name", "type", "notnull", "dflt_value", "pk"] },
    });
    expect(await query("SELECT name FROM sqlite_schema")).toMatchObject({ ok: { rows: [["t"]] } });
  });

  test("whose query never ends is interrupted without holding the engine's thread, and answers again", {
    timeout: 30_000,
  }, async () => {
    const db = await open();
    let longest = 0;
    let last = performance.now();
    const ticker = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    expect(await session.query({ db, sql: endless, params: [] })).toMatchObject({ error: { name: "SQLiteError" } });
    clearInterval(ticker);
    expect(longest).toBeLessThan(QUERY_MS / 2);
    expect(await session.query({ db, sql: "SELECT 1", params: [] })).toMatchObject({ ok: { rows: [[1]] } });
  });

  test("outside of the mounts or behind a link is refused, one that is none is a fault of its first query", async () => {
    await symlink("/etc/passwd", join(at.local, "link.db"));
    expect(await session.openDatabase(join(at.folder, "secret"))).toMatchObject({ error: { refused: true } });
    expect(await session.openDatabase(join(at.local, "link.db"))).toMatchObject({ error: { refused: true } });
    const db = await open(join(at.local, "config/a.txt"));
    expect(await session.query({ db, sql: "SELECT * FROM t", params: [] })).toMatchObject({
      error: { name: "SQLiteError" },
    });
  });

  test("leaves no copy and no process when the session is closed", async () => {
    vi.stubEnv("TMPDIR", at.folder);
    const before = await copies();
    const other = openSession(GB);
    const answer = await other.openDatabase(path);
    if ("error" in answer) throw new Error(answer.error.message);
    await other.query({ db: answer.ok, sql: "SELECT 1", params: [] });
    expect(await copies()).toHaveLength(before.length + 1);
    await other.close();
    expect(await copies()).toEqual(before);
    vi.unstubAllEnvs();
  });

  async function copies(): Promise<string[]> {
    const owned = [];
    for (const name of await readdir(tmpdir())) if (name.startsWith("slipway-sqlite-")) owned.push(name);
    return owned;
  }

  async function contentsOf(directory: string): Promise<Record<string, string>> {
    const contents: Record<string, string> = {};
    for (const name of await readdir(directory)) {
      if (name !== "config" && !name.endsWith("-shm"))
        contents[name] = (await readFile(join(directory, name))).toString("base64");
    }
    return contents;
  }
});
