import type Database from "better-sqlite3";

/** `INSERT INTO table`, or `REPLACE INTO table` where a row with the same key goes first. */
type InsertInto = `${"INSERT" | "INSERT OR IGNORE" | "REPLACE"} INTO ${string}`;

/**
 * Prepares the INSERT of a whole record: the schema is the one list of a table's columns, each is filled from the
 * record's member of its name, and a member that is missing throws. SQLite numbers the column `numbered` itself.
 */
export function prepareInsert<Record extends object>(
  db: Database.Database,
  insertInto: InsertInto,
  numbered?: "n" | "id",
): Database.Statement<[Record]> {
  const [, table] = insertInto.split(" INTO ");
  const columns = db
    .prepare(`SELECT * FROM ${table}`)
    .columns()
    .map(({ name }) => name)
    .filter((name) => name !== numbered);
  const parameters = columns.map((name) => `:${name}`);
  return db.prepare(`${insertInto} (${columns.join(", ")}) VALUES (${parameters.join(", ")})`);
}
