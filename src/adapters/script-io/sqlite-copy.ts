/**
 * Copies of databases that an app may be writing at this moment: a state the app has committed, or a fault; never torn.
 *
 * These have to stay the same while the parts are copied: of the database, its file facts and change counter (a
 * rollback journal commits by it, a checkpoint writes into it); of the rollback journal, that it is there or not; of
 * the WAL, only its header, which changes when it starts anew: frames appended meanwhile do no harm, an unfinished one
 * is ignored by its checksum (sqlite.org/fileformat2.html, sections 1.3.7 and 4.1).
 */
import { type FileHandle, open, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Answered, Mount } from "../../../sandbox/contract.ts";
import type { CopyBudget } from "./copied-bytes.ts";
import { withMountFile } from "./mount-files.ts";

/** Most tries, and ms before the next one, doubling. */
const TRIES = 5;
const PAUSE_MS = 20;
/** File times move in steps (4 ms on Linux at 250 Hz): a file changed this recently may change again unseen, ms. */
const STEP_MS = 10;

const MAGIC = "SQLite format 3\0";
const DATABASE_HEADER = 100;
/** Where the file change counter stands, and where it ends. */
const CHANGE_COUNTER = [24, 28] as const;
const WAL_HEADER = 32;
/** Where a database says how it is to be read, and that it is with a write-ahead log. */
const READ_VERSION = 19;
const WAL_VERSION = 2;

/** Most bytes copied in one step. */
const CHUNK_BYTES = 256 * 1024;
const ZEROS = Buffer.alloc(CHUNK_BYTES);

/** Database, write-ahead log, rollback journal: suffixes of their names. */
export const DATABASE_PARTS = ["", "-wal", "-journal"] as const;

/**
 * Copies a database and what belongs to it to `to`, in a folder only the engine writes to; answers the paths written, which
 * did not exist before, readable by the engine alone. `SQLITE_BUSY` while it is being written.
 */
export async function copyDatabase(
  mounts: readonly Mount[],
  path: string,
  to: string,
  budget: CopyBudget,
): Promise<Answered<readonly string[]>> {
  for (let tries = 0, wait = PAUSE_MS; tries < TRIES; tries++, wait *= 2) {
    if (tries > 0) await pause(wait);
    const before = await readFileVersion(mounts, path);
    if ("error" in before) return before;
    if (before.ok === JUST_WRITTEN) continue;
    // a part of an earlier try that is no more would make the copy another database
    await Promise.all(DATABASE_PARTS.map((part) => rm(to + part, { force: true })));
    const written: string[] = [];
    for (const part of DATABASE_PARTS) {
      const copied = await copyPart(mounts, path, to, part, budget);
      if ("ok" in copied) written.push(to + part);
      else if (part === "" || copied.error.code === "SQLITE_TOOBIG") return copied;
    }
    const after = await readFileVersion(mounts, path);
    if ("ok" in after && after.ok === before.ok) return { ok: await addLog(to, written) };
  }
  const message = `database is locked: it was being written each of the ${TRIES} times it was looked at`;
  return { error: { name: "SQLiteError", message, code: "SQLITE_BUSY" } };
}

async function copyPart(
  mounts: readonly Mount[],
  path: string,
  to: string,
  part: (typeof DATABASE_PARTS)[number],
  budget: CopyBudget,
): Promise<Answered<null>> {
  return withMountFile(mounts, path + part, async (file, { size }) => {
    const start = await readStart(file, DATABASE_HEADER);
    // what is no database is not worth copying: its first bytes say so to SQLite too
    if (part === "" && !start.toString("latin1").startsWith(MAGIC)) {
      await writeFile(to + part, start, { flag: "wx", mode: 0o600 });
      return { ok: null };
    }
    if (!budget.take(size)) {
      const message = "more bytes of databases were opened than allowed";
      return { error: { name: "SQLiteError", message, code: "SQLITE_TOOBIG" } };
    }
    await copyBytes(file, to + part, size);
    return { ok: null };
  });
}

/** Copies the first bytes of an open file: those that were counted, also where it has grown meanwhile. Holes stay holes. */
async function copyBytes(file: FileHandle, to: string, bytes: number): Promise<void> {
  const copy = await open(to, "wx", 0o600);
  try {
    const chunk = Buffer.allocUnsafe(Math.min(bytes, CHUNK_BYTES));
    for (let copied = 0; copied < bytes; ) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, bytes - copied), copied);
      if (bytesRead === 0) return;
      const part = chunk.subarray(0, bytesRead);
      if (!ZEROS.subarray(0, bytesRead).equals(part)) await copy.write(part, 0, bytesRead, copied);
      copied += bytesRead;
    }
    await copy.truncate(bytes);
  } finally {
    await copy.close();
  }
}

/** SQLite wants the log of a database that has one to be there, also empty, and can make no file beside the copy. */
async function addLog(to: string, written: readonly string[]): Promise<readonly string[]> {
  const log = `${to}-wal`;
  if (written.includes(log) || !(await isLogged(to))) return written;
  await writeFile(log, "", { flag: "wx", mode: 0o600 });
  return [...written, log];
}

async function isLogged(database: string): Promise<boolean> {
  const file = await open(database, "r");
  try {
    return (await readStart(file, DATABASE_HEADER))[READ_VERSION] === WAL_VERSION;
  } finally {
    await file.close();
  }
}

/** A version nothing equals. */
const JUST_WRITTEN = "";

/** Text that changes whenever what a copy is made of changes. */
async function readFileVersion(mounts: readonly Mount[], path: string): Promise<Answered<string>> {
  const database = await withMountFile(mounts, path, async (file, { ino, size, mtimeMs, ctimeMs }) => {
    const age = Date.now() - Math.max(mtimeMs, ctimeMs);
    if (age >= 0 && age < STEP_MS) return { ok: JUST_WRITTEN };
    const counter = (await readStart(file, DATABASE_HEADER)).subarray(...CHANGE_COUNTER).toString("hex");
    return { ok: `${ino} ${size} ${mtimeMs} ${ctimeMs} ${counter}` };
  });
  if ("error" in database || database.ok === JUST_WRITTEN) return database;
  const wal = await withMountFile(mounts, `${path}-wal`, async (file, { ino }) => ({
    ok: `${ino} ${(await readStart(file, WAL_HEADER)).toString("hex")}`,
  }));
  const journal = await withMountFile(mounts, `${path}-journal`, async (_, { ino, size, mtimeMs }) => ({
    ok: `${ino} ${size} ${mtimeMs}`,
  }));
  return { ok: [database, wal, journal].map((each) => ("ok" in each ? each.ok : "none")).join("; ") };
}

async function readStart(file: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
  return buffer.subarray(0, bytesRead);
}
