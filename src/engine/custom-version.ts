/**
 * The version of a custom app: the `metadata.version` of its script. The host's generic app has a version of its own, which
 * says nothing of what runs in it (docs/decisions.md, section 4).
 */
import lt from "semver/functions/lt.js";
import type { Dictionary } from "../core/script/dictionary.ts";
import { admitsUpdate } from "../core/script/update-compatibility.ts";
import type { Catalog, UsableEntry } from "./ports/catalog.ts";
import type { Store } from "./ports/store.ts";

/** The script a custom app was installed with, or moved to last. */
export interface InstalledScript {
  /** null: it was installed by other means. */
  readonly scriptVersion: string | null;
  readonly metadataVersion: string | null;
}

/**
 * The newest script of a custom app that admits the installed one; null where none does, where that is the installed one,
 * or an older version of the app.
 */
export function findCustomTarget(
  catalog: Pick<Catalog, "scripts">,
  { appId, internal }: Dictionary,
  { scriptVersion, metadataVersion }: InstalledScript,
): UsableEntry | null {
  const target = catalog
    .scripts(appId)
    .filter(({ dictionary }) => dictionary.custom && (internal || !dictionary.internal))
    .find(({ dictionary }) => scriptVersion === null || admitsUpdate(dictionary.script, scriptVersion));
  if (target === undefined || target.dictionary.script.version === scriptVersion) return null;
  const version = target.dictionary.metadata?.version;
  const isOlder = metadataVersion !== null && version !== undefined && lt(version, metadataVersion);
  return isOlder ? null : target;
}

/** Reads the versions of the script an app was installed with; null where none is kept. */
export function readInstalledScript(store: Pick<Store, "setting">, appId: string): InstalledScript {
  const [scriptVersion, metadataVersion] = [
    store.setting(appId, "scriptVersion"),
    store.setting(appId, "metadataVersion"),
  ];
  return {
    scriptVersion: typeof scriptVersion === "string" ? scriptVersion : null,
    metadataVersion: typeof metadataVersion === "string" ? metadataVersion : null,
  };
}
