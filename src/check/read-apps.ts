/** The apps of a catalog, read one by one: each is let go of before the next but what its levels need. */
import { basename, join, resolve } from "node:path";
import compareVersions from "semver/functions/compare.js";
import type { AuthorCheck } from "../adapters/catalog/file-check/author-check.ts";
import { createFileProblem } from "../adapters/catalog/file-problem.ts";
import { listScripts, readAppId } from "../adapters/catalog/list-scripts.ts";
import { noteRepeats, type ReadFile, validateFile } from "../adapters/catalog/validate-file.ts";
import { EngineError, type Problem } from "../core/codes/problems.ts";
import type { Subject } from "./subject.ts";

/** An app by its files, unread. */
export interface ListedApp {
  readonly appId: string;
  readonly root: string;
  /** Relative to the catalog. */
  readonly files: readonly string[];
}

/**
 * The apps of a catalog by id, or those named. Throws `CATALOG_UNREADABLE`, and `CLI_USAGE` for an app the catalog does not
 * have.
 */
export async function listApps(catalog: string, wanted: readonly string[]): Promise<readonly ListedApp[]> {
  const root = resolve(catalog);
  const { names } = await listScripts(root);
  const byId = Map.groupBy(names, readAppId);
  const unknown = wanted.find((appId) => !byId.has(appId));
  if (unknown !== undefined) throw new EngineError("CLI_USAGE", `the catalog "${catalog}" has no app "${unknown}"`);
  const ids = wanted.length === 0 ? [...byId.keys()] : [...new Set(wanted)];
  return ids.map((appId) => ({ appId, root, files: byId.get(appId) ?? [] }));
}

/** Reads and validates every file of an app; one that can't be read is a problem of it. */
export async function readApp({ appId, root, files }: ListedApp, authorCheck: AuthorCheck): Promise<Subject> {
  const read = noteRepeats(await Promise.all(files.map((file) => readFile(join(root, file), authorCheck))));
  const [newest] = read.toSorted(compareAge);
  const problems = read.flatMap((file) =>
    file.problems.map((problem): Problem => ({ ...problem, file: problem.file ?? basename(file.file) })),
  );
  const { text = "", dictionary = null } = newest ?? {};
  return { appId, root, file: basename(newest?.file ?? `${appId}.json`), text, dictionary, problems };
}

async function readFile(file: string, authorCheck: AuthorCheck): Promise<ReadFile> {
  try {
    return await validateFile(file, authorCheck);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const problems = [createFileProblem("CATALOG_FILE_UNREADABLE", basename(file), error.message)];
    return { file, version: null, usable: false, problems, dictionary: null, text: "" };
  }
}

/** The newest first; one that is refused last. */
function compareAge(one: ReadFile, other: ReadFile): number {
  const [a, b] = [one.dictionary?.script.version, other.dictionary?.script.version];
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareVersions(b, a);
}
