import { type JsonObject, toJsonObject } from "../../core/json/json.ts";
import type { PlanMode } from "../../core/plan/plan.ts";
import { updateDifferences } from "../../core/plan/update-differences.ts";
import { createMask, maskJson } from "../../core/report/mask.ts";
import type { InstallRequest, Preview } from "../api.ts";
import { findApp } from "../find-app.ts";
import { type Known, lastKnownOf } from "../standing/known-answer.ts";
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
  const known = await deps.answers.facts();
  const facts = known.value;
  const kept = mode === "install" || mode === "custom" ? null : keptChoices(deps, appId);
  const config = mode === "options" ? await liveConfig(deps, appId) : null;
  const live = config?.value ?? null;
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
    ...lastKnownOf(deps.clock, known, ...(config === null ? [] : [config])),
    ...(plan !== null && live !== null && { differences: updateDifferences(plan, live) }),
  };
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
