/** What an import would do on this box: the apps in their order, the links between them, and what is left out and why. */
import { EngineError, type Problem } from "../../../core/codes/problems.ts";
import { orderByDependencies } from "../../../core/hooks/dependency-order.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { ImportedApp, LeftOutOfImport } from "../../api.ts";
import { isForeign } from "../../drift/left-app.ts";
import { findApp } from "../../find-app.ts";
import { isHostAway } from "../../host-error.ts";
import type { ExportedApp, ExportedLink } from "../../move/export-file.ts";
import { findLinkState } from "../../surfaces/pairings.ts";
import type { KeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { prepareLinks } from "../request/prepare-links.ts";
import { refuseChange, refuseConflict, requireUsableApp } from "../request/request.ts";
import type { OpenedExport, ReadChoices } from "./open-export.ts";
import {
  leaveAsIs,
  type PlannedPart,
  pickConsents,
  pickDeclared,
  planAdoption,
  planInstall,
} from "./plan-imported-app.ts";

export interface PlannedImport {
  /** Every app of the file that is not left out; those that are there already have no part. */
  readonly apps: readonly ImportedApp[];
  readonly links: readonly ExportedLink[];
  readonly parts: readonly PlannedPart[];
  readonly leftOut: readonly LeftOutOfImport[];
}

/** The state of the app that is not there yet, as links and macros see it while the import is planned. */
const TO_COME = { state: "RUNNING", version: "", ports: [] } as const;

/** Plans an import; what can't be done is left out with its reason. Throws where the host is away. */
export async function planImport(
  deps: MethodDeps,
  opened: OpenedExport,
  options: { readonly isPreview: boolean },
): Promise<PlannedImport> {
  const { apps, links } = opened.file;
  const installed = await deps.host.apps();
  let facts = await deps.host.facts();
  const choices = opened.choicesOn(facts.locations);
  const found = new Map(apps.map((app) => [app.appId, app]));
  // Read once: a file may have ten thousand links.
  const targets = new Map([...found.keys()].map((appId) => [appId, new Set<string>()]));
  for (const link of links) for (const target of link.targets) targets.get(link.runsOnAppId)?.add(target);
  const targetsOf = (appId: string) => targets.get(appId) ?? [];
  const planned: ImportedApp[] = [];
  const parts: PlannedPart[] = [];
  const leftOut: LeftOutOfImport[] = [];
  for (const appId of orderByDependencies(found.keys(), targetsOf)) {
    const app = found.get(appId);
    if (app === undefined) continue;
    const outcome = await attempt(deps, { appId }, async () => {
      refuseConflict(deps, appId);
      const isThere = findApp(installed, appId) !== null;
      if (!isThere) return planInstall(deps, app, choices(app), facts, options.isPreview);
      if (!isForeign(deps.store, appId)) return leaveAsIs(deps, app);
      return planAdoption(deps, app, choices(app), opened.given(appId));
    });
    if ("reason" in outcome) leftOut.push(outcome.reason);
    else {
      planned.push(outcome.done.app);
      if (outcome.done.part !== undefined) parts.push(outcome.done.part);
      if (!Object.hasOwn(facts.apps, appId)) facts = { ...facts, apps: { ...facts.apps, [appId]: TO_COME } };
    }
  }
  const linked: ExportedLink[] = [];
  const coming = new Map(parts.map((part) => [part.child.id, part]));
  for (const link of links) {
    if (isLinked(deps, link)) continue;
    const { runsOnAppId: appId, hookId } = link;
    const outcome = await attempt(deps, { appId, hookId }, () => planLink(deps, found, choices, link, facts, coming));
    if ("reason" in outcome) leftOut.push(outcome.reason);
    else {
      linked.push(link);
      parts.push(outcome.done);
    }
  }
  return { apps: planned, links: linked, parts, leftOut };
}

/** The link as the app it runs on would set it up in its install dialog, all apps that are to come being there. */
async function planLink(
  deps: MethodDeps,
  apps: ReadonlyMap<string, ExportedApp>,
  choices: ReadChoices,
  { runsOnAppId: appId, hookId, targets }: ExportedLink,
  facts: HostFacts,
  coming: ReadonlyMap<string, PlannedPart>,
): Promise<PlannedPart> {
  const missing = [appId, ...targets].find((id) => !Object.hasOwn(facts.apps, id));
  if (missing !== undefined) {
    throw new EngineError("TASK_APP_NOT_INSTALLED", `"${missing}" is neither here nor to come`, { appId: missing });
  }
  for (const id of [appId, ...targets]) refuseChange(deps, id);
  const { dictionary } = requireUsableApp(deps, appId);
  const exported = apps.get(appId);
  // What is here was answered already: its answers may be others than those of the file.
  const isNew = exported !== undefined && facts.apps[appId] === TO_COME;
  const request = {
    links: [{ hookId, runsOnAppId: appId, targets }],
    ...(isNew && { answers: pickDeclared(dictionary, choices(exported).answers).taken }),
    ...(exported && { consents: pickConsents(dictionary, exported) }),
  };
  const prepared = await prepareLinks(deps, appId, request, facts, true, readAdopted(coming.get(appId)));
  const [child] = prepared.children;
  if (child === undefined) {
    const { faults } = prepared;
    const reason = faults[0]?.message ?? "its declaration has an error";
    throw new EngineError("TASK_HOOK_DROPPED", `the hook "${hookId}" was dropped: ${reason}`, {
      appId,
      hookIds: [hookId],
      problems: faults,
    });
  }
  return { prepared, child: { ...child, needs: [appId, ...targets].filter((id) => coming.has(id)) } };
}

/** What an app is known with once it is adopted; undefined where it is not to be. */
function readAdopted(part: PlannedPart | undefined): KeptChoices | undefined {
  if (part?.child.machine !== "adopt") return undefined;
  const app = part.prepared.plan.apps[part.child.appId];
  return app && { answers: app.answers, randoms: app.randoms, scriptVersion: app.scriptVersion };
}

function isLinked({ store }: MethodDeps, { runsOnAppId, hookId, targets }: ExportedLink): boolean {
  return targets.every((target) => findLinkState(store, runsOnAppId, hookId, target) === "linked");
}

/** The outcome of planning a part, or why it is left out. A fault of the engine's own may name secrets: it is logged alone. */
async function attempt<T>(
  deps: MethodDeps,
  about: { readonly appId: string; readonly hookId?: string },
  plan: () => Promise<T>,
): Promise<{ readonly done: T } | { readonly reason: LeftOutOfImport }> {
  try {
    return { done: await plan() };
  } catch (error) {
    if (isHostAway(error)) throw error;
    if (!(error instanceof EngineError)) {
      deps.logger.error({ ...about, error }, "a part of an import could not be planned");
      return { reason: { ...about, code: "HTTP_INTERNAL", message: "it could not be planned: see the log" } };
    }
    const { code, message, details } = error;
    const missing = listProblems(details).flatMap(({ path: [part, key] }) =>
      part === "answers" && typeof key === "string" ? [key] : [],
    );
    return { reason: { ...about, code, message, ...(missing.length > 0 && { questions: [...new Set(missing)] }) } };
  }
}

function listProblems(details: Readonly<Record<string, unknown>>): readonly Problem[] {
  const { problems } = details;
  return Array.isArray(problems) ? problems : [];
}
