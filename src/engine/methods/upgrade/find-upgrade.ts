/** The version an upgrade moves an installed app to, and the hooks that run on the way. */
import { selectDueHooks } from "../../../core/hooks/hook-selection.ts";
import type { Dictionary, Hook, LifecycleEvent } from "../../../core/script/dictionary.ts";
import type { UpgradePreview, UpgradeRequest } from "../../api.ts";
import { type InstalledScript, listCustomTargets, readInstalledScript } from "../../custom-version.ts";
import type { CatalogEntry } from "../../ports/catalog.ts";
import type { HostApp } from "../../ports/host-records.ts";
import { listPackageChanges, listPackageVersions, listScriptChanges } from "../../surfaces/changelog.ts";
import type { MethodDeps } from "../deps.ts";
import { findInstalledApp } from "../host-side.ts";
import { requireUsableApp } from "../request/request.ts";
import { chooseVersion } from "./choose-version.ts";

/** The events of an upgrade, in order. */
const EVENTS = ["onBeforeUpgrade", "onAfterUpgrade"] as const;

/** The script an upgrade runs by: of a custom app the newest that admits the installed one, or that of the version wanted. */
export interface UpgradeScript {
  readonly dictionary: Dictionary;
  readonly entry: Pick<CatalogEntry, "file" | "problems" | "sha256">;
  readonly installed: InstalledScript;
  /** The version asked for; the newest where none is. */
  readonly wanted?: string;
  /** Every version a custom app can move to, the newest first; of another one the host knows them. */
  readonly versions: readonly string[];
}

/** The versions hooks are chosen by. */
export interface Versions {
  /** Absent where nobody knows it: a custom app that was installed by other means. */
  readonly from?: string;
  readonly to: string;
}

/** A move of an app: where it leads, where else it could lead, and what is written about it. */
interface Move {
  readonly versions: Versions;
  readonly others: Pick<UpgradePreview, "versions" | "changelog">;
}

/** The move of an installed app, and the hooks due in it, in order. */
export interface FoundUpgrade extends Move {
  readonly app: HostApp;
  readonly due: readonly { readonly hook: Hook; readonly event: LifecycleEvent }[];
}

/** The move of an upgrade, the versions there are, and the hooks it would run; rejects as an upgrade does. */
export async function previewUpgrade(
  deps: MethodDeps,
  appId: string,
  { version }: Pick<UpgradeRequest, "version">,
): Promise<UpgradePreview> {
  const { versions, others, due } = await findUpgrade(deps, upgradeScript(deps, appId, version));
  return {
    appId,
    ...versions,
    ...others,
    hooks: due.map(({ hook: { id, title, optional }, event }) => ({ id, title, event, optional })),
  };
}

/** Chooses the script of an upgrade. Throws as `requireUsableApp` does. */
export function upgradeScript(deps: MethodDeps, appId: string, wanted?: string): UpgradeScript {
  const usable = requireUsableApp(deps, appId);
  const installed = readInstalledScript(deps.store, appId);
  const targets = usable.dictionary.custom ? listCustomTargets(deps.catalog, usable.dictionary, installed) : [];
  const chosen = targets.find(({ dictionary }) => wanted === undefined || dictionary.metadata?.version === wanted);
  return {
    ...(chosen === undefined ? usable : { dictionary: chosen.dictionary, entry: chosen }),
    installed,
    ...(wanted !== undefined && { wanted }),
    versions: [...new Set(targets.flatMap(({ dictionary }) => dictionary.metadata?.version ?? []))],
  };
}

/** Asks the host what the script's app moves to; `installed`: as the host has it, for who knows already. Throws `TASK_APP_NOT_INSTALLED`, and as `chooseVersion` does. */
export async function findUpgrade(deps: MethodDeps, script: UpgradeScript, installed?: HostApp): Promise<FoundUpgrade> {
  const { dictionary } = script;
  const app = installed ?? (await findInstalledApp(deps, dictionary.appId));
  const move = dictionary.custom ? findScriptMove(deps, script, app) : await findPackageMove(deps, script, app);
  const due = EVENTS.flatMap((event) =>
    selectDueHooks(dictionary.hooks, { event, consents: {}, ...move.versions }).map(({ hook }) => ({ hook, event })),
  );
  return { app, ...move, due };
}

/** From the installed version of a catalog app to one the host offers. */
async function findPackageMove({ host }: MethodDeps, script: UpgradeScript, app: HostApp): Promise<Move> {
  const target = await host.upgradeTarget(app.name);
  const versions = target === null ? [] : listPackageVersions(app.version, target);
  const to = chooseVersion({ appId: app.appId, installed: app.version, versions }, script.wanted);
  const changelog = target === null ? [] : listPackageChanges(app.version, target, to);
  return { versions: { from: app.version, to }, others: { versions, changelog } };
}

/** From the installed version of a custom app to that of the script. */
function findScriptMove({ catalog }: MethodDeps, script: UpgradeScript, app: HostApp): Move {
  const { dictionary, installed, versions, wanted } = script;
  const { metadataVersion: from } = installed;
  const to = chooseVersion({ appId: app.appId, installed: from ?? app.version, versions }, wanted);
  return {
    versions: { ...(from !== null && { from }), to },
    others: { versions, changelog: listScriptChanges(catalog, dictionary, installed) },
  };
}
