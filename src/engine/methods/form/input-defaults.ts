/** Defaults of hook inputs for the task that is about to start; random strings in them are kept from then on. */

import { hasMacro, type InputDefaults } from "../../../core/hooks/input-defaults.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { Dictionary, Hook } from "../../../core/script/dictionary.ts";
import type { InstallRequest } from "../../api.ts";
import { findApp } from "../../find-app.ts";
import { type KeptChoices, keepInputRandoms, readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { draftPlan } from "../plan-app.ts";
import { refuseProblems } from "../request/request.ts";

/** Defaults of a pressed or linked hook's inputs, and the secrets its app has now. */
export interface OfferedInputs {
  readonly defaults: InputDefaults;
  readonly secrets: readonly string[];
}

/**
 * The defaults of one hook that no plan of its app brings along; `kept` is what the app was, or is to be, set up with.
 * Throws where a macro of them can't be resolved.
 */
export async function resolveOfferedInputs(
  deps: MethodDeps,
  dictionary: Dictionary,
  hook: Hook,
  facts: HostFacts,
  { answers, kept }: Pick<InstallRequest, "answers"> & { readonly kept?: KeptChoices } = {},
): Promise<OfferedInputs> {
  const { appId } = dictionary;
  const app = findApp(await deps.host.apps(), appId);
  // What runs may have other secrets than the engine keeps of it.
  if (app === null && !hook.inputs.some(hasMacro)) return { defaults: {}, secrets: [] };
  const live = app === null ? null : await deps.host.appConfig(app.name);
  const { inputDefaults, problems, secrets, randoms } = draftPlan(deps, {
    dictionary,
    request: { ...(answers && { answers }) },
    facts,
    mode: app === null ? "install" : "upgrade",
    kept: kept ?? readKeptChoices(deps, appId),
    ...(live !== null && { live }),
  });
  refuseProblems(
    appId,
    problems.filter(({ path }) => path[0] === "hooks" && path[1] === hook.id),
  );
  keepInputRandoms(deps, appId, randoms);
  return { defaults: inputDefaults, secrets };
}
