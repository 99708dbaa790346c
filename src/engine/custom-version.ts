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
 * The scripts a custom app can move to, the newest first: those that admit the installed one, less that one itself and
 * those of an older version of the app.
 */
export function listCustomTargets(
  catalog: Pick<Catalog, "scripts">,
  { appId, internal }: Dictionary,
  { scriptVersion, metadataVersion }: InstalledScript,
): readonly UsableEntry[] {
  return catalog
    .scripts(appId)
    .filter(({ dictionary }) => dictionary.custom && (internal || !dictionary.internal))
    .filter(
      ({ dictionary: { script } }) =>
        scriptVersion === null || (script.version !== scriptVersion && admitsUpdate(script, scriptVersion)),
    )
    .filter(
      ({ dictionary: { metadata } }) =>
        metadataVersion === null || metadata === undefined || !lt(metadata.version, metadataVersion),
    );
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
