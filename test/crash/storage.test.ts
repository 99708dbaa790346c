/** An engine whose disk fails it: what was committed stays, what can be read is served, and every fault has its code. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openStore } from "../../src/adapters/store-sqlite/open-store.ts";
import { runCommand } from "../support/command-line.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";
import { ownMounts } from "../support/own-mounts.ts";
import { turnOf } from "./store-turns.ts";

let folder: ReturnType<typeof createTestFolder>;
let db: string;

beforeEach(() => {
  folder = createTestFolder();
  db = join(folder.path, "slipway.db");
});

afterEach(() => {
  folder.remove();
});

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe.skipIf(ownMounts === null)("a disk of its own (needs mount namespaces)", () => {
  function inside(setUp: string, ...command: readonly string[]) {
    const [unshare = "", ...options] = ownMounts ?? [];
    const { stdout, stderr } = spawnSync(
      unshare,
      [...options, "sh", "-ec", `${setUp}; exec "$@"`, "sh", process.execPath, ...command],
      {
        encoding: "utf8",
        env: { ...process.env, TMPDIR: folder.path },
      },
    );
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  }

  test("that fills up refuses requests, loses nothing of a running hook, and goes on by itself", () => {
    const seen = inside(`mount -t tmpfs -o size=6m,mode=700 tmpfs "${folder.path}"`, program("./full-disk.ts"));
    expect(seen).toEqual({
      code: "STORE_FULL",
      listed: 0,
      again: "COMPLETED",
      shown: "RUNNING",
      done: "COMPLETED",
      checkpoints: ["before COMPLETED", "behind COMPLETED"],
      lines: Array.from({ length: 20 }, (_, at) => `line ${at}`),
      created: 2,
      uncaught: [],
    });
  });

  test("that is full is told from one that is not by health and readiness, and close() ends everything on it", () => {
    const catalog = join(folder.path, "..", `${basename(folder.path)}-catalog`);
    mkdirSync(catalog);
    const seen = inside(
      `mount -t tmpfs -o size=6m,mode=700 tmpfs "${folder.path}"`,
      program("./full-disk-close.ts"),
      catalog,
    );
    rmdirSync(catalog);
    const size = { used: expect.any(Number), most: 256 * 2 ** 20 };
    const fine = { store: { writable: true, after: "new", rolledBack: false, size }, ready: true };
    expect(seen).toEqual({
      opened: expect.objectContaining({ after: "new", rolledBack: false }),
      before: fine,
      full: {
        store: { ...fine.store, writable: false, code: "STORE_FULL", detail: expect.stringContaining("disk is full") },
        ready: false,
      },
      freed: fine,
      ends: ["fulfilled", "fulfilled", "fulfilled"],
      after: { ready: false, reasons: ["the engine is closed"] },
      reopened: "unclean",
    });
  });

  test.each(["clean", "unclean"])("that is read-only refuses an owner and serves readers, after a %s stop", (stop) => {
    leaveTask(stop === "clean");
    const seen = inside(
      `mount --bind "${folder.path}" "${folder.path}"; mount -o remount,bind,ro "${folder.path}"`,
      program("./read-only.ts"),
      db,
    );
    expect(seen).toEqual({ opening: "STORE_READ_ONLY", read: ["t"] });
  });
});

/** A database with one task whose owner was closed, or died. */
function leaveTask(clean: boolean): void {
  const { signal, stderr } = spawnSync(process.execPath, [program("./leave-task.ts"), db, clean ? "close" : "die"], {
    encoding: "utf8",
  });
  if (signal !== (clean ? null : "SIGKILL")) throw new Error(stderr);
}

describe("a file that may not grow", () => {
  test("refuses the write with a code, and what was there is still read", () => {
    const { stdout, stderr } = spawnSync(
      "sh",
      ["-c", 'ulimit -f 1024; exec "$@"', "sh", process.execPath, program("./grow-store.ts"), db],
      { encoding: "utf8" },
    );
    const seen = z
      .object({ code: z.string(), committed: z.int(), read: z.int(), log: z.int() })
      .parse(JSON.parse(stdout || stderr));
    expect(seen.code).toMatch(/^STORE_(IO|FULL)$/);
    expect(seen.committed).toBeGreaterThan(0);
    expect(seen).toMatchObject({ read: seen.committed, log: seen.committed });
    const store = openStore({ file: db });
    expect(store.task("t")?.rev).toBe(seen.committed);
    store.close();
  });
});

describe("a write-ahead log whose last commit was torn", () => {
  test("opens at the commit before it, knows that something is missing, and repeats no number", () => {
    leaveTask(false);
    const wal = `${db}-wal`;
    truncateSync(wal, statSync(wal).size - 100);
    const store = openStore({ file: db });
    expect(store.task("t")).toMatchObject({ rev: 2 });
    expect(store.opened).toMatchObject({ after: "unclean", rolledBack: true });
    expect(store.lastSeq()).toBe(3);
    store.close();
  });
});

describe("a damaged page", () => {
  test("found while running is an error of the read that meets it; other reads are served", () => {
    leaveTask(true);
    damageRoot("hook_log");
    const store = openStore({ file: db });
    expect(() => store.hookLog("t", 10)).toThrow(expect.objectContaining({ code: "STORE_CORRUPT" }));
    expect(store.task("t")?.rev).toBe(3);
    store.commit(turnOf(store, 4));
    expect(store.taskLog("t")).toHaveLength(4);
    store.close();
  });

  test("is named by the command line with its code and hint, and the file is left as it is", async () => {
    leaveTask(false);
    damageRoot("tasks");
    const before = readFileSync(db);
    const { exitCode, stdout } = await runCommand("tasks", "--db", db, "--format", "json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "STORE_CORRUPT", hint: expect.any(String) } });
    expect(readFileSync(db).equals(before)).toBe(true);
  });
});

/** Overwrites the first page of a table. */
function damageRoot(table: string): void {
  const reader = new Database(db);
  reader.pragma("wal_checkpoint(TRUNCATE)");
  const page = z.int().parse(reader.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table));
  const size = z.int().parse(reader.pragma("page_size", { simple: true }));
  reader.close();
  const bytes = readFileSync(db);
  bytes.fill(0x5a, size * (page - 1), size * page);
  writeFileSync(db, bytes);
}

describe("a database that can't be taken over", () => {
  test("of a newer version is refused by every command with its code, and left as it is", async () => {
    leaveTask(true);
    const file = new Database(db);
    file.pragma("user_version = 99");
    file.close();
    const before = readFileSync(db);
    const catalog = join(folder.path, "catalog");
    mkdirSync(catalog);
    const { exitCode, stdout } = await runCommand("retry", "t", "--db", db, "--host", "standin", "--format", "json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "STORE_NEWER", hint: expect.any(String) } });
    expect(readFileSync(db).equals(before)).toBe(true);
  });
});
