/**
 * The catalog as a directory: `<id>.json` and `<id>@<x>.json` install scripts, their TypeScript below it,
 * and optionally `catalog.json` with the deprecated ids (docs/decisions.md, section 1).
 *
 * Invariants (test/catalog):
 * 1. `entries` and `entry` read one snapshot; `sync` builds the next one aside and swaps it whole, or leaves the old one.
 * 2. A file is never taken half-written (`catalog-file.ts`).
 * 3. A file with the same bytes that names no script file is not parsed again, and an unchanged entry stays the same object.
 * 4. What one file holds harms no other and stops nobody: the engine's thread checks small ones only, in turns
 *    (`catalog-check.ts`), and of a catalog that is too large as a whole the largest files give way.
 */
import { resolve } from "node:path";
import compareVersions from "semver/functions/compare.js";
import type { Problem } from "../../core/codes/problems.ts";
import { compareText } from "../../core/script/parse/place-problems.ts";
import type { Catalog, CatalogChanges, CatalogEntry, UsableEntry } from "../../engine/ports/catalog.ts";
import { type CatalogCheck, CHECK_LIMITS, createCatalogCheck } from "./catalog-check.ts";
import { readWhole } from "./catalog-file.ts";
import { INDEX_FILE } from "./catalog-index.ts";
import type { CheckLimits } from "./check-process.ts";
import { createFileProblem, createUncheckedProblem, readProblem } from "./file-problem.ts";
import { listScripts, MOST_SCRIPTS, readAppId } from "./list-scripts.ts";
import { readSharedSource } from "./script-source.ts";

/** Files read at the same time. */
const READERS = 16;
/** Bounds of a whole catalog. */
export interface CatalogLimits {
  /** Install scripts; of more the first by name are read. */
  readonly files: number;
  /** Size of its checked scripts together, in UTF-16 units of the JSON text the check hands over. */
  readonly keptBytes: number;
  /** Bounds for checking one of its files. */
  readonly check: CheckLimits;
}

const LIMITS: CatalogLimits = { files: MOST_SCRIPTS, keptBytes: 128 * 1024 * 1024, check: CHECK_LIMITS };

/** One install script; of several of one app the newest is the app's entry. */
interface CatalogFile {
  readonly entry: CatalogEntry;
  /** Whether the entry also depends on other files: then equal bytes do not mean an equal entry. */
  readonly readsFiles: boolean;
  /** Bytes it takes to keep the entry. */
  readonly bytes: number;
  /** The script's own version where it is of a version that is not read. */
  readonly unread: string | null;
}

interface Snapshot {
  /** By file name. */
  readonly files: ReadonlyMap<string, CatalogFile>;
  readonly entries: readonly CatalogEntry[];
  readonly byId: ReadonlyMap<string, CatalogEntry>;
  readonly deprecated: readonly string[];
}

const EMPTY: Snapshot = { files: new Map(), entries: [], byId: new Map(), deprecated: [] };

/** Opens a catalog directory and reads it once. Throws CATALOG_UNREADABLE when the directory can't be listed. */
export async function openCatalogDirectory(directory: string, limits = LIMITS): Promise<Catalog> {
  const root = resolve(directory);
  let snapshot = EMPTY;
  let running: Promise<CatalogChanges> | null = null;
  const syncOnce = async (): Promise<CatalogChanges> => {
    const check = createCatalogCheck(root, readSharedSource, limits.check);
    try {
      const { next, own } = await readSnapshot(root, snapshot, check, limits);
      const changes = compare(snapshot, next, own);
      snapshot = next;
      return changes;
    } finally {
      await check.close();
    }
  };
  const catalog: Catalog = {
    root,
    entries: () => snapshot.entries,
    entry: (appId) => snapshot.byId.get(appId) ?? null,
    scripts: (appId) => listUsableScripts(snapshot.files, appId),
    sync: () => {
      running ??= syncOnce().finally(() => {
        running = null;
      });
      return running;
    },
  };
  await catalog.sync();
  return catalog;
}

/** Problems of the catalog beside those of its install scripts. */
type OwnProblems = CatalogChanges["problems"];

async function readSnapshot(root: string, before: Snapshot, check: CatalogCheck, limits: CatalogLimits) {
  const { names, rest } = await listScripts(root, limits.files);
  const { deprecated, problems } = await readIndex(root, before.deprecated, check);
  const ids = new Set(deprecated);
  const files = new KeptFiles(limits.keptBytes);
  const queue = names.values();
  const work = async (): Promise<void> => {
    for (const name of queue) {
      const file = await readEntry(root, name, before.files.get(name), check);
      if (file !== null) files.add(name, withDeprecation(file, ids));
    }
  };
  await Promise.all(Array.from({ length: READERS }, work));
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

/**
 * The newest usable file of each app, else its first refused one; `<id>.json` wins a tie. One that a file of a version
 * that is not read is newer than is marked so; `before` holds the entries of the last time.
 */
function selectNewest(files: readonly CatalogFile[], before: Snapshot["byId"]): ReadonlyMap<string, CatalogEntry> {
  const byId = new Map<string, CatalogEntry>();
  for (const { entry } of files) {
    const best = byId.get(entry.appId);
    if (best === undefined || isNewer(entry, best)) byId.set(entry.appId, entry);
  }
  for (const { entry, unread } of files) {
    const best = byId.get(entry.appId);
    if (unread === null || best === undefined || best.dictionary === null || best.outdated) continue;
    if (compareVersions(unread, best.dictionary.script.version) > 0) byId.set(entry.appId, markOutdated(best, before));
  }
  return byId;
}

/** The same object where it was outdated before. */
function markOutdated(entry: CatalogEntry, before: Snapshot["byId"]): CatalogEntry {
  const { dictionary, problems, deprecated } = entry;
  const last = before.get(entry.appId);
  const isSame = last?.outdated && last.dictionary === dictionary && last.problems === problems;
  return isSame && last.deprecated === deprecated ? last : { ...entry, outdated: true };
}

function listUsableScripts(files: Snapshot["files"], appId: string): readonly UsableEntry[] {
  const entries = [...files.values()].map(({ entry }) => entry);
  return entries
    .filter((entry): entry is UsableEntry => entry.appId === appId && entry.dictionary !== null)
    .sort((a, b) => (isNewer(a, b) ? -1 : 1));
}

function isNewer(entry: CatalogEntry, best: CatalogEntry): boolean {
  if (entry.dictionary === null) return best.dictionary === null && entry.file === `${entry.appId}.json`;
  if (best.dictionary === null) return true;
  const order = compareVersions(entry.dictionary.script.version, best.dictionary.script.version);
  return order > 0 || (order === 0 && entry.file === `${entry.appId}.json`);
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

function compare(before: Snapshot, next: Snapshot, own: OwnProblems): CatalogChanges {
  const listIds = (snapshot: Snapshot) => snapshot.entries.map(({ appId }) => appId);
  const changed = listIds(next).filter((id) => before.byId.has(id) && before.byId.get(id) !== next.byId.get(id));
  const problems = [...next.files.values()]
    .map(({ entry }) => ({ file: entry.file, problems: entry.problems }))
    .filter((file) => file.problems.length > 0);
  return {
    added: listIds(next).filter((id) => !before.byId.has(id)),
    changed,
    removed: listIds(before).filter((id) => !next.byId.has(id)),
    problems: [...problems, ...own].sort((a, b) => compareText(a.file, b.file)),
  };
}
