/**
 * `bun:sqlite` of scripts: read-only queries on databases below the mounts.
 *
 * Invariants:
 * 1. The app's own files are only read: database, WAL and rollback journal are copied (sqlite-copy.ts), and the copy is
 *    opened.
 * 2. SQL and database are hostile: they meet SQLite in a process of its own (sqlite-process.ts). It owns the copies and
 *    nothing else: in their folder only the engine makes and removes files, and it never opens one it has handed over.
 * 3. Nothing here throws: what goes wrong is a fault without a path of this machine.
 */
import { chmod, chown, lchown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Answered, Mount, ScriptIoQuery } from "../../../sandbox/contract.ts";
import { readCode } from "../../../sandbox/files/read-code.ts";
import { findIsolation } from "../../../sandbox/process/find-isolation.ts";
import { makePrivateFolder, removeFolder } from "../../../sandbox/process/private-folder.ts";
import { makePrivateRoot } from "../../../sandbox/process/private-root.ts";
import { claimUser, releaseUser } from "../../../sandbox/process/users.ts";
import type { SqliteRows } from "../../../sandbox/protocol/ops.ts";
import type { CopyBudget } from "./copied-bytes.ts";
import { copyDatabase, DATABASE_PARTS } from "./sqlite-copy.ts";
import { QUERY_MS, type QueryPlace, type QueryProcess, startQueryProcess } from "./sqlite-process.ts";

/** Most databases open at once. */
const DATABASES = 8;
/** The databases of one run. */
export class SqliteSession {
  readonly #mounts: readonly Mount[];
  readonly #copies = new Map<number, string>();
  readonly #budget: CopyBudget;
  /** Calls under way; `close` waits for them. */
  readonly #calls = new Set<Promise<unknown>>();
  #place: Promise<Place> | null = null;
  #process: QueryProcess | null = null;
  #handles = 0;
  #closed = false;

  constructor(mounts: readonly Mount[], budget: CopyBudget) {
    this.#mounts = mounts;
    this.#budget = budget;
  }

  openDatabase(path: string): Promise<Answered<number>> {
    return this.#call(async () => {
      if (this.#copies.size >= DATABASES) return answerError(`more than ${DATABASES} databases are open`);
      this.#place ??= makePlace();
      const { databases, uid } = await this.#place;
      const db = ++this.#handles;
      const copy = join(databases, `${db}.db`);
      const copied = await copyDatabase(this.#mounts, path, copy, this.#budget);
      if ("error" in copied) return copied;
      if (uid !== null) await Promise.all(copied.ok.map((part) => lchown(part, uid, uid)));
      this.#copies.set(db, copy);
      return { ok: db };
    });
  }

  query({ db, sql, params, limit }: ScriptIoQuery): Promise<Answered<SqliteRows>> {
    return this.#call(async () => {
      const file = this.#copies.get(db);
      if (file === undefined || this.#place === null) return answerError("the database is closed");
      this.#process ??= await startQueryProcess(await this.#place, this.#budget.most);
      // closed meanwhile: whoever closes did not see this process
      if (this.#closed) return this.#endProcess().then(() => answerError("the database is closed"));
      const reply = await this.#process.ask({ file, sql, params, ...(limit !== undefined && { limit }) });
      if (reply === null) {
        this.#process = null;
        return answerError(`interrupted: a query took longer than the allowed ${QUERY_MS} ms or too much memory`);
      }
      return "rows" in reply ? { ok: reply.rows } : answerError(reply.message);
    });
  }

  closeDatabase(db: number): Promise<Answered<null>> {
    return this.#call(async () => {
      const copy = this.#copies.get(db);
      this.#copies.delete(db);
      if (copy !== undefined) await Promise.all(DATABASE_PARTS.map((part) => removeFolder(copy + part)));
      return { ok: null };
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#endProcess();
    await Promise.all(this.#calls);
    await this.#endProcess();
    const place = await this.#place?.catch(() => null);
    if (place !== undefined && place !== null) {
      if (place.uid !== null) await releaseUser(place.uid);
      await removeFolder(place.folder);
    }
    this.#budget.close();
  }

  async #endProcess(): Promise<void> {
    const process = this.#process;
    this.#process = null;
    await process?.end();
  }

  async #call<T>(perform: () => Promise<Answered<T>>): Promise<Answered<T>> {
    if (this.#closed) return answerError("the database is closed");
    const call = perform().catch((error: unknown): Answered<T> => {
      this.#forgetPlace();
      return answerError(`unable to open database file: ${readCode(error)}`);
    });
    this.#calls.add(call);
    return call.finally(() => this.#calls.delete(call));
  }

  /** A place that could not be made may be possible later. */
  #forgetPlace(): void {
    const place = this.#place;
    place?.catch(() => {
      if (this.#place === place) this.#place = null;
    });
  }
}

/** Where a session's copies lie, and whose they are. */
interface Place extends QueryPlace {
  /** Holds all of it. */
  readonly folder: string;
}

async function makePlace(): Promise<Place> {
  const [isolation] = await findIsolation();
  if (isolation === undefined) throw new Error("no process can be started in isolation");
  const folder = await makePrivateFolder("sqlite");
  const databases = join(folder, "databases");
  await mkdir(databases);
  const root = await makePrivateRoot(folder, { programs: [process.execPath], write: [databases] });
  const uid = isolation.user === "own" ? claimUser() : null;
  await Promise.all([folder, databases].map((path) => share(path, uid)));
  return { folder, databases, isolation, root, uid };
}

/** Lets a user go through a folder of the engine's. */
async function share(folder: string, uid: number | null): Promise<void> {
  if (uid === null) return;
  await chown(folder, 0, uid);
  await chmod(folder, 0o710);
}

function answerError<T>(message: string): Answered<T> {
  return { error: { name: "SQLiteError", message } };
}
