/** The versions an app can move to, and what is written about them. */
import { isOlderVersion } from "../../core/hooks/hook-selection.ts";
import { admitsUpdate, isOlder } from "../../core/script/update-compatibility.ts";
import type { ChangelogEntry } from "../api.ts";
import { findCustomTarget, readInstalledScript } from "../custom-version.ts";
import type { Catalog, CatalogEntry } from "../ports/catalog.ts";
import type { Logger } from "../ports/environment.ts";
import type { HostApp } from "../ports/host-records.ts";
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
  const ofPackage = app.custom ? [] : await listPackageVersions(deps, app);
  const ofScript = dictionary === null ? [] : listScriptVersions(deps, dictionary);
  return [...ofPackage, ...ofScript].slice(0, MOST_ENTRIES);
}

/** The host writes about the version it would move to as a whole, not about those on the way. */
async function listPackageVersions(
  { answers, logger }: ChangelogDeps,
  { name, version, upgradeAvailable }: HostApp,
): Promise<readonly ChangelogEntry[]> {
  if (!upgradeAvailable) return [];
  try {
    const target = (await answers.upgradeTarget(name, KEPT_MS)).value;
    if (target === null) return [];
    return [...new Set([target.version, ...target.available])]
      .filter((other) => isOlderVersion(version, other) && !isOlderVersion(target.version, other))
      .toSorted((a, b) => Number(isOlderVersion(a, b)) - Number(isOlderVersion(b, a)))
      .map((other) => ({ version: other, ...(other === target.version && cutNotes(target.changelog)) }));
  } catch (error) {
    logger.debug({ error, name }, "the host was not asked what an upgrade brings");
    return [];
  }
}

/** Of a custom app an upgrade takes them, of another one an update. */
function listScriptVersions(
  { catalog, store }: ChangelogDeps,
  dictionary: NonNullable<CatalogEntry["dictionary"]>,
): readonly ChangelogEntry[] {
  const { appId, custom, internal } = dictionary;
  const installed = readInstalledScript(store, appId);
  const { scriptVersion } = installed;
  if (scriptVersion === null) return [];
  const offered = custom ? findCustomTarget(catalog, dictionary, installed)?.dictionary : dictionary;
  if (offered === undefined || !admitsUpdate(offered.script, scriptVersion)) return [];
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
