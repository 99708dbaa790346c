import type { Problem } from "../../../core/codes/problems.ts";
import type { JsonObject } from "../../../core/json/json.ts";
import type { ResolvedPlan } from "../../../core/plan/resolve-plan.ts";
import { updateDifferences } from "../../../core/plan/values/update-differences.ts";
import { createMask } from "../../../core/report/mask.ts";
import type { Differences, Preview, UpgradeRequest } from "../../api.ts";
import { checkRegistry } from "../../preflight/preflight.ts";
import { findLastKnown } from "../../standing/known-answer.ts";
import { toHookKey } from "../../stored-plan.ts";
import { toValueAdvice } from "../../values/value-advice.ts";
import { type KeptChoices, readKeptChoices } from "../../vault/kept-choices.ts";
import type { MethodDeps } from "../deps.ts";
import { reviseUpgrade } from "../form/form-revision.ts";
import { askRegistry } from "../host-side.ts";
import { askLiveConfig } from "../live-config.ts";
import { draftPlan } from "../plan-app.ts";
import { adviseUpdate, prepareUpgrade, takesValues } from "../request/prepare-upgrade.ts";
import { refuseConflict } from "../request/request.ts";
import { checkUpgrade } from "../request/request-parts.ts";
import { findUpgrade, upgradeScript } from "../upgrade/find-upgrade.ts";
import { attemptAll, distinctProblems } from "./attempt.ts";
import { toHostAdvice } from "./host-advice.ts";
import { previewApp } from "./preview-app.ts";

/** What an upgrade would do; `revision`: what a request names that agrees to it, absent where it leads nowhere. */
export interface PreviewedMove {
  readonly preview: Preview;
  readonly revision?: string;
  /** The version it leads to is certain to refuse the values. */
  readonly isRefused: boolean;
}

/**
 * Answers the effect an upgrade would have, by preparing it as an upgrade does; its faults are problems, none rejects. A
 * host that is away is not asked where it would lead.
 */
export async function previewMove(deps: MethodDeps, appId: string, request: UpgradeRequest): Promise<PreviewedMove> {
  const script = upgradeScript(deps, appId, request.version);
  const { dictionary, entry } = script;
  const isByValues = takesValues(script, request);
  const registry = askRegistry(deps);
  const known = await deps.answers.facts();
  const config = await askLiveConfig(deps, appId);
  const live = config?.value ?? null;
  const kept = readKeptChoices(deps, appId);
  const draft = draftPlan(deps, {
    dictionary,
    request: {},
    facts: known.value,
    kept,
    mode: isByValues ? "options" : "upgrade",
    ...(live !== null && { live }),
  });
  const problems: Problem[] = [...entry.problems, ...checkUpgrade(dictionary, request)];
  // Without them the host has the values: what the script's would lack is no fault of an upgrade.
  if (isByValues && live !== null) problems.push(...draft.problems.map(adviseUpdate));
  const attempt = attemptAll(problems);
  await attempt(async () => refuseConflict(deps, appId));
  const found = known.isStale ? null : await attempt(() => findUpgrade(deps, script));
  const prepared =
    found === null ? null : await attempt(() => prepareUpgrade(deps, script, request, async () => found));
  const values = prepared?.values ?? [];
  const keptValues = prepared?.plan.apps[appId]?.keptValues;
  const mask = createMask(draft.secrets);
  const hooks = (found?.due ?? []).map(({ hook: { id, title, optional }, event }) => ({
    id,
    title,
    event,
    optional,
    fires: prepared === null || toHookKey(appId, id) in prepared.plan.hooks,
  }));
  const shown = await previewApp(deps, { dictionary, mode: "upgrade", draft, hooks });
  const preview: Preview = {
    ...shown,
    ...(!isByValues && { appValues: {}, directories: shown.directories.filter(({ path }) => path !== null) }),
    ...(found !== null && { upgrade: { ...found.versions, ...found.others } }),
    links: [],
    installs: [],
    marks: (prepared?.input.marks ?? []).map(mask),
    advice: [...toHostAdvice(checkRegistry(await registry), mask), ...toValueAdvice(values, entry.file)],
    problems: distinctProblems([...problems, ...values], mask),
    ...findLastKnown(deps.clock, known, ...(config === null ? [] : [config])),
    ...(found !== null && live !== null && listDifferences(isByValues, draft, live, kept, keptValues)),
  };
  const isRefused = prepared?.isRefused === true;
  return {
    preview,
    isRefused,
    ...(found !== null && { revision: reviseUpgrade(script, found, { kept, live, isByValues }) }),
  };
}

/** Without values of the script no answer changes anything. */
function listDifferences(
  isByValues: boolean,
  { plan, answerDifferences }: ResolvedPlan,
  live: JsonObject,
  kept: KeptChoices | null,
  keptValues: JsonObject | undefined,
): Differences {
  if (!isByValues) return { differences: [], answerDifferences: [] };
  if (plan === null) return { answerDifferences };
  const sent = keptValues === undefined ? plan : { ...plan, appValues: keptValues };
  return { differences: updateDifferences(sent, live, kept?.answers), answerDifferences };
}
