import { randomBytes } from "node:crypto";
import { existsSync, renameSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { EngineError } from "../../../core/codes/problems.ts";
import type { Backup, BackupRequest } from "../../../engine/api.ts";
import { guardLongAccess } from "../faults.ts";
import { requireNewestSchema } from "../opening/migrate.ts";
import { openForReading } from "../opening/open-for-reading.ts";
import { MIGRATIONS } from "../schema.ts";
import { checkApart } from "./check-apart.ts";
import { makeCopy, removeCopy, syncPath } from "./make-copy.ts";

/**
 * Writes a backup of a database while its owner runs: under a temporary name beside, checked, then renamed, so that a file
 * of the name asked for is a whole backup. Throws `STORE_BACKUP_EXISTS`, the reason of the signal, and the codes of reading
 * the database and of writing the file.
 */
export async function backUpDatabase(database: string, request: BackupRequest): Promise<Backup> {
  const file = resolve(request.file);
  refuseFile(database, file, request.replace === true);
  const source = await guardLongAccess(database, () => openForReading(database));
  const partial = `${file}.${randomBytes(4).toString("hex")}.partial`;
  try {
    requireNewestSchema(source, MIGRATIONS.length);
    return await guardLongAccess(file, async () => {
      await makeCopy(source, partial, request);
      const found = await checkApart(partial, request.signal);
      request.signal?.throwIfAborted();
      refuseFile(database, file, request.replace === true);
      renameSync(partial, file);
      syncPath(dirname(file));
      return { file, ...found };
    });
  } finally {
    source.close();
    removeCopy(partial);
  }
}

function refuseFile(database: string, file: string, replace: boolean): void {
  if (isSameFile(database, file)) {
    throw new EngineError("STORE_BACKUP_EXISTS", `"${file}" is the database itself`, { file });
  }
  if (!replace && existsSync(file)) {
    throw new EngineError("STORE_BACKUP_EXISTS", `file "${file}" exists`, { file });
  }
}

/** Whether two names lead to one file. */
export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}
