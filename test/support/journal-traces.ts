/** What the files of a database hold of its journals: each is encrypted under a key of its own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

/** The keys of the journals that are there now. */
export function readJournalKeys(folder: string): readonly Buffer[] {
  const db = new Database(join(folder, "slipway.db"), { readonly: true });
  try {
    return db.prepare<[], Buffer>("SELECT key FROM journals JOIN journal_keys USING (id)").pluck().all();
  } finally {
    db.close();
  }
}

/** Files in which one of them can be found. */
export function findFilesWith(folder: string, contents: readonly (string | Buffer)[]): readonly string[] {
  return readdirSync(folder).filter((name) => {
    const bytes = readFileSync(join(folder, name));
    return contents.some((content) => bytes.includes(content));
  });
}
