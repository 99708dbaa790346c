/** An installed app that nobody here knows, looked at as a whole: what an adoption would keep of it. */
import { type Adoption, createOutsideFault, findOutside, planAdoption } from "../../../core/adopt/adoption.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { Json, JsonObject } from "../../../core/json/json.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { ResolvedPlan } from "../../../core/plan/resolve-plan.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import { readLeftApp } from "../../drift/left-app.ts";
import type { HostApp } from "../../ports/host-records.ts";
import { type KeptChoices, readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { findInstalledApp } from "../host-side.ts";
import { draftPlan } from "../plan-app.ts";
import { requireUsableApp } from "../request/request.ts";

export interface ExaminedApp {
  readonly dictionary: Dictionary;
  readonly app: HostApp;
  readonly facts: HostFacts;
  /** Its configuration. Holds secrets. */
  readonly live: JsonObject;
  readonly adoption: Adoption;
  /** What an update with the answers of the adoption would do. */
  readonly draft: ResolvedPlan;
}

/** Looks at an app, of which `randoms` are generated strings it may have. Throws `TASK_ADOPT_KNOWN`, `TASK_ADOPT_CUSTOM`, `TASK_APP_NOT_INSTALLED`, and as `requireUsableApp` does. */
export async function examineApp(
  deps: MethodDeps,
  appId: string,
  given: Readonly<Record<string, Json>>,
  randoms: KeptChoices["randoms"] = {},
): Promise<ExaminedApp> {
  const { dictionary } = requireUsableApp(deps, appId);
  const app = await findInstalledApp(deps, appId);
  if (dictionary.custom || app.custom) {
    throw new EngineError("TASK_ADOPT_CUSTOM", `"${appId}" is a custom app`, { appId });
  }
  if (isKnown(deps, appId)) {
    throw new EngineError("TASK_ADOPT_KNOWN", `"${appId}" is one of the apps this engine looks after`, { appId });
  }
  const facts = await deps.host.facts();
  const live = await deps.host.appConfig(app.name);
  const look = (outside: readonly string[]) => {
    const adoption = planAdoption(dictionary, live, facts, given, { outside, randoms });
    return { adoption, draft: draftUpdate(deps, dictionary, facts, live, adoption) };
  };
  const first = look([]);
  const outside = findOutside(dictionary, first.draft.problems).filter((key) =>
    Object.hasOwn(first.adoption.recovered, key),
  );
  const { adoption, draft } = outside.length === 0 ? first : look(outside);
  const wrong = findOutside(dictionary, draft.problems).filter((key) => Object.hasOwn(adoption.given, key));
  const faults = [...adoption.faults, ...wrong.map(createOutsideFault)];
  return { dictionary, app, facts, live, adoption: { ...adoption, faults }, draft };
}

/** What an update with the answers of an adoption would do; those that are asked once are known, not given anew. */
function draftUpdate(
  deps: MethodDeps,
  dictionary: Dictionary,
  facts: HostFacts,
  live: JsonObject,
  { recovered, given, randoms }: Adoption,
): ResolvedPlan {
  const once = new Set(dictionary.questions.filter(({ installonly }) => installonly).map(({ key }) => key));
  const answers = Object.fromEntries(Object.entries(given).filter(([key]) => !once.has(key)));
  const kept = { answers: { ...recovered, ...given }, randoms, scriptVersion: dictionary.script.version };
  return draftPlan(deps, { dictionary, request: { answers }, facts, mode: "options", kept, live });
}

/** Whether a task of this engine has left the app as it knows it, with its answers. */
export function isKnown({ store }: Pick<MethodDeps, "store">, appId: string): boolean {
  return readLeftApp(store, appId) !== null && readKeptChoices({ store }, appId) !== null;
}
