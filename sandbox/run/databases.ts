/**
 * The databases a script has open. Its handles are the run's own: they outlive the session that opened them, and are
 * opened again under the same number where the script goes on in another one.
 */
import { z } from "zod";
import type { Answered, ScriptIoQuery, ScriptIoSession } from "../contract.ts";
import type { SqliteRows } from "../protocol/ops.ts";

export class Databases {
  readonly #paths = new Map<number, string>();
  /** Handles of the present session by the script's. */
  readonly #opened = new Map<number, Promise<Answered<number>>>();
  #last = 0;

  /** Opens a database; answers the script's handle. */
  async open(session: ScriptIoSession, path: string): Promise<Answered<{ readonly db: number }>> {
    const opening = session.openDatabase(path);
    const answer = await opening;
    if ("error" in answer) return answer;
    this.#last += 1;
    this.#paths.set(this.#last, path);
    this.#opened.set(this.#last, opening);
    return { ok: { db: this.#last } };
  }

  /** A database was opened under this handle in an earlier life, or closed. */
  remember(db: number, path: string | null): void {
    this.#last = Math.max(this.#last, db);
    if (path === null) this.#paths.delete(db);
    else this.#paths.set(db, path);
  }

  async query(session: ScriptIoSession, query: ScriptIoQuery): Promise<Answered<SqliteRows>> {
    const found = await this.#find(session, query.db);
    return "error" in found ? found : session.query({ ...query, db: found.ok });
  }

  async close(session: ScriptIoSession, db: number): Promise<Answered<null>> {
    const found = await this.#find(session, db);
    this.#paths.delete(db);
    this.#opened.delete(db);
    return "error" in found ? found : session.closeDatabase(found.ok);
  }

  /** The session was closed: everything is opened again in the next one, once it is asked for. */
  leave(): void {
    this.#opened.clear();
  }

  /** A handle nobody knows is the session's to refuse. */
  #find(session: ScriptIoSession, db: number): Promise<Answered<number>> {
    const opened = this.#opened.get(db);
    if (opened !== undefined) return opened;
    const path = this.#paths.get(db);
    if (path === undefined) return Promise.resolve({ ok: UNKNOWN });
    const opening = session.openDatabase(path);
    this.#opened.set(db, opening);
    return opening;
  }
}

/** No session gives out this handle. */
const UNKNOWN = -1;

const opened = z.object({ ok: z.object({ db: z.int() }) });

/** The handle in the answer to `sqlite.open`; null where it was refused, or the answer is none. */
export function readHandle(line: string): number | null {
  try {
    return opened.safeParse(JSON.parse(line)).data?.ok.db ?? null;
  } catch {
    return null;
  }
}
