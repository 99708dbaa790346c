/** `bun:sqlite`, read-only: `Database`, `query`, `prepare`; rows as Bun returns them. */

import { QUERY_LIMITS, type SqliteRows, type SqliteValue } from "../../protocol/ops.ts";
import { askParentFor } from "../bridge/bridge.ts";
import { SQLiteError } from "../bridge/wire-error.ts";
import { toView } from "../web/webidl.ts";
import { Buffer } from "./buffer.ts";

type Row = { [column: string]: unknown };

function toValue(value: unknown): SqliteValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return Number(value);
  const bytes = toView(value);
  if (bytes !== undefined) return { bytes: Buffer.from(bytes).toString("base64") };
  throw new TypeError("Binding expected string, TypedArray, boolean, number, bigint or null");
}

function toJs(value: SqliteValue): unknown {
  if (typeof value !== "object" || value === null) return value;
  return new Uint8Array(Buffer.from(value.bytes, "base64"));
}

/** One object is named parameters, with or without their prefix; anything else positions. */
function toParams(args: readonly unknown[]): readonly SqliteValue[] | { [name: string]: SqliteValue } {
  const [first] = args;
  const named = args.length === 1 && typeof first === "object" && first !== null && !toView(first);
  if (!named) return args.map(toValue);
  if (Array.isArray(first)) return first.map(toValue);
  const params: { [name: string]: SqliteValue } = {};
  for (const [name, value] of Object.entries(first)) params[name] = toValue(value);
  return params;
}

/** A prepared query; each call runs it anew. */
export class Statement {
  readonly #run: (params: ReturnType<typeof toParams>, limit?: number) => SqliteRows;
  #sql: string;

  constructor(sql: string, run: (params: ReturnType<typeof toParams>, limit?: number) => SqliteRows) {
    this.#sql = sql;
    this.#run = run;
  }

  #rows(args: readonly unknown[], limit?: number): Row[] {
    const { columns, rows } = this.#run(toParams(args), limit);
    return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, toJs(row[at] ?? null)])));
  }

  all(...params: unknown[]): Row[] {
    return this.#rows(params);
  }
  get(...params: unknown[]): Row | null {
    return this.#rows(params, 1)[0] ?? null;
  }
  values(...params: unknown[]): unknown[][] {
    return this.#run(toParams(params)).rows.map((row) => row.map(toJs));
  }
  *iterate(...params: unknown[]): Iterator<Row> {
    yield* this.#rows(params);
  }
  [Symbol.iterator](): Iterator<Row> {
    return this.iterate();
  }
  run(): never {
    throw new SQLiteError("attempt to write a readonly database");
  }
  finalize(): void {
    this.#sql = "";
  }
  toString(): string {
    return this.#sql;
  }
}

/** A database file below a mount; always read-only, whatever the options say. */
export class Database {
  #db: number | undefined;
  readonly filename: string;

  constructor(filename: unknown) {
    this.filename = String(filename);
    this.#db = askParentFor<{ db: number }>({ op: "sqlite.open", path: this.filename }).db;
  }

  query(sql: string): Statement {
    return new Statement(sql, (params, limit) => {
      if (this.#db === undefined) throw new SQLiteError("Cannot use a closed database");
      const db = this.#db;
      if (sql.length > QUERY_LIMITS.sql)
        throw new SQLiteError(`the SQL text has more than ${QUERY_LIMITS.sql} characters`);
      const count = Array.isArray(params) ? params.length : Object.keys(params).length;
      if (count > QUERY_LIMITS.params) throw new SQLiteError("too many SQL variables");
      return askParentFor<SqliteRows>({ op: "sqlite.query", db, sql, params, ...(limit !== undefined && { limit }) });
    });
  }
  prepare(sql: string): Statement {
    return this.query(sql);
  }
  run(): never {
    throw new SQLiteError("attempt to write a readonly database");
  }
  exec(): never {
    return this.run();
  }
  close(): void {
    if (this.#db === undefined) return;
    askParentFor({ op: "sqlite.close", db: this.#db });
    this.#db = undefined;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

/** The module `bun:sqlite` of a script. */
export const sqlite = { Database, Statement, SQLiteError, default: Database };
