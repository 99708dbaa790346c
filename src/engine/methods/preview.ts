import type { Problem } from "../../core/codes/problems.ts";
import { linkFaults } from "../../core/hooks/install-links.ts";
import { type JsonObject, toJsonObject } from "../../core/json/json.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { PlanMode } from "../../core/plan/plan.ts";
import { updateDifferences } from "../../core/plan/update-differences.ts";
import { createMask, maskJson } from "../../core/report/mask.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { InstallRequest, Preview } from "../api.ts";
import { findApp } from "../find-app.ts";
import { type Known, lastKnownOf } from "../standing/known-answer.ts";
import type { MethodDeps } from "./deps.ts";
import { dialogOf, linksOf } from "./links-of-request.ts";
import { draftPlan, installMode, keptChoices } from "./plan-app.ts";
import { previewHooks } from "./preview-hooks.ts";
import { checkInputs, requestProblem, usableApp } from "./request.ts";
import { untakenByUpdate } from "./request-parts.ts";

/** What an install with this request would do, secrets masked; faults are problems, nothing is rejected for them. */
export async function preview(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  asked?: PlanMode,
): Promise<Preview> {
  const mode = asked ?? installMode(deps, appId);
  const { dictionary, entry } = usableApp(deps, appId);
  const known = await deps.answers.facts();
  const facts = known.value;
  const kept = mode === "install" || mode === "custom" ? null : keptChoices(deps, appId);
  const config = mode === "options" ? await liveConfig(deps, appId) : null;
  const live = config?.value ?? null;
  const { answers } = request;
  const resolved = mode === "options" ? { ...(answers && { answers }) } : request;
  const input = { dictionary, request: resolved, facts, mode, kept, ...(live !== null && { live }) };
  const { plan, draft, problems, requirements, secrets, secretPlaces } = draftPlan(deps, input);
  const untaken = mode === "options" ? untakenByUpdate(request) : givenProblems(deps, dictionary, request, facts);
  const mask = createMask(secrets);
  const values = maskJson(draft.appValues, mask, secretPlaces);
  return {
    appId,
    appValues: toJsonObject(Object(values)),
    directories: draft.directories.map((directory) => toJsonObject(Object(maskJson(toJsonObject(directory), mask)))),
    hooks: previewHooks(dictionary, draft.hooks, mode),
    requirements: toJsonObject(requirements),
    ...lastKnownOf(deps.clock, known, ...(config === null ? [] : [config])),
    problems: [...entry.problems, ...problems, ...untaken].map((problem) => ({
      ...problem,
      message: mask(problem.message),
    })),
    ...(plan !== null && live !== null && { differences: updateDifferences(plan, live) }),
  };
}

/** What an install would refuse of the inputs and links of a request. */
function givenProblems(
  deps: MethodDeps,
  dictionary: Dictionary,
  request: InstallRequest,
  facts: HostFacts,
): readonly Problem[] {
  const { appId } = dictionary;
  const links = linksOf(deps, appId, request, facts);
  const { apps } = deps.view();
  const ofLinks = links.flatMap(({ runsOnAppId, hookId, inputs }, at) => {
    const declaring = apps.get(runsOnAppId)?.dictionary;
    if (!declaring?.hooks.some(({ id }) => id === hookId) || inputs === undefined) return [];
    return checkInputs(declaring, { [hookId]: inputs }, () => ["links", at, "inputs"]).problems;
  });
  const faults = linkFaults(links, dialogOf(deps, appId, request.consents ?? {}, facts));
  return [
    ...checkInputs(dictionary, request.inputs).problems,
    ...faults.map(({ code, message, path }) => requestProblem(code, message, path)),
    ...ofLinks,
  ];
}

/** The live configuration of an installed app; null where it is not installed. */
export async function liveConfig(
  { answers }: Pick<MethodDeps, "answers">,
  appId: string,
): Promise<Known<JsonObject> | null> {
  const apps = await answers.apps();
  const app = findApp(apps.value, appId);
  if (app === null) return null;
  const config = await answers.appConfig(app.name);
  return { ...config, at: Math.min(apps.at, config.at), isStale: apps.isStale || config.isStale };
}
