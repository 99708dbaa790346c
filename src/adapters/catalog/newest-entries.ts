/** Which of several install scripts of one app is the app's entry. */
import compareVersions from "semver/functions/compare.js";
import type { CatalogEntry } from "../../engine/ports/catalog.ts";
import type { CatalogFile, Snapshot } from "./snapshot.ts";

/**
 * The newest usable file of each app, else its first refused one; `<id>.json` wins a tie. One that a file of a version
 * that is not read is newer than is marked so; `before` holds the entries of the last time.
 */
export function selectNewest(
  files: readonly CatalogFile[],
  before: Snapshot["byId"],
): ReadonlyMap<string, CatalogEntry> {
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

/** Whether an entry goes before another one of its app. */
export function isNewer(entry: CatalogEntry, best: CatalogEntry): boolean {
  if (entry.dictionary === null) return best.dictionary === null && entry.file === `${entry.appId}.json`;
  if (best.dictionary === null) return true;
  const order = compareVersions(entry.dictionary.script.version, best.dictionary.script.version);
  return order > 0 || (order === 0 && entry.file === `${entry.appId}.json`);
}
