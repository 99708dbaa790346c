/** One install script, or the index of a catalog, with its problems and its text. */
import { basename, dirname, join } from "node:path";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { findRepeats } from "../../core/rules/repeats.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { compareProblems, toProblems } from "../../core/script/parse/place-problems.ts";
import { type FileRead, readWhole } from "./catalog-file.ts";
import { readCatalogIndex } from "./catalog-index.ts";
import type { AuthorCheck } from "./file-check/author-check.ts";
import { readProblem } from "./file-problem.ts";
import { readAppId } from "./list-scripts.ts";

/** One file with its problems. */
export interface ValidatedFile {
  /** As it was named. */
  readonly file: string;
  readonly version: number | null;
  readonly usable: boolean;
  readonly problems: readonly Problem[];
}

/** A validated file with what was read of it. */
export interface ReadFile extends ValidatedFile {
  readonly dictionary: Dictionary | null;
  readonly text: string;
}

/** The files, a later one of two that declare one app in one version with the problem that says so. */
export function noteRepeats(files: readonly ReadFile[]): readonly ReadFile[] {
  const repeats = new Map(findRepeats(files.map(toVersionKey)).map(({ index, first }) => [index, first]));
  return files.map((read, index): ReadFile => {
    const first = files[repeats.get(index) ?? -1];
    if (first === undefined) return read;
    const { dictionary, text, problems } = read;
    const message = `script.version "${dictionary?.script.version}" is also that of "${basename(first.file)}", so none of the two is the newest`;
    const found = {
      code: "CATALOG_VERSION_REPEATED",
      severity: "warning",
      message,
      path: ["script", "version"],
    } as const;
    return { ...read, problems: [...problems, ...toProblems(text, [found])].sort(compareProblems) };
  });
}

/** Equal for files of one catalog that declare one app in one version. */
function toVersionKey({ file, dictionary }: ReadFile): string | undefined {
  return dictionary === null ? undefined : join(dirname(file), `${dictionary.appId}@${dictionary.script.version}`);
}

/** Validates the index of a catalog. Throws `CLI_FILE_UNREADABLE`. */
export async function validateIndex(file: string): Promise<ReadFile> {
  const read = await readFor(file);
  if (read.kind !== "text") return refuse(file, read);
  const { deprecated, problems } = readCatalogIndex(read.text);
  return { file, version: null, usable: deprecated !== null, problems, dictionary: null, text: read.text };
}

/** Validates an install script, its TypeScript too. Throws `CLI_FILE_UNREADABLE`. */
export async function validateFile(file: string, authorCheck: AuthorCheck): Promise<ReadFile> {
  const read = await readFor(file);
  if (read.kind !== "text") return refuse(file, read);
  const { text } = read;
  // its process starts while the rules are loaded
  if (NAMES_TYPESCRIPT.test(text)) authorCheck.prepare();
  const { parseScriptFile } = await import("./catalog-script.ts");
  const check = authorCheck.at(dirname(file));
  const { dictionary, version, problems } = await parseScriptFile({ appId: readAppId(basename(file)), text }, check);
  return { file, version, usable: dictionary !== null, problems, dictionary, text };
}

/** A key whose value is TypeScript, or a file of it. */
const NAMES_TYPESCRIPT = /"script(?:Content)?"\s*:\s*"/;

/** A file that is no script's text. */
function refuse(file: string, read: Extract<FileRead, { kind: "not-utf8" } | { kind: "too-large" }>): ReadFile {
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
