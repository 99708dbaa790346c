/** Refusals of an install, and the marks of its task, found without starting one. */
import { GENERIC_APP } from "../../../core/app-values/generic-app.ts";
import type { Failure, Problem } from "../../../core/codes/problems.ts";
import { checkLinks } from "../../../core/hooks/check-links.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { PlanMode } from "../../../core/plan/plan.ts";
import type { InstallRequest } from "../../api.ts";
import { toHookKey } from "../../stored-plan.ts";
import { openValueJudge } from "../../values/value-judge.ts";
import type { MethodDeps } from "../deps.ts";
import { readDialog, readLinks } from "../request/links-of-request.ts";
import { type PreparedInstall, prepareInstall } from "../request/prepare-install.ts";
import { prepareLinks } from "../request/prepare-links.ts";
import { createRequestProblem, listInputProblems, refuseConflict, requireUsableApp } from "../request/request.ts";
import { attemptAll } from "./attempt.ts";

/** The install to look at; a host that is away is not asked. */
interface Asked {
  readonly appId: string;
  readonly request: InstallRequest;
  readonly facts: HostFacts;
  readonly mode: PlanMode;
  readonly isAway: boolean;
}

/** The judgement of an install that is not started. */
export interface Refusals {
  /** Refusals, and faults of the hooks it goes on without. */
  readonly problems: readonly Problem[];
  /** Marks of the task from its start. */
  readonly marks: readonly string[];
  /** What may not work on this host. */
  readonly advice: readonly Failure[];
  /** What the schemas of the apps have against their values, secrets masked. */
  readonly values: readonly Problem[];
  /** Whether the script of a hook of an install can run, of the app's own or that of a target. True where that is not known. */
  readonly canRun: (appId: string, hookId: string) => boolean;
  /** The same of a link that is selected. */
  readonly canLink: (appId: string, hookId: string) => boolean;
}

/** Prepares an install as `install` does and tells every refusal; of it only generated defaults of links' inputs are kept. */
export async function listInstallRefusals(
  deps: MethodDeps,
  { appId, request, facts, mode, isAway }: Asked,
): Promise<Refusals> {
  const problems = [...listGivenProblems(deps, appId, request, facts)];
  const attempt = attemptAll(problems);
  await attempt(async () => refuseConflict(deps, appId));
  const options = { mode, waitsForTurn: false, isPreview: true };
  const main = isAway ? null : await attempt(() => prepareInstall(deps, appId, request, facts, options));
  const links = isAway ? null : await attempt(() => prepareLinks(deps, appId, request, facts, true));
  const isUnplanned = main === null && !isAway;
  const unplanned = (isUnplanned ? await attempt(() => findUnplanned(deps, appId)) : null) ?? [];
  return {
    problems: [...problems, ...(main?.faults ?? []), ...(links?.faults ?? [])],
    marks: [...new Set([...(main?.input.marks ?? []), ...(links?.marks ?? [])])],
    advice: [...(main?.advice ?? []), ...(links?.advice ?? [])],
    values: [...(main?.values ?? unplanned), ...(links?.values ?? [])],
    canRun: (id, hookId) => canRunBy(id === appId ? main : links, id, hookId),
    canLink: (id, hookId) => canRunBy(links, id, hookId),
  };
}

/** What is found in the script of an install that can't be planned yet, e.g. since an answer is missing. */
async function findUnplanned(deps: MethodDeps, appId: string): Promise<readonly Problem[]> {
  const script = requireUsableApp(deps, appId);
  const offered = await deps.host.availableApp(script.dictionary.custom ? GENERIC_APP : appId);
  if (offered === null) return [];
  const judge = await openValueJudge(deps, script, { ...offered, version: offered.latestVersion });
  return judge?.judgeScript() ?? [];
}

/** What is prepared has the scripts that compile. */
function canRunBy(prepared: Pick<PreparedInstall, "plan"> | null, appId: string, hookId: string): boolean {
  return prepared === null || toHookKey(appId, hookId) in prepared.plan.hooks;
}

/** Problems for all that inputs and links of a request name and that is not there. */
function listGivenProblems(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  facts: HostFacts,
): readonly Problem[] {
  const { dictionary } = requireUsableApp(deps, appId);
  const links = readLinks(deps, appId, request, facts);
  const { apps } = deps.view();
  const ofLinks = links.flatMap(({ runsOnAppId, hookId, inputs }, at) => {
    const declaring = apps.get(runsOnAppId)?.dictionary;
    if (!declaring?.hooks.some(({ id }) => id === hookId) || inputs === undefined) return [];
    return listInputProblems(declaring, { inputs: { [hookId]: inputs }, placeOf: () => ["links", at, "inputs"] });
  });
  const faults = checkLinks(links, readDialog(deps, appId, request.consents ?? {}, facts));
  return [
    ...listInputProblems(dictionary, request),
    ...faults.map(({ code, message, path }) => createRequestProblem(code, message, path)),
    ...ofLinks,
  ];
}
