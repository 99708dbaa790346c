/**
 * The process that runs a script's SQL, on copies of its databases: started by sqlite-query.ts, killed when a query takes
 * too long. One JSON line in per question, one out per answer.
 *
 * Invariant: the authorizer denies everything but reading (no ATTACH, which would open any file; no writing; no PRAGMA
 * that sets anything), and the databases are throw-away copies in a folder in which this process makes no file: no lock
 * and no index of a log in shared memory is needed, as nobody else has them open.
 */
import { createInterface } from "node:readline";
import { constants, DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import type { SqliteRows, SqliteValue } from "../../../sandbox/protocol/ops.ts";

/** The process's standard input, as JSON. */
export interface SqliteQuestion {
  /** Path of the copy. */
  readonly file: string;
  readonly sql: string;
  readonly params: readonly SqliteValue[] | { readonly [name: string]: SqliteValue };
  readonly limit?: number;
}

/** Its standard output, as JSON. */
export type SqliteReply = { readonly rows: SqliteRows } | { readonly message: string };

/** Most bytes of one answer. */
const ANSWER_BYTES = 4 * 1024 * 1024;

const READING: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

/** PRAGMAs that only tell, with an argument (a table's name) or without; nothing of where the copies lie. */
const TELLING: ReadonlySet<string> = new Set([
  "application_id",
  "encoding",
  "foreign_key_list",
  "index_info",
  "index_list",
  "index_xinfo",
  "table_info",
  "table_list",
  "table_xinfo",
  "user_version",
]);

/** Of the telling ones, those that set with an argument. */
const SETTING: ReadonlySet<string> = new Set(["application_id", "encoding", "user_version"]);

const open = new Map<string, DatabaseSync>();

createInterface({ input: process.stdin }).on("line", (line) => {
  const question: SqliteQuestion = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(reply(question))}\n`);
});

function reply(question: SqliteQuestion): SqliteReply {
  try {
    return { rows: queryRows(openQueryDatabase(question.file), question) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

function openQueryDatabase(file: string): DatabaseSync {
  const known = open.get(file);
  if (known !== undefined) return known;
  const database = new DatabaseSync(file, { allowExtension: false });
  database.exec(
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;",
  );
  database.setAuthorizer((action, first, second) =>
    READING.has(action) || (action === constants.SQLITE_PRAGMA && isTellingPragma(first, second))
      ? constants.SQLITE_OK
      : constants.SQLITE_DENY,
  );
  open.set(file, database);
  return database;
}

function isTellingPragma(pragma: string | null, argument: string | null): boolean {
  if (pragma === null || !TELLING.has(pragma)) return false;
  return argument === null || !SETTING.has(pragma);
}

function queryRows(
  database: DatabaseSync,
  { sql, params, limit = Number.POSITIVE_INFINITY }: SqliteQuestion,
): SqliteRows {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const columns = statement.columns().map(({ name }) => name);
  const rows: SqliteValue[][] = [];
  let bytes = 0;
  for (const row of iterate(statement, params)) {
    if (rows.length >= limit) break;
    const values = row.map(toJson);
    bytes += JSON.stringify(values).length;
    if (bytes > ANSWER_BYTES) throw new Error(`the rows have more than the allowed ${ANSWER_BYTES} bytes`);
    rows.push(values);
  }
  return { columns, rows };
}

type Statement = ReturnType<DatabaseSync["prepare"]>;

/** With `setReturnArrays` a row is an array of values, which the declarations do not say. */
function* iterate(statement: Statement, params: SqliteQuestion["params"]): Generator<SQLOutputValue[]> {
  const found: Iterable<unknown> = isList(params)
    ? statement.iterate(...params.map(toSql))
    : statement.iterate(Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toSql(value)])));
  for (const row of found) if (Array.isArray(row)) yield row;
}

function isList(params: SqliteQuestion["params"]): params is readonly SqliteValue[] {
  return Array.isArray(params);
}

function toSql(value: SqliteValue): SQLInputValue {
  return typeof value === "object" && value !== null ? Buffer.from(value.bytes, "base64") : value;
}

/** As Bun does by default: integers are numbers, blobs bytes. */
function toJson(value: SQLOutputValue): SqliteValue {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value;
}
