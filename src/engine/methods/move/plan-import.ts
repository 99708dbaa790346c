/** What an import would do on this box: the apps in their order, the links between them, and what is left out and why. */
import type { PlannedChild } from "../../../../machines/lifecycle/planned-child.ts";
import { createClaimHeldError } from "../../../core/codes/common-errors.ts";
import { EngineError, type Problem } from "../../../core/codes/problems.ts";
import { orderByDependencies } from "../../../core/hooks/dependency-order.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { ImportedApp, LeftOutOfImport } from "../../api.ts";
import { findApp } from "../../find-app.ts";
import { isHostAway } from "../../host-error.ts";
import type { ExportedApp, ExportedLink } from "../../move/export-file.ts";
import { findLifecycle, toAppClaim } from "../../runtime/claims.ts";
import { findLinkState } from "../../surfaces/pairings.ts";
import { readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { refuseIncompatible } from "../refuse-incompatible.ts";
import { type PreparedInstall, prepareInstall } from "../request/prepare-install.ts";
import { prepareLinks } from "../request/prepare-links.ts";
import { requireUsableApp } from "../request/request.ts";
import type { OpenedExport } from "./open-export.ts";

type Prepared = Pick<PreparedInstall, "plan" | "secrets" | "scripts">;

/** An app or link that has its turn in the import. */
export interface PlannedPart {
  readonly child: PlannedChild;
  readonly prepared: Prepared;
}

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
  const found = new Map(apps.map((app) => [app.appId, app]));
  const targetsOf = (appId: string) => links.flatMap((link) => (link.runsOnAppId === appId ? link.targets : []));
  const planned: ImportedApp[] = [];
  const parts: PlannedPart[] = [];
  const leftOut: LeftOutOfImport[] = [];
  for (const appId of orderByDependencies(found.keys(), targetsOf)) {
    const app = found.get(appId);
    if (app === undefined) continue;
    const outcome = await attempt(deps, { appId }, async () => {
      refuseTaken(deps, appId);
      const isThere = findApp(installed, appId) !== null;
      return isThere ? leaveAsIs(deps, app) : planInstall(deps, opened, app, facts, options.isPreview);
    });
    if ("reason" in outcome) leftOut.push(outcome.reason);
    else {
      planned.push(outcome.done.app);
      if (outcome.done.part !== undefined) parts.push(outcome.done.part);
      if (!Object.hasOwn(facts.apps, appId)) facts = { ...facts, apps: { ...facts.apps, [appId]: TO_COME } };
    }
  }
  const linked: ExportedLink[] = [];
  const coming = new Set(parts.map(({ child }) => child.id));
  for (const link of links) {
    if (isLinked(deps, link)) continue;
    const { runsOnAppId: appId, hookId } = link;
    const outcome = await attempt(deps, { appId, hookId }, () => planLink(deps, opened, link, facts, coming));
    if ("reason" in outcome) leftOut.push(outcome.reason);
    else {
      linked.push(link);
      parts.push(outcome.done);
    }
  }
  return { apps: planned, links: linked, parts, leftOut };
}

interface PlannedApp {
  readonly app: ImportedApp;
  readonly part?: PlannedPart;
}

/** An app this engine looks after stays as it is, whatever the file says. */
async function leaveAsIs(deps: MethodDeps, { appId, script }: ExportedApp): Promise<PlannedApp> {
  if (readKeptChoices(deps, appId) === null) {
    const message = `"${appId}" is installed by other means: adopt it`;
    throw new EngineError("EXPORT_APP_UNKNOWN", message, { appId });
  }
  const { name } = await deps.labels.of(appId, deps.view());
  return { app: { appId, name, how: "present", script: { exported: script.version }, unused: [] } };
}

async function planInstall(
  deps: MethodDeps,
  opened: OpenedExport,
  app: ExportedApp,
  facts: HostFacts,
  isPreview: boolean,
): Promise<PlannedApp> {
  const { appId, script } = app;
  const { dictionary, entry } = requireUsableApp(deps, appId);
  refuseIncompatible(dictionary, script.version);
  const choices = opened.choices(app, facts.locations);
  const { taken, unused } = pickDeclared(dictionary, choices.answers);
  const prepared = await prepareInstall(
    deps,
    appId,
    { answers: taken, consents: pickConsents(dictionary, app) },
    facts,
    {
      mode: "install",
      kept: { ...choices, answers: {} },
      waitsForTurn: true,
      isPreview,
    },
  );
  const isSame = script.sha256 === undefined ? {} : { isSame: script.sha256 === entry.sha256 };
  return {
    app: {
      appId,
      name: prepared.input.title,
      how: "install",
      script: { exported: script.version, here: dictionary.script.version, ...isSame },
      unused,
    },
    part: {
      prepared,
      child: {
        id: appId,
        phase: "import",
        machine: "install",
        kind: "install",
        appId,
        claim: toAppClaim(appId),
        input: toJsonObject(prepared.input),
      },
    },
  };
}

/** The link as the app it runs on would set it up in its install dialog, all apps that are to come being there. */
async function planLink(
  deps: MethodDeps,
  opened: OpenedExport,
  { runsOnAppId: appId, hookId, targets }: ExportedLink,
  facts: HostFacts,
  coming: ReadonlySet<string>,
): Promise<PlannedPart> {
  const missing = [appId, ...targets].find((id) => !Object.hasOwn(facts.apps, id));
  if (missing !== undefined) {
    throw new EngineError("TASK_APP_NOT_INSTALLED", `"${missing}" is neither here nor to come`, { appId: missing });
  }
  const { dictionary } = requireUsableApp(deps, appId);
  const exported = opened.file.apps.find((app) => app.appId === appId);
  const answers = exported && pickDeclared(dictionary, opened.choices(exported, facts.locations).answers).taken;
  const request = {
    links: [{ hookId, runsOnAppId: appId, targets }],
    ...(answers && { answers }),
    ...(exported && { consents: pickConsents(dictionary, exported) }),
  };
  const prepared = await prepareLinks(deps, appId, request, facts, true);
  const [child] = prepared.children;
  if (child === undefined) {
    throw new EngineError("TASK_HOOK_DROPPED", prepared.marks.join("; "), { appId, hookIds: [hookId], problems: [] });
  }
  return { prepared, child: { ...child, needs: [appId, ...targets].filter((id) => coming.has(id)) } };
}

function isLinked({ store }: MethodDeps, { runsOnAppId, hookId, targets }: ExportedLink): boolean {
  return targets.every((target) => findLinkState(store, runsOnAppId, hookId, target) === "linked");
}

function refuseTaken({ store }: MethodDeps, appId: string): void {
  const taskId = findLifecycle(store, appId);
  if (taskId !== null) throw createClaimHeldError(taskId, appId);
}

/** The answers the script asks for, and the keys of those it does not ask for any more. */
function pickDeclared({ questions }: Dictionary, answers: ExportedApp["answers"]) {
  const declared = new Set(questions.map(({ key }) => key));
  const entries = Object.entries(answers);
  return {
    taken: Object.fromEntries(entries.filter(([key]) => declared.has(key))),
    unused: entries.flatMap(([key]) => (declared.has(key) ? [] : [key])),
  };
}

function pickConsents({ hooks }: Dictionary, { consents }: ExportedApp): ExportedApp["consents"] {
  const asked = new Set(hooks.flatMap(({ id, userOptional }) => (userOptional === undefined ? [] : [id])));
  return Object.fromEntries(Object.entries(consents).filter(([id]) => asked.has(id)));
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
