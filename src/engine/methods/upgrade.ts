import type { UpgradeInput } from "../../../machines/upgrade/types.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { dueHooks, isOlderVersion } from "../../core/hooks/hook-selection.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { InstallRequest, TaskView } from "../api.ts";
import { customTarget, type InstalledScript, readInstalledScript } from "../custom-version.ts";
import type { HostApp } from "../ports/host.ts";
import { hookKey } from "../stored-plan.ts";
import { dropOffers } from "../vault/offers.ts";
import { compileHooks, droppedMarks } from "./compile-hooks.ts";
import type { MethodDeps } from "./deps.ts";
import { hookChild } from "./hook-child.ts";
import { installedApp, offeredApp } from "./host-side.ts";
import { frozenPlan, keepInputRandoms, keptChoices, planApp, planUpgrade, storedApp } from "./plan-app.ts";
import { appClaim, freeClaims, refuseConflict, refuseProblems, usableApp } from "./request.ts";
import { checkUpgrade } from "./request-parts.ts";

/** The events of an upgrade, in order. */
const EVENTS = ["onBeforeUpgrade", "onAfterUpgrade"] as const;

/** The versions hooks are chosen by. */
interface Versions {
  /** Absent where nobody knows it: a custom app that was installed by other means. */
  readonly from?: string;
  readonly to: string;
}

/**
 * Starts the upgrade to the host's newest version, of a custom app to its newest script that admits the installed one
 * (docs/decisions.md, section 4). Hooks are chosen by both versions; those with `userOptional` never run here. Throws
 * `HOST_UPGRADE_NONE` where nothing is newer.
 */
export async function upgrade(deps: MethodDeps, appId: string, request: InstallRequest): Promise<TaskView> {
  const { host, runtime, timing } = deps;
  refuseConflict(deps, appId);
  const usable = usableApp(deps, appId);
  const installed = readInstalledScript(deps.store, appId);
  const move = usable.dictionary.custom ? customTarget(deps.catalog, usable.dictionary, installed) : null;
  const { dictionary, entry } = move === null ? usable : { dictionary: move.dictionary, entry: move };
  const { entries: secrets, problems } = checkUpgrade(dictionary, request);
  refuseProblems(appId, problems);
  const app = await installedApp(deps, appId);
  if (dictionary.custom && move === null) throw upgradeNone(appId, installed.metadataVersion ?? app.version);
  const versions = dictionary.custom ? movedVersions(dictionary, installed) : await hostVersions(deps, app);
  const facts = await host.facts();
  const live = await host.appConfig(app.name);
  const offered = await offeredApp(deps, dictionary);
  const kept = keptChoices(deps, appId);
  const { plan, randoms, marks } = planMove(deps, { dictionary, facts, kept, live });
  const due = EVENTS.flatMap((event) =>
    dueHooks(dictionary.hooks, { event, consents: {}, ...versions }).map(({ hook }) => ({ hook, event })),
  );
  const compiled = await compileHooks(
    deps,
    dictionary,
    due.map(({ hook }) => hook),
    plan.inputDefaults,
  );
  keepInputRandoms(deps, appId, randoms);
  const input: UpgradeInput = {
    appId,
    title: offered.title,
    children: due
      .filter(({ hook }) => hookKey(appId, hook.id) in compiled.hooks)
      .map(({ hook, event }) => hookChild(appId, hook, event, timing)),
    marks: [...droppedMarks(entry, compiled), ...marks],
    runningDeadlineMs: timing.runningDeadline,
    ...(dictionary.custom && { byValues: true }),
  };
  const stored = storedApp(plan, facts, {
    ...offered,
    instance: app.name,
    ...(versions.from !== undefined && { fromVersion: versions.from }),
    toVersion: versions.to,
  });
  freeClaims(deps, [appClaim(appId)]);
  const task = await runtime.start({
    machine: "upgrade",
    input: toJsonObject(input),
    kind: "upgrade",
    appId,
    claim: appClaim(appId),
    plan: toJsonObject(frozenPlan(compiled, stored, plan)),
    secrets,
    scripts: compiled.scripts,
  });
  dropOffers(deps, [appId]);
  return task;
}

/** From the installed to the host's newest version of a catalog app. */
async function hostVersions({ host }: MethodDeps, app: HostApp): Promise<Versions> {
  const target = await host.upgradeTarget(app.name);
  if (target === null || isOlderVersion(target.version, app.version)) throw upgradeNone(app.appId, app.version);
  return { from: app.version, to: target.version };
}

/** From the installed to the newer version of a custom app. */
function movedVersions({ metadata }: Dictionary, { metadataVersion }: InstalledScript): Versions {
  return { ...(metadataVersion !== null && { from: metadataVersion }), to: metadata?.version ?? "" };
}

/** A custom app gets the values of its newer script; of others the host has them, and only directories are resolved. */
function planMove(deps: MethodDeps, input: Parameters<typeof planUpgrade>[1]): ReturnType<typeof planUpgrade> {
  if (!input.dictionary.custom) return planUpgrade(deps, input);
  const { plan } = planApp(deps, { ...input, request: {}, mode: "options" });
  return { plan, randoms: plan.randoms, marks: [] };
}

function upgradeNone(appId: string, version: string): EngineError {
  const message = `no version newer than ${version} is available for "${appId}"`;
  return new EngineError("HOST_UPGRADE_NONE", message, { appId, version });
}
