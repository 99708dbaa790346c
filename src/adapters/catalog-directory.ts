/**
 * The catalog as a directory: `<id>.json` and `<id>@<x>.json` install scripts, their TypeScript below it,
 * and optionally `catalog.json` with the deprecated ids (decisions, section 1).
 *
 * Invariants (test/catalog):
 * 1. `entries` and `entry` read one snapshot; `sync` builds the next one aside and swaps it whole, or leaves the old one.
 * 2. A file is never taken half-written (`catalog-file.ts`).
 * 3. A file with the same bytes that names no script file is not parsed again, and an unchanged entry stays the same object.
 */
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import semver from "semver";
import type { Code } from "../core/codes.ts";
import { explain } from "../core/codes.ts";
import { readJson } from "../core/json-source.ts";
import { compareText } from "../core/parse-dictionary-problems.ts";
import { EngineError, type Problem } from "../core/problems.ts";
import type { Catalog, CatalogChanges, CatalogEntry } from "../engine/ports/catalog.ts";
import { type FileRead, readWhole } from "./catalog-file.ts";
import { INDEX_FILE, readCatalogIndex } from "./catalog-index.ts";
import { parseScriptFile } from "./catalog-script.ts";
import { createScriptCheck, type ScriptCheck } from "./script-check.ts";

/** Files read at the same time. */
const READERS = 16;

/** One install script; of several of one app the newest is the app's entry. */
interface CatalogFile {
  readonly entry: CatalogEntry;
  /** Whether the entry also depends on other files: then equal bytes do not mean an equal entry. */
  readonly readsFiles: boolean;
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
export async function openCatalogDirectory(directory: string): Promise<Catalog> {
  const root = resolve(directory);
  const check = createScriptCheck(root);
  let snapshot = EMPTY;
  let running: Promise<CatalogChanges> | null = null;
  const syncOnce = async (): Promise<CatalogChanges> => {
    const { next, indexProblems } = await readSnapshot(root, snapshot, check);
    const changes = compare(snapshot, next, indexProblems);
    snapshot = next;
    return changes;
  };
  const catalog: Catalog = {
    root,
    entries: () => snapshot.entries,
    entry: (appId) => snapshot.byId.get(appId) ?? null,
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

/** The names of a directory's install scripts, sorted. Throws CATALOG_UNREADABLE. */
export async function listScripts(root: string): Promise<readonly string[]> {
  const names = await readdir(root).catch((cause: unknown) => {
    throw new EngineError("CATALOG_UNREADABLE", `the catalog "${root}" can't be read`, { root }, cause);
  });
  return names
    .filter((name) => name.endsWith(".json") && !name.startsWith(".") && name !== INDEX_FILE)
    .sort(compareText);
}

/** The app a file declares: `jellyfin.json` and `jellyfin@10.9.json` both declare `jellyfin`. */
export function appIdOf(file: string): string {
  return file.replace(/\.json$/, "").replace(/@.*$/s, "");
}

async function readSnapshot(root: string, before: Snapshot, check: ScriptCheck) {
  const names = await listScripts(root);
  const { deprecated, problems: indexProblems } = await readIndex(root, before.deprecated);
  const files = new Map<string, CatalogFile>();
  const queue = names.values();
  const work = async (): Promise<void> => {
    for (const name of queue) {
      const file = await readEntry(root, name, before.files.get(name), check);
      if (file === null) continue;
      files.set(name, withDeprecation(file, deprecated));
    }
  };
  await Promise.all(Array.from({ length: READERS }, work));
  const byId = newestById(names.flatMap((name) => files.get(name)?.entry ?? []));
  const entries = [...byId.values()].sort((a, b) => compareText(a.appId, b.appId));
  return { next: { files, entries, byId, deprecated }, indexProblems };
}

function withDeprecation(file: CatalogFile, ids: readonly string[]): CatalogFile {
  const deprecated = ids.includes(file.entry.appId);
  return file.entry.deprecated === deprecated ? file : { ...file, entry: { ...file.entry, deprecated } };
}

async function readEntry(
  root: string,
  file: string,
  known: CatalogFile | undefined,
  check: ScriptCheck,
): Promise<CatalogFile | null> {
  const appId = appIdOf(file);
  const read = await readWhole(root, file, (text) => readJson(text).ok);
  if (read.kind === "gone") return null;
  if (read.kind !== "text") {
    const problem = readProblem(file, read);
    const none: CatalogEntry = {
      appId,
      file,
      deprecated: false,
      sha256: "",
      dictionary: null,
      declared: null,
      problems: [],
    };
    const last = read.kind === "changing" && known !== undefined ? known.entry : none;
    const problems = [...last.problems.filter(({ code }) => code !== problem.code), problem];
    // Read again next time, whatever its bytes are then.
    return { entry: { ...last, problems }, readsFiles: true };
  }
  const same = known !== undefined && known.entry.sha256 === read.sha256;
  if (same && !known.readsFiles) return known;
  const { dictionary, declared, problems, readsFiles } = await parseScriptFile({ appId, text: read.text }, check);
  // What script files change about an entry shows in its problems.
  if (same && JSON.stringify(problems) === JSON.stringify(known.entry.problems)) return known;
  return { entry: { appId, file, deprecated: false, sha256: read.sha256, dictionary, declared, problems }, readsFiles };
}

/** The newest usable file of each app, else its first refused one; `<id>.json` wins a tie. */
function newestById(entries: readonly CatalogEntry[]): ReadonlyMap<string, CatalogEntry> {
  const byId = new Map<string, CatalogEntry>();
  for (const entry of entries) {
    const best = byId.get(entry.appId);
    if (best === undefined || isNewer(entry, best)) byId.set(entry.appId, entry);
  }
  return byId;
}

function isNewer(entry: CatalogEntry, best: CatalogEntry): boolean {
  if (entry.dictionary === null) return best.dictionary === null && entry.file === `${entry.appId}.json`;
  if (best.dictionary === null) return true;
  const order = semver.compare(entry.dictionary.script.version, best.dictionary.script.version);
  return order > 0 || (order === 0 && entry.file === `${entry.appId}.json`);
}

async function readIndex(root: string, known: readonly string[]) {
  const read = await readWhole(root, INDEX_FILE, (text) => readJson(text).ok);
  if (read.kind === "gone") return { deprecated: [], problems: [] };
  if (read.kind !== "text") return { deprecated: known, problems: [readProblem(INDEX_FILE, read)] };
  const { deprecated, problems } = readCatalogIndex(read.text);
  return { deprecated: deprecated ?? known, problems: problems.map((problem) => ({ ...problem, file: INDEX_FILE })) };
}

function readProblem(file: string, read: Exclude<FileRead, { kind: "text" }>): Problem {
  if (read.kind === "unreadable") {
    return fileProblem("CATALOG_FILE_UNREADABLE", file, `the file "${file}" can't be read: ${read.reason}`);
  }
  if (read.kind === "not-utf8") return fileProblem("CATALOG_FILE_NOT_UTF8", file, `the file "${file}" is not UTF-8`);
  return fileProblem("CATALOG_FILE_CHANGING", file, `the file "${file}" changes while it is read`);
}

/** A problem of a file as a whole. */
function fileProblem(code: Code, file: string, message: string): Problem {
  return { code, severity: "error", message, path: [], file, line: 1, column: 1, length: 1, hint: explain(code).hint };
}

function compare(before: Snapshot, next: Snapshot, indexProblems: readonly Problem[]): CatalogChanges {
  const ids = (snapshot: Snapshot) => snapshot.entries.map(({ appId }) => appId);
  const changed = ids(next).filter((id) => before.byId.has(id) && before.byId.get(id) !== next.byId.get(id));
  const problems = [...next.files.values()]
    .map(({ entry }) => ({ file: entry.file, problems: entry.problems }))
    .filter((file) => file.problems.length > 0);
  if (indexProblems.length > 0) problems.push({ file: INDEX_FILE, problems: indexProblems });
  return {
    added: ids(next).filter((id) => !before.byId.has(id)),
    changed,
    removed: ids(before).filter((id) => !next.byId.has(id)),
    problems: problems.sort((a, b) => compareText(a.file, b.file)),
  };
}
