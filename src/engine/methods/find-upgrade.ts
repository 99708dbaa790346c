/** The version an upgrade moves an installed app to, and the hooks that run on the way. */
import { EngineError } from "../../core/codes/problems.ts";
import { isOlderVersion, selectDueHooks } from "../../core/hooks/hook-selection.ts";
import type { Dictionary, Hook, LifecycleEvent } from "../../core/script/dictionary.ts";
import type { UpgradePreview } from "../api.ts";
import { findCustomTarget, type InstalledScript, readInstalledScript } from "../custom-version.ts";
import type { CatalogEntry } from "../ports/catalog.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { MethodDeps } from "./deps.ts";
import { findInstalledApp } from "./host-side.ts";
import { requireUsableApp } from "./request/request.ts";

/** The events of an upgrade, in order. */
const EVENTS = ["onBeforeUpgrade", "onAfterUpgrade"] as const;

/** The script an upgrade runs by: of a custom app its newest that admits the installed one. */
export interface UpgradeScript {
  readonly dictionary: Dictionary;
  readonly entry: Pick<CatalogEntry, "file" | "problems">;
  readonly installed: InstalledScript;
  /** A custom app that no script takes further. */
  readonly isNewest: boolean;
}

/** The versions hooks are chosen by. */
export interface Versions {
  /** Absent where nobody knows it: a custom app that was installed by other means. */
  readonly from?: string;
  readonly to: string;
}

/** The move of an installed app, and the hooks due in it, in order. */
export interface FoundUpgrade {
  readonly app: HostApp;
  readonly versions: Versions;
  readonly due: readonly { readonly hook: Hook; readonly event: LifecycleEvent }[];
}

/** The version an upgrade would move the app to and the hooks it would run; rejects as an upgrade does. */
export async function previewUpgrade(deps: MethodDeps, appId: string): Promise<UpgradePreview> {
  const { versions, due } = await findUpgrade(deps, upgradeScript(deps, appId));
  return {
    appId,
    ...versions,
    hooks: due.map(({ hook: { id, title, optional }, event }) => ({ id, title, event, optional })),
  };
}

/** Chooses the script of an upgrade. Throws as `requireUsableApp` does. */
export function upgradeScript(deps: MethodDeps, appId: string): UpgradeScript {
  const usable = requireUsableApp(deps, appId);
  const installed = readInstalledScript(deps.store, appId);
  const move = usable.dictionary.custom ? findCustomTarget(deps.catalog, usable.dictionary, installed) : null;
  const isNewest = usable.dictionary.custom && move === null;
  return move === null
    ? { ...usable, installed, isNewest }
    : { dictionary: move.dictionary, entry: move, installed, isNewest };
}

/** Asks the host what the script's app moves to. Throws `TASK_APP_NOT_INSTALLED`, `HOST_UPGRADE_NONE` where nothing is newer. */
export async function findUpgrade(
  deps: MethodDeps,
  { dictionary, installed, isNewest }: UpgradeScript,
): Promise<FoundUpgrade> {
  const app = await findInstalledApp(deps, dictionary.appId);
  if (isNewest) throw createUpgradeNoneError(dictionary.appId, installed.metadataVersion ?? app.version);
  const versions = dictionary.custom ? readMovedVersions(dictionary, installed) : await findHostVersions(deps, app);
  const due = EVENTS.flatMap((event) =>
    selectDueHooks(dictionary.hooks, { event, consents: {}, ...versions }).map(({ hook }) => ({ hook, event })),
  );
  return { app, versions, due };
}

/** From the installed to the host's newest version of a catalog app. */
async function findHostVersions({ host }: MethodDeps, app: HostApp): Promise<Versions> {
  const target = await host.upgradeTarget(app.name);
  if (target === null || isOlderVersion(target.version, app.version))
    throw createUpgradeNoneError(app.appId, app.version);
  return { from: app.version, to: target.version };
}

/** From the installed to the newer version of a custom app. */
function readMovedVersions({ metadata }: Dictionary, { metadataVersion }: InstalledScript): Versions {
  return { ...(metadataVersion !== null && { from: metadataVersion }), to: metadata?.version ?? "" };
}

function createUpgradeNoneError(appId: string, version: string): EngineError {
  const message = `no version newer than ${version} is available for "${appId}"`;
  return new EngineError("HOST_UPGRADE_NONE", message, { appId, version });
}
