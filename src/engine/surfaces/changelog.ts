/** The versions an app can move to, and what is written about them. */
import { isOlderVersion } from "../../core/hooks/hook-selection.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { admitsUpdate, isOlder } from "../../core/script/update-compatibility.ts";
import type { ChangelogEntry } from "../api.ts";
import { type InstalledScript, listCustomTargets, readInstalledScript } from "../custom-version.ts";
import type { Catalog, CatalogEntry } from "../ports/catalog.ts";
import type { Logger } from "../ports/environment.ts";
import type { HostApp, UpgradeTarget } from "../ports/host-records.ts";
import type { Store } from "../ports/store.ts";
import type { HostAnswers } from "./host-answers.ts";

/** Most versions named, and most characters of what is written about one. */
const MOST_ENTRIES = 50;
const MOST_NOTES = 10_000;
/** Ms the host's answer about one app's upgrade is kept. */
const KEPT_MS = 60_000;

interface ChangelogDeps {
  readonly answers: Pick<HostAnswers, "upgradeTarget">;
  readonly catalog: Pick<Catalog, "scripts">;
  readonly store: Pick<Store, "setting">;
  readonly logger: Logger;
}

/**
 * The versions newer than the installed one, up to the offered one: of the host's package, then of the script, each the
 * newest first. What the host does not answer is left out.
 */
export async function readChangelog(
  deps: ChangelogDeps,
  { dictionary }: Pick<CatalogEntry, "dictionary">,
  app: HostApp,
): Promise<readonly ChangelogEntry[]> {
  const ofPackage = app.custom ? [] : await readPackageChanges(deps, app);
  const ofScript = dictionary === null ? [] : readScriptChanges(deps, dictionary);
  return [...ofPackage, ...ofScript].slice(0, MOST_ENTRIES);
}

/** The versions a catalog app can be upgraded to, the newest first; none where the host offers an older one. */
export function listPackageVersions(installed: string, { version, available }: UpgradeTarget): readonly string[] {
  if (isOlderVersion(version, installed)) return [];
  const others = available.filter((other) => isOlderVersion(installed, other) && !isOlderVersion(version, other));
  return [...new Set([version, ...others])].toSorted(
    (a, b) => Number(isOlderVersion(a, b)) - Number(isOlderVersion(b, a)),
  );
}

/**
 * The versions of a catalog app after the installed one, up to `to`. The host writes about the version it would move to as
 * a whole, not about those on the way.
 */
export function listPackageChanges(
  installed: string,
  target: UpgradeTarget,
  to: string = target.version,
): readonly ChangelogEntry[] {
  return listPackageVersions(installed, target)
    .filter((version) => !isOlderVersion(to, version))
    .map((version) => ({ version, ...(version === target.version && cutNotes(target.changelog)) }));
}

async function readPackageChanges(
  { answers, logger }: ChangelogDeps,
  { name, version, upgradeAvailable }: HostApp,
): Promise<readonly ChangelogEntry[]> {
  if (!upgradeAvailable) return [];
  try {
    const target = (await answers.upgradeTarget(name, KEPT_MS)).value;
    return target === null ? [] : listPackageChanges(version, target);
  } catch (error) {
    logger.debug({ error, name }, "the host was not asked what an upgrade brings");
    return [];
  }
}

/** Of a custom app an upgrade takes them, of another one an update. */
function readScriptChanges({ catalog, store }: ChangelogDeps, dictionary: Dictionary): readonly ChangelogEntry[] {
  const installed = readInstalledScript(store, dictionary.appId);
  const offered = dictionary.custom ? listCustomTargets(catalog, dictionary, installed)[0]?.dictionary : dictionary;
  return offered === undefined ? [] : listScriptChanges(catalog, offered, installed);
}

/** The scripts of an app after the installed one, up to `offered`, the newest first. */
export function listScriptChanges(
  catalog: Pick<Catalog, "scripts">,
  offered: Dictionary,
  { scriptVersion }: InstalledScript,
): readonly ChangelogEntry[] {
  if (scriptVersion === null || !admitsUpdate(offered.script, scriptVersion)) return [];
  const { appId, custom, internal } = offered;
  return catalog
    .scripts(appId)
    .map((entry) => entry.dictionary)
    .filter((other) => other.custom === custom && (internal || !other.internal))
    .filter(
      ({ script }) => isOlder({ version: scriptVersion }, script.version) && !isOlder(offered.script, script.version),
    )
    .map(({ script, metadata }) => ({
      ...(custom && metadata && { version: metadata.version }),
      scriptVersion: script.version,
      ...cutNotes(script.changeLog),
    }));
}

function cutNotes(notes = ""): Pick<ChangelogEntry, "notes"> {
  const text = notes.trim();
  if (text === "") return {};
  return { notes: text.length <= MOST_NOTES ? text : `${text.slice(0, MOST_NOTES)}...` };
}
