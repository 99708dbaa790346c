import type { Problem } from "../../../core/codes/problems.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import { updateDifferences } from "../../../core/plan/values/update-differences.ts";
import { createMask } from "../../../core/report/mask.ts";
import type { DialogMode, Preview, UpgradeRequest } from "../../api.ts";
import { findLastKnown } from "../../standing/known-answer.ts";
import { toValueAdvice } from "../../values/value-advice.ts";
import { installMode, readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { openInstalledJudge } from "../judge-installed.ts";
import { askLiveConfig, type LiveConfig } from "../live-config.ts";
import { draftPlan } from "../plan-app.ts";
import { requireInstallableApp, requireUsableApp, type Usable } from "../request/request.ts";
import { refuseUntakenByUpdate } from "../request/request-parts.ts";
import { distinctProblems } from "./attempt.ts";
import { toHostAdvice } from "./host-advice.ts";
import { previewApp, previewHooks } from "./preview-app.ts";
import { previewLinks } from "./preview-links.ts";
import { listInstallRefusals } from "./preview-refusals.ts";
import { previewMove } from "./preview-upgrade.ts";

const NO_REFUSALS = { marks: [], advice: [], canRun: () => false, canLink: () => false };

/**
 * Answers the effect a request would have, secrets masked; its faults are problems, none rejects. Of an install
 * everything it would be refused for is told, by preparing it as an install does; a host that is away is not asked.
 */
export async function preview(
  deps: MethodDeps,
  appId: string,
  request: UpgradeRequest,
  asked?: DialogMode,
): Promise<Preview> {
  if (asked === "upgrade") return (await previewMove(deps, appId, request)).preview;
  const mode = asked ?? installMode(deps, appId);
  const { dictionary, entry } = (mode === "options" ? requireUsableApp : requireInstallableApp)(deps, appId);
  const known = await deps.answers.facts();
  const facts = known.value;
  const kept = readKeptChoices(deps, appId);
  const config = mode === "options" ? await askLiveConfig(deps, appId) : null;
  const live = config?.value ?? null;
  const { answers } = request;
  const resolved = mode === "options" ? { ...(answers && { answers }) } : request;
  const input = { dictionary, request: resolved, facts, mode, kept, ...(live !== null && { live }) };
  const draft = draftPlan(deps, input);
  const { plan, problems, secrets, answerDifferences } = draft;
  const mask = createMask(secrets);
  const isUpdate = mode === "options" && config !== null && plan !== null && !known.isStale;
  const updated = isUpdate ? await judgeUpdate(deps, { dictionary, entry }, plan, config) : null;
  const refusals =
    mode === "options"
      ? { ...NO_REFUSALS, problems: refuseUntakenByUpdate(request), values: updated?.values ?? [] }
      : await listInstallRefusals(deps, { appId, request, facts, mode, isAway: known.isStale });
  const hooks = mode === "options" ? [] : previewHooks(dictionary, draft.draft.hooks, refusals.canRun);
  return {
    ...(await previewApp(deps, { dictionary, mode, draft, hooks })),
    ...(mode === "options" ? { links: [], installs: [] } : await previewLinks(deps, appId, request, facts, refusals)),
    marks: refusals.marks.map(mask),
    advice: [...toHostAdvice(refusals.advice, mask), ...toValueAdvice(refusals.values, entry.file)],
    problems: distinctProblems([...entry.problems, ...problems, ...refusals.problems, ...refusals.values], mask),
    ...findLastKnown(deps.clock, known, ...(config === null ? [] : [config])),
    ...(plan !== null &&
      live !== null && { differences: updateDifferences(updated?.plan ?? plan, live, kept?.answers) }),
    ...(mode === "options" && { answerDifferences }),
  };
}

/** What the installed version has against the values of an update, and the plan with what it would keep of them. */
async function judgeUpdate(
  deps: MethodDeps,
  script: Usable,
  plan: Plan,
  { app, value: live }: LiveConfig,
): Promise<{ readonly values: readonly Problem[]; readonly plan: Plan }> {
  const judge = await openInstalledJudge(deps, script, app);
  if (judge === null) return { values: [], plan };
  return { values: judge.judgeUpdate(plan, live), plan: { ...plan, appValues: judge.keepSent(plan.appValues) } };
}
