import { toJsonObject } from "../../core/json/json.ts";
import type { PlanMode } from "../../core/plan/plan.ts";
import { updateDifferences } from "../../core/plan/update-differences.ts";
import { createMask, maskJson } from "../../core/report/mask.ts";
import type { InstallRequest, Preview } from "../api.ts";
import { findApp } from "../find-app.ts";
import type { MethodDeps } from "./deps.ts";
import { draftPlan, keptChoices } from "./plan-app.ts";
import { usableApp } from "./request.ts";

/** What an install with this request would do, secrets masked; faults are problems, nothing is rejected for them. */
export async function preview(
  deps: MethodDeps,
  appId: string,
  request: InstallRequest,
  mode: PlanMode = "install",
): Promise<Preview> {
  const { dictionary, entry } = usableApp(deps, appId);
  const facts = await deps.host.facts();
  const kept = mode === "install" || mode === "custom" ? null : keptChoices(deps, appId);
  const live = mode === "options" ? await liveConfig(deps, appId) : null;
  const input = { dictionary, request, facts, mode, kept, ...(live !== null && { live }) };
  const { plan, draft, problems, requirements, secrets, secretPlaces } = draftPlan(deps, input);
  const mask = createMask(secrets);
  const values = maskJson(draft.appValues, mask, secretPlaces);
  return {
    appId,
    appValues: toJsonObject(Object(values)),
    directories: draft.directories.map((directory) => toJsonObject(Object(maskJson(toJsonObject(directory), mask)))),
    hooks: draft.hooks,
    requirements: toJsonObject(requirements),
    problems: [...entry.problems, ...problems].map((problem) => ({ ...problem, message: mask(problem.message) })),
    ...(plan !== null && live !== null && { differences: updateDifferences(plan, live) }),
  };
}

/** The live configuration of an installed app; null where it is not installed. */
export async function liveConfig({ host }: Pick<MethodDeps, "host">, appId: string) {
  const app = findApp(await host.apps(), appId);
  return app === null ? null : host.appConfig(app.name);
}
