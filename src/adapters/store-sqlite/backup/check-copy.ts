import { statSync } from "node:fs";
import type { Backup } from "../../../engine/api.ts";
import { readSchemaVersion } from "../opening/migrate.ts";
import { checkDatabase } from "../opening/open-database.ts";
import { openForReading } from "../opening/open-for-reading.ts";
import { prepareReads } from "../reads.ts";
import { MIGRATIONS } from "../schema.ts";

/**
 * Reads a finished copy as an engine that takes it over would: every page, and every row it would go on from. Throws
 * `STORE_CORRUPT`.
 */
export function checkCopy(copy: string): Omit<Backup, "file"> {
  const db = openForReading(copy);
  try {
    checkDatabase(db, "integrity_check");
    readSchemaVersion(db, MIGRATIONS.length);
    const reads = prepareReads(db);
    const unfinished = reads.unfinished();
    const roots = new Set(unfinished.map(({ root }) => root));
    for (const root of roots) {
      reads.plan(root);
      reads.secrets(root);
    }
    reads.openEffects();
    reads.timers();
    const tasks = db.prepare<[], number>("SELECT count(*) FROM tasks WHERE parent IS NULL").pluck().get() ?? 0;
    return { bytes: statSync(copy).size, tasks, unfinished: roots.size };
  } finally {
    db.close();
  }
}
