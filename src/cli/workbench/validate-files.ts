/** Install scripts and catalog indexes of paths, each with its problems. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { AppSchemas } from "../../adapters/app-schemas/found-schema.ts";
import { withValueProblems } from "../../adapters/app-schemas/value-problems.ts";
import { INDEX_FILE } from "../../adapters/catalog/catalog-index.ts";
import { createAuthorCheck } from "../../adapters/catalog/file-check/author-check.ts";
import { listScripts } from "../../adapters/catalog/list-scripts.ts";
import { noteUndeclaredTargets } from "../../adapters/catalog/undeclared-targets.ts";
import {
  noteRepeats,
  type ReadFile,
  type ValidatedFile,
  validateFile,
  validateIndex,
} from "../../adapters/catalog/validate-file.ts";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { compareText } from "../../core/script/parse/place-problems.ts";

/** Validates install scripts, and those of folders; with `apps` the values of all apps too. Throws `CLI_FILE_UNREADABLE`. */
export async function validate(paths: readonly string[], apps?: AppSchemas): Promise<readonly ValidatedFile[]> {
  const files = new Set<string>();
  const catalogs = new Set<string>();
  for (const path of paths) {
    const found = await listScriptsAt(path);
    for (const file of found.files) files.add(file);
    if (found.isWhole) catalogs.add(path);
  }
  const authorCheck = createAuthorCheck();
  const validated: ReadFile[] = [];
  try {
    for (const file of [...files].sort(compareText)) {
      const read = basename(file) === INDEX_FILE ? await validateIndex(file) : await validateFile(file, authorCheck);
      validated.push(await withValueProblems(read, apps));
    }
  } finally {
    await authorCheck.close();
  }
  const noted = noteTargets(noteRepeats(validated), catalogs);
  return noted.map(({ dictionary: _read, text: _text, ...result }) => result);
}

/** In whole catalogs alone: a single file says nothing of the others. */
function noteTargets(files: readonly ReadFile[], catalogs: ReadonlySet<string>): readonly ReadFile[] {
  const whole = new Map(
    [...catalogs].flatMap((catalog) => {
      const ofCatalog = files.filter(({ file }) => relative(catalog, dirname(file)) === "");
      return noteUndeclaredTargets(ofCatalog).map((noted) => [noted.file, noted] as const);
    }),
  );
  return files.map((read) => whole.get(read.file) ?? read);
}

/** The scripts of a directory, and its index where that has problems; a file is what it is. */
async function listScriptsAt(path: string): Promise<{ readonly files: readonly string[]; readonly isWhole: boolean }> {
  const found = await stat(path).catch((error: unknown) => {
    throw createFileUnreadableError(path, error);
  });
  if (!found.isDirectory()) return { files: [path], isWhole: false };
  const { names, rest } = await listScripts(path);
  if (rest > 0) throw createFileUnreadableError(path, `it has ${rest} install scripts more than a catalog may have`);
  const scripts = names.map((name) => join(path, name));
  const index = join(path, INDEX_FILE);
  const { problems } = existsSync(index) ? await validateIndex(index) : { problems: [] };
  return { files: problems.length === 0 ? scripts : [...scripts, index], isWhole: true };
}
