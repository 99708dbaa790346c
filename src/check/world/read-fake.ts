/** The fake of an app: what it answers on the embedded host, as its author wrote it down. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createFileProblem } from "../../adapters/catalog/file-problem.ts";
import { EngineError, type Problem } from "../../core/codes/problems.ts";
import type { AppTable } from "../../standin/apps/answers.ts";
import { inspectTable, readTable } from "../../standin/apps/read-tables.ts";

/** Where the fake of an app stands, relative to the catalog. */
export function nameFake(appId: string): string {
  return join("standin", `${appId}.json`);
}

/** Reads an app's fake; null where there is none. Throws `CLI_FILE_UNREADABLE`, or `CLI_FILE_INVALID` with its place. */
export function readFake(root: string, appId: string): AppTable | null {
  const file = join(root, nameFake(appId));
  return existsSync(file) ? readTable(file, root) : null;
}

/** What is wrong with an app's fake, at its place in it; null where nothing is, or there is none. */
export function inspectFake(root: string, appId: string): Problem | null {
  const file = nameFake(appId);
  if (!existsSync(join(root, file))) return null;
  try {
    const read = inspectTable(join(root, file), root);
    if (read.ok) return null;
    const { line, column, message } = read;
    return { ...createFileProblem("CLI_FILE_INVALID", file, message), line, column };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return createFileProblem(error.code, file, error.message);
  }
}
