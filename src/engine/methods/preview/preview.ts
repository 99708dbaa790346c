import { toJsonObject } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { PlanMode } from "../../../core/plan/plan.ts";
import type { ResolvedPlan } from "../../../core/plan/resolve-plan.ts";
import { updateDifferences } from "../../../core/plan/values/update-differences.ts";
import { createMask, type Mask, maskJson } from "../../../core/report/mask.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { InstallRequest, Preview, PreviewedApp } from "../../api.ts";
import { findLastKnown } from "../../standing/known-answer.ts";
import type { MethodDeps } from "../deps.ts";
import { installMode, readKeptChoices } from "../kept-choices.ts";
import { askLiveConfig } from "../live-config.ts";
import { draftPlan } from "../plan-app.ts";
import { requireUsableApp } from "../request/request.ts";
import { refuseUntakenByUpdate } from "../request/request-parts.ts";
import { previewHooks } from "./preview-hooks.ts";
import { previewLinks } from "./preview-links.ts";
import { listInstallRefusals } from "./preview-refusals.ts";

/**
 * Answers the effect a request would have, secrets masked; its faults are problems, none rejects. Of an install
 * everything it would be refused for is told, by preparing it as an install does; a host that is away is not asked.
 */
export async function preview(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  asked?: PlanMode,
): Promise<Preview> {
  const mode = asked ?? installMode(deps, appId);
  const { dictionary, entry } = requireUsableApp(deps, appId);
  const known = await deps.answers.facts();
  const facts = known.value;
  const kept = mode === "install" || mode === "custom" ? null : readKeptChoices(deps, appId);
  const config = mode === "options" ? await askLiveConfig(deps, appId) : null;
  const live = config?.value ?? null;
  const { answers } = request;
  const resolved = mode === "options" ? { ...(answers && { answers }) } : request;
  const input = { dictionary, request: resolved, facts, mode, kept, ...(live !== null && { live }) };
  const draft = draftPlan(deps, input);
  const { plan, problems, secrets } = draft;
  const mask = createMask(secrets);
  const refusals =
    mode === "options"
      ? { problems: refuseUntakenByUpdate(request), marks: [], runs: () => false }
      : await listInstallRefusals(deps, { appId, request, facts, mode, isAway: known.isStale });
  const shown = previewApp(dictionary, mode, draft);
  const found = new Map(
    [...entry.problems, ...problems, ...refusals.problems].map((problem) => [
      JSON.stringify([problem.code, problem.path, problem.message]),
      { ...problem, message: mask(problem.message) },
    ]),
  );
  return {
    ...shown,
    hooks: shown.hooks.map((hook) => ({ ...hook, fires: hook.fires && refusals.runs(hook) })),
    ...(mode === "options" ? { links: [], installs: [] } : previewLinked(deps, appId, request, facts)),
    marks: refusals.marks.map(mask),
    problems: [...found.values()],
    ...findLastKnown(deps.clock, known, ...(config === null ? [] : [config])),
    ...(plan !== null && live !== null && { differences: updateDifferences(plan, live) }),
  };
}

/** The links that fire, and what the installs they need would do. */
function previewLinked(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  facts: HostFacts,
): Pick<Preview, "links" | "installs"> {
  const { links, missing } = previewLinks(deps, appId, request, facts);
  const installs = missing.map(({ dictionary, choices }) => {
    const target = dictionary.appId;
    const mode = installMode(deps, target);
    const kept = mode === "install" ? null : readKeptChoices(deps, target);
    const input = { dictionary, request: choices, facts, mode, kept };
    return previewApp(dictionary, mode, draftPlan(deps, input));
  });
  return { links, installs };
}

function previewApp(
  dictionary: Dictionary,
  mode: PlanMode,
  { draft, requirements, secrets, secretPlaces }: ResolvedPlan,
): PreviewedApp {
  const mask = createMask(secrets);
  return {
    appId: dictionary.appId,
    appValues: toJsonObject(Object(maskJson(draft.appValues, mask, secretPlaces))),
    directories: draft.directories.map((directory) => maskDirectory(directory, mask)),
    hooks: previewHooks(dictionary, draft.hooks, mode),
    requirements,
  };
}

function maskDirectory(
  { path, owner, snapshot, ...directory }: PreviewedApp["directories"][number],
  mask: Mask,
): PreviewedApp["directories"][number] {
  return {
    ...directory,
    path: path === null ? null : mask(path),
    ...(owner && {
      owner: { user: mask(owner.user), ...(owner.group !== undefined && { group: mask(owner.group) }) },
    }),
    ...(snapshot && { snapshot: { id: mask(snapshot.id) } }),
  };
}
