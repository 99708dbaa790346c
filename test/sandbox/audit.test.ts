import { execFileSync } from "node:child_process";
import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AuditRecord, ScriptIoSession } from "../../sandbox/contract.ts";
import { createScriptIo } from "../../src/adapters/script-io/script-io.ts";

let folder: string;
let session: ScriptIoSession;
let audit: AuditRecord[];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "slipway-audit-")));
  await writeFile(join(folder, "a.txt"), "inside");
  await symlink("/etc/passwd", join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "fifo")]);
  const database = new DatabaseSync(join(folder, "x.db"));
  database.exec("CREATE TABLE t (a)");
  database.close();
  session = createScriptIo({ loopback: true }).open({
    network: { lanIp: "127.0.0.1", lanPorts: async () => [], internet: false, readOnly: false },
    mounts: [{ hostPath: "/mnt/app", containerPath: "/config", localPath: folder, location: folder }],
    audit: (record) => audit.push(record),
    limits: { responseBytes: 1024, fileBytes: 1024, databaseBytes: 1024 * 1024, directoryEntries: 100 },
  });
});

afterAll(async () => {
  await session.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  audit = [];
});

const file = { kind: "file", allowed: true } as const;
const refused = { allowed: false, reason: "EACCES" } as const;

test("every look at a file leaves one record: what was asked, of which path, and what came of it", async () => {
  await session.readFile("/mnt/app/a.txt");
  await session.list("/mnt/app");
  await session.stat("/mnt/app/a.txt");
  await session.readFile("/mnt/app/gone");
  await session.readFile("/etc/passwd");
  await session.readFile("/mnt/app/link");
  await session.readFile("/mnt/app/fifo");
  await session.list("/");
  await session.stat("/mnt/app/../x");
  expect(audit).toEqual([
    { ...file, method: "read", target: "/mnt/app/a.txt" },
    { ...file, method: "list", target: "/mnt/app" },
    { ...file, method: "stat", target: "/mnt/app/a.txt" },
    { ...file, method: "read", target: "/mnt/app/gone", reason: "ENOENT" },
    { ...file, ...refused, method: "read", target: "/etc/passwd" },
    { ...file, ...refused, method: "read", target: "/mnt/app/link" },
    { ...file, ...refused, method: "read", target: "/mnt/app/fifo" },
    { ...file, ...refused, method: "list", target: "/" },
    { ...file, ...refused, method: "stat", target: "/mnt/app/../x" },
  ]);
});

test("opening a database and each query leave one record, never with its SQL", async () => {
  const opened = await session.openDatabase("/mnt/app/x.db");
  if ("error" in opened) throw new Error(opened.error.message);
  await session.query({ db: opened.ok, sql: "SELECT 'secret' FROM t", params: [] });
  await session.query({ db: opened.ok, sql: "DELETE FROM t", params: [] });
  await session.closeDatabase(opened.ok);
  await session.query({ db: opened.ok, sql: "SELECT 1", params: [] });
  await session.openDatabase("/etc/passwd");
  const sqlite = { kind: "sqlite", target: "/mnt/app/x.db" } as const;
  expect(audit).toEqual([
    { ...sqlite, method: "open", allowed: true },
    { ...sqlite, method: "query", allowed: true },
    { ...sqlite, method: "query", allowed: true, reason: "SQLiteError" },
    { ...sqlite, method: "query", allowed: true, reason: "SQLiteError", target: "a closed database" },
    { ...sqlite, ...refused, method: "open", target: "/etc/passwd" },
  ]);
});
