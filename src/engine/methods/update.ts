import type { UpdateInput } from "../../../machines/update/types.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { InstallRequest, TaskView } from "../api.ts";
import { readChangedBy } from "../effects/app/note-change.ts";
import { refuseMissingGroups } from "../preflight/needed-groups.ts";
import { toAppClaim } from "../runtime/claims.ts";
import { toValueMarks } from "../values/value-advice.ts";
import { openValueJudge } from "../values/value-judge.ts";
import { readKeptChoices } from "../vault/kept-choices.ts";
import { dropOffers } from "../vault/offers.ts";
import type { ChangeDeps } from "./deps.ts";
import { refuseStaleForm, reviseOptions } from "./form/form-revision.ts";
import { findInstalledApp, findOfferedApp } from "./host-side.ts";
import { freezePlan, planApp, toStoredApp } from "./plan-app.ts";
import { freeClaims, refuseConflict, refuseProblems, requireUsableApp } from "./request/request.ts";
import { refuseUntakenByUpdate } from "./request/request-parts.ts";
import { refuseIncompatible } from "./upgrade/refuse-incompatible.ts";

/**
 * Starts an update: the options dialog's answers, or a newer script (docs/decisions.md, section 4). Throws
 * `TASK_UPDATE_INCOMPATIBLE` if the script does not admit the one the app was installed with, and
 * `HOST_CAPABILITY_MISSING` if it needs what the host can't do.
 */
export async function update(deps: ChangeDeps, appId: string, request: InstallRequest): Promise<TaskView> {
  const { host, runtime } = deps;
  refuseConflict(deps, appId);
  const { dictionary, entry } = requireUsableApp(deps, appId);
  refuseProblems(appId, refuseUntakenByUpdate(request));
  const app = await findInstalledApp(deps, appId);
  const offered = await findOfferedApp(deps, dictionary);
  const facts = await host.facts();
  const live = await host.appConfig(app.name);
  const { version, train = offered.train } = app;
  const judge = await openValueJudge(deps, { dictionary, entry }, { ...offered, train, version });
  // From here on nobody is asked: what another task may have left meanwhile is known.
  refuseConflict(deps, appId);
  const kept = readKeptChoices(deps, appId);
  const installed = kept?.scriptVersion ?? null;
  if (installed !== null) refuseIncompatible(dictionary, installed);
  refuseStaleForm(appId, request, reviseOptions(deps, appId, live));
  const { plan, problems } = planApp(deps, { dictionary, request, facts, mode: "options", kept, live });
  refuseMissingGroups(host, appId, plan.directories);
  const lost = problems.filter(({ code }) => code === "ANSWER_LOST");
  const values = judge?.judgeUpdate(plan, live) ?? [];
  const marks = [...lost.map(({ path }) => `answerLost: ${path.at(-1)}`), ...toValueMarks(values, entry.file)];
  const input: UpdateInput = { appId, title: offered.title, marks };
  const found = toStoredApp(plan, facts, { ...offered, instance: app.name, version: app.version }, judge);
  freeClaims(deps, [toAppClaim(appId)]);
  // Nothing else changes the app from here on: its claim is taken in the same stretch.
  const stored = { ...found, changedBy: readChangedBy(deps.store, appId) };
  const task = await runtime.start(
    {
      machine: "update",
      input: toJsonObject(input),
      kind: "update",
      appId,
      claim: toAppClaim(appId),
      plan: toJsonObject(freezePlan({ hooks: {} }, stored, plan)),
    },
    deps.deed,
  );
  dropOffers(deps, [appId]);
  return task;
}
