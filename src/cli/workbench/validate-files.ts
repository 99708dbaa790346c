/** Install scripts and catalog indexes of paths, each with its problems. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type AuthorCheck, createAuthorCheck } from "../../adapters/catalog/author-check.ts";
import { type FileRead, readWhole } from "../../adapters/catalog/catalog-file.ts";
import { INDEX_FILE, readCatalogIndex } from "../../adapters/catalog/catalog-index.ts";
import { readProblem } from "../../adapters/catalog/file-problem.ts";
import { listScripts, readAppId } from "../../adapters/catalog/list-scripts.ts";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { findRepeats } from "../../core/rules/repeats.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { compareProblems, compareText, toProblems } from "../../core/script/parse/place-problems.ts";

/** One file with its problems. */
export interface ValidatedFile {
  /** As named on the command line. */
  readonly file: string;
  readonly version: number | null;
  readonly usable: boolean;
  readonly problems: readonly Problem[];
}

interface CheckedFile extends ValidatedFile {
  readonly dictionary: Dictionary | null;
  readonly text: string;
}

/** Validates install scripts, and those of folders. Throws `CLI_FILE_UNREADABLE`. */
export async function validate(paths: readonly string[]): Promise<readonly ValidatedFile[]> {
  const files = new Set<string>();
  for (const path of paths) for (const file of await listScriptsAt(path)) files.add(file);
  const authorCheck = createAuthorCheck();
  const validated: CheckedFile[] = [];
  try {
    for (const file of [...files].sort(compareText)) {
      validated.push(basename(file) === INDEX_FILE ? await validateIndex(file) : await validateFile(file, authorCheck));
    }
  } finally {
    await authorCheck.close();
  }
  const repeats = new Map(findRepeats(validated.map(toVersionKey)).map(({ index, first }) => [index, first]));
  return validated.map(({ dictionary, text, ...result }, index): ValidatedFile => {
    const first = validated[repeats.get(index) ?? -1];
    if (first === undefined) return result;
    const message = `script.version "${dictionary?.script.version}" is also that of "${basename(first.file)}", so none of the two is the newest`;
    const found = {
      code: "CATALOG_VERSION_REPEATED",
      severity: "warning",
      message,
      path: ["script", "version"],
    } as const;
    return { ...result, problems: [...result.problems, ...toProblems(text, [found])].sort(compareProblems) };
  });
}

/** Equal for files of one catalog that declare one app in one version. */
function toVersionKey({ file, dictionary }: CheckedFile): string | undefined {
  return dictionary === null ? undefined : join(dirname(file), `${dictionary.appId}@${dictionary.script.version}`);
}

/** The scripts of a directory, and its index where that has problems; a file is what it is. */
async function listScriptsAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw createFileUnreadableError(path, error);
  });
  if (!found.isDirectory()) return [path];
  const { names, rest } = await listScripts(path);
  if (rest > 0) throw createFileUnreadableError(path, `it has ${rest} install scripts more than a catalog may have`);
  const scripts = names.map((name) => join(path, name));
  const index = join(path, INDEX_FILE);
  const { problems } = existsSync(index) ? await validateIndex(index) : { problems: [] };
  return problems.length === 0 ? scripts : [...scripts, index];
}

async function validateIndex(file: string): Promise<CheckedFile> {
  const read = await readFor(file);
  if (read.kind !== "text") return refuse(file, read);
  const { deprecated, problems } = readCatalogIndex(read.text);
  return { file, version: null, usable: deprecated !== null, problems, dictionary: null, text: read.text };
}

async function validateFile(file: string, authorCheck: AuthorCheck): Promise<CheckedFile> {
  const read = await readFor(file);
  if (read.kind !== "text") return refuse(file, read);
  const { text } = read;
  // its process starts while the rules are loaded
  if (NAMES_TYPESCRIPT.test(text)) authorCheck.prepare();
  const { parseScriptFile } = await import("../../adapters/catalog/catalog-script.ts");
  const check = authorCheck.at(dirname(file));
  const { dictionary, version, problems } = await parseScriptFile({ appId: readAppId(basename(file)), text }, check);
  return { file, version, usable: dictionary !== null, problems, dictionary, text };
}

/** A key whose value is TypeScript, or a file of it. */
const NAMES_TYPESCRIPT = /"script(?:Content)?"\s*:\s*"/;

/** A file that is no script's text. */
function refuse(file: string, read: Extract<FileRead, { kind: "not-utf8" } | { kind: "too-large" }>): CheckedFile {
  const { file: _shown, ...problem } = readProblem(basename(file), read);
  return { file, version: null, usable: false, problems: [problem], dictionary: null, text: "" };
}

async function readFor(
  file: string,
): Promise<Extract<FileRead, { kind: "text" } | { kind: "not-utf8" } | { kind: "too-large" }>> {
  const read = await readWhole(dirname(file), basename(file), async () => true);
  switch (read.kind) {
    case "text":
    case "not-utf8":
    case "too-large":
      return read;
    case "unreadable":
      throw createFileUnreadableError(file, read.reason);
    case "gone":
      throw createFileUnreadableError(file, "there is no such file");
    case "changing":
      throw createFileUnreadableError(file, "it changes while it is read");
  }
}
