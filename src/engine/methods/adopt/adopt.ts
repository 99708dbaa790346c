import type { AdoptInput } from "../../../../machines/adopt/types.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { toJsonObject } from "../../../core/json/json.ts";
import type { PlannedDirectory } from "../../../core/plan/plan.ts";
import { isPlanned } from "../../../core/plan/resolve-plan.ts";
import { pickValues } from "../../../core/plan/values/merge-values.ts";
import type { AdoptRequest, TaskView } from "../../api.ts";
import { findDeclared } from "../../effects/files/declared-path.ts";
import { HostError } from "../../host-error.ts";
import { toAppClaim } from "../../runtime/claims.ts";
import type { StoredPlan } from "../../stored-plan.ts";
import type { ChangeDeps, MethodDeps } from "../deps.ts";
import { findOfferedApp } from "../host-side.ts";
import { freezePlan, toStoredApp } from "../plan-app.ts";
import { freeClaims, refuseConflict, refuseProblems } from "../request/request.ts";
import type { ExaminedApp } from "./examine-app.ts";
import { type PreviewedAdoption, previewAdopt } from "./preview-adopt.ts";

/**
 * Starts the adoption of an app that was installed by other means. Throws as `examineApp` does, `TASK_ADOPT_STALE` where it is
 * not as it was shown, and the problems of answers that are missing or do not fit.
 */
export async function adopt(deps: ChangeDeps, appId: string, request: AdoptRequest): Promise<TaskView> {
  refuseConflict(deps, appId);
  const previewed = await previewAdopt(deps, appId, request);
  const { preview } = previewed;
  refuseProblems(appId, preview.problems);
  if (request.revision !== undefined && request.revision !== preview.revision) {
    throw new EngineError("TASK_ADOPT_STALE", `"${appId}" is not as it was shown`, { appId });
  }
  const { input, plan } = await prepareAdoption(deps, previewed, { waitsForTurn: false });
  freeClaims(deps, [toAppClaim(appId)]);
  return deps.runtime.start(
    {
      machine: "adopt",
      input: toJsonObject(input),
      kind: "adopt",
      appId,
      claim: toAppClaim(appId),
      plan: toJsonObject(plan),
    },
    deps.deed,
  );
}

/** What the task of a previewed adoption begins with. */
export async function prepareAdoption(
  deps: MethodDeps,
  { examined, preview: { appId, name } }: PreviewedAdoption,
  { waitsForTurn }: { readonly waitsForTurn: boolean },
): Promise<{ readonly input: AdoptInput; readonly plan: StoredPlan }> {
  const input: AdoptInput = { appId, title: name, marks: [], ...(waitsForTurn && { waitsForTurn }) };
  return { input, plan: await freezeAdopted(deps, examined) };
}

/** The app as it is: its own values, and of the script's directories those that are there. */
async function freezeAdopted(
  deps: MethodDeps,
  { dictionary, app, facts, live, adoption, draft }: ExaminedApp,
): Promise<StoredPlan> {
  const { recovered, given, randoms } = adoption;
  const offered = await findOfferedApp(deps, dictionary);
  const plan = {
    appId: dictionary.appId,
    dictionary,
    appValues: pickValues(dictionary.appValues, live),
    directories: await findPresent(deps, draft.draft.directories.filter(isPlanned), facts.locations),
    answers: { ...recovered, ...given },
    randoms,
    inputDefaults: draft.inputDefaults,
    secrets: draft.secrets,
  };
  const { name: instance, version, train = offered.train } = app;
  const stored = toStoredApp(plan, facts, { ...offered, instance, version, train });
  return freezePlan({ hooks: {} }, stored, plan);
}

async function findPresent(
  { host }: Pick<MethodDeps, "host">,
  directories: readonly PlannedDirectory[],
  locations: ExaminedApp["facts"]["locations"],
): Promise<readonly PlannedDirectory[]> {
  const present: PlannedDirectory[] = [];
  for (const directory of directories) {
    if (await isPresent(host, directory.path, locations)) present.push(directory);
  }
  return present;
}

async function isPresent(
  host: MethodDeps["host"],
  path: string,
  locations: ExaminedApp["facts"]["locations"],
): Promise<boolean> {
  try {
    return (await findDeclared(host, path, locations))?.type === "DIRECTORY";
  } catch (error) {
    // Behind a link, or below a location that is not there, it is none of the app's.
    const isNone = error instanceof HostError && ["HOST_PATH_LINKED", "HOST_DIRECTORY_BLOCKED"].includes(error.code);
    if (isNone) return false;
    throw error;
  }
}
