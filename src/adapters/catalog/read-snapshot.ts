/** Reads the files of a catalog, many at a time, and keeps no more of them than the limits say. */
import type { Problem } from "../../core/codes/problems.ts";
import { compareText } from "../../core/script/parse/place-problems.ts";
import { readWhole } from "./catalog-file.ts";
import { INDEX_FILE } from "./catalog-index.ts";
import type { CatalogCheck } from "./file-check/catalog-check.ts";
import { createFileProblem, createUncheckedProblem, readProblem } from "./file-problem.ts";
import { listScripts, readAppId } from "./list-scripts.ts";
import { selectNewest } from "./newest-entries.ts";
import type { CatalogFile, CatalogLimits, OwnProblems, Snapshot } from "./snapshot.ts";

/** Files read at the same time. */
const READERS = 16;

/** Reads all files; of those that did not change since `before` the entries stay the same objects. */
export async function readSnapshot(root: string, before: Snapshot, check: CatalogCheck, limits: CatalogLimits) {
  const { names, rest } = await listScripts(root, limits.files);
  const { deprecated, problems } = await readIndex(root, before.deprecated, check);
  const ids = new Set(deprecated);
  const files = new KeptFiles(limits.keptBytes);
  const queue = names.values();
  const readQueued = async (): Promise<void> => {
    for (const name of queue) {
      const file = await readEntry(root, name, before.files.get(name), check);
      if (file !== null) files.add(name, withDeprecation(file, ids));
    }
  };
  await Promise.all(Array.from({ length: READERS }, readQueued));
  const byId = selectNewest(
    names.flatMap((name) => files.byName.get(name) ?? []),
    before.byId,
  );
  const entries = [...byId.values()].sort((a, b) => compareText(a.appId, b.appId));
  const own: OwnProblems = [
    ...(problems.length === 0 ? [] : [{ file: INDEX_FILE, problems }]),
    ...(rest === 0 ? [] : [{ file: ".", problems: [createTooManyFilesProblem(limits.files, rest)] }]),
  ];
  return { next: { files: files.byName, entries, byId, deprecated }, own };
}

function createTooManyFilesProblem(files: number, rest: number): Problem {
  const message = `the catalog has more than ${files} install scripts; ${rest} are not read`;
  return createFileProblem("CATALOG_FILES_TOO_MANY", ".", message);
}

/** The files of one snapshot: where they are too much together, the largest are refused. */
class KeptFiles {
  readonly byName = new Map<string, CatalogFile>();
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(name: string, file: CatalogFile): void {
    this.byName.set(name, file);
    this.#bytes += file.bytes;
    while (this.#bytes > this.#most) this.#dropLargest();
  }

  #dropLargest(): void {
    let largest: CatalogFile | null = null;
    for (const file of this.byName.values()) if (file.bytes > (largest?.bytes ?? 0)) largest = file;
    if (largest === null) return;
    const { appId, file } = largest.entry;
    const message = `the file "${file}" is one of the largest of a catalog that is too large as a whole`;
    this.byName.set(file, createFaultyFile(appId, createFileProblem("CATALOG_FILE_LEFT_OUT", file, message)));
    this.#bytes -= largest.bytes;
  }
}

/** A file nothing is known of but what is wrong with it; it is read again next time, whatever its bytes are then. */
function createFaultyFile(appId: string, problem: Problem): CatalogFile {
  const nothing = { deprecated: false, outdated: false, sha256: "", dictionary: null, declared: null };
  const entry = { appId, file: problem.file ?? "", ...nothing, problems: [problem] };
  return { entry, readsFiles: true, bytes: 0, unread: null };
}

function withDeprecation(file: CatalogFile, ids: ReadonlySet<string>): CatalogFile {
  const deprecated = ids.has(file.entry.appId);
  return file.entry.deprecated === deprecated ? file : { ...file, entry: { ...file.entry, deprecated } };
}

async function readEntry(
  root: string,
  file: string,
  known: CatalogFile | undefined,
  check: CatalogCheck,
): Promise<CatalogFile | null> {
  const appId = readAppId(file);
  const read = await readWhole(root, file, (text) => check.isWhole(text));
  if (read.kind === "gone") return null;
  if (read.kind !== "text") {
    const problem = readProblem(file, read);
    if (read.kind !== "changing" || known === undefined) return createFaultyFile(appId, problem);
    const problems = [...known.entry.problems.filter(({ code }) => code !== problem.code), problem];
    return { ...known, entry: { ...known.entry, problems }, readsFiles: true };
  }
  const same = known !== undefined && known.entry.sha256 === read.sha256;
  if (same && !known.readsFiles) return known;
  const checked = await check.script(appId, read.text);
  if (!checked.ok) return createFaultyFile(appId, createUncheckedProblem(file, checked.reason));
  const { readsFiles, unread, ...parsed } = checked.result;
  // What script files change about an entry shows in its problems.
  if (same && JSON.stringify(parsed.problems) === JSON.stringify(known.entry.problems)) return known;
  const entry = { appId, file, deprecated: false, outdated: false, sha256: read.sha256, ...parsed };
  return { entry, readsFiles, bytes: checked.units, unread };
}

async function readIndex(root: string, known: readonly string[], check: CatalogCheck) {
  const read = await readWhole(root, INDEX_FILE, (text) => check.isWhole(text));
  if (read.kind === "gone") return { deprecated: [], problems: [] };
  if (read.kind !== "text") return { deprecated: known, problems: [readProblem(INDEX_FILE, read)] };
  const checked = await check.index(read.text);
  if (!checked.ok) return { deprecated: known, problems: [createUncheckedProblem(INDEX_FILE, checked.reason)] };
  const { deprecated, problems } = checked.result;
  return { deprecated: deprecated ?? known, problems: problems.map((problem) => ({ ...problem, file: INDEX_FILE })) };
}
