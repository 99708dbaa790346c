import { checkLinks } from "../../../core/hooks/check-links.ts";
import { findTargetChoices, listLinkRows } from "../../../core/hooks/install-links.ts";
import { LINKS_TITLE } from "../../../core/hooks/link-names.ts";
import { isAsked } from "../../../core/plan/form.ts";
import { memoize } from "../../../core/plan/memoize.ts";
import type { PlanMode } from "../../../core/plan/plan.ts";
import type { ResolvedPlan } from "../../../core/plan/resolve-plan.ts";
import { updateDifferences } from "../../../core/plan/values/update-differences.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import type { DialogMode, Form, UpgradeRequest } from "../../api.ts";
import { findLastKnown } from "../../standing/known-answer.ts";
import { installMode, readKeptChoices } from "../../vault/kept-choices.ts";
import { keepOffer } from "../../vault/offers.ts";
import type { MethodDeps } from "../deps.ts";
import { openInstalledJudge } from "../judge-installed.ts";
import { askLiveConfig } from "../live-config.ts";
import { draftPlan, type PlanInput } from "../plan-app.ts";
import { listFiringLinks, readDialog } from "../request/links-of-request.ts";
import { createRequestProblem, requireInstallableApp, requireUsableApp } from "../request/request.ts";
import { refuseUntakenByUpdate } from "../request/request-parts.ts";
import { reviseInstall, reviseOptions } from "./form-revision.ts";
import { listConsentRows, listFormLinks } from "./form-rows.ts";
import { buildUpgradeForm, NO_ROWS } from "./upgrade-form.ts";

/**
 * The install dialog as data: questions in steps, consents, and the links that can be selected, as they stand with the
 * toggles chosen so far (docs/install-scripts.md, "The install dialog"). Of the choices only consents and links count, in
 * `options` the answers, for what they change.
 */
export async function buildForm(
  deps: MethodDeps,
  appId: string,
  asked: DialogMode | undefined,
  chosen: UpgradeRequest,
): Promise<Form> {
  if (asked === "upgrade") return buildUpgradeForm(deps, appId, chosen);
  const mode = asked ?? installMode(deps, appId);
  const script = (mode === "options" ? requireUsableApp : requireInstallableApp)(deps, appId);
  const { dictionary } = script;
  const known = await deps.answers.facts();
  const facts = known.value;
  const live = mode === "options" ? await askLiveConfig(deps, appId) : null;
  const mark = findLastKnown(deps.clock, known, ...(live === null ? [] : [live]));
  const kept = readKeptChoices(deps, appId);
  const { consents = {} } = chosen;
  const given = mode === "options" ? { answers: chosen.answers ?? {} } : { consents };
  const input = { dictionary, request: given, facts, mode, kept, ...(live !== null && { live: live.value }) };
  const { steps, problems, plan, answerDifferences } = offerForm(deps, input);
  const common = { appId, mode, ...mark, steps };
  if (mode === "options") {
    const untaken = refuseUntakenByUpdate(chosen);
    const isUpdate = live !== null && plan !== null && !known.isStale;
    const judge = isUpdate ? await openInstalledJudge({ schemas: deps.schemas }, script, live.app) : null;
    const updated = plan === null || judge === null ? plan : { ...plan, appValues: judge.keepSent(plan.appValues) };
    return {
      ...common,
      ...NO_ROWS,
      ...(live !== null && { request: { revision: reviseOptions(deps, appId, live.value) } }),
      problems: untaken,
      ...(updated !== null && live !== null && { differences: updateDifferences(updated, live.value, kept?.answers) }),
      answerDifferences,
    };
  }

  const links = chosen.links === undefined || chosen.links === "default" ? null : chosen.links;
  const dialog = readDialog(deps, appId, consents, facts);
  const rows = listLinkRows({ ...dialog, links });
  const firing = listFiringLinks(rows, links ?? []);
  const offered = listConsentRows(dictionary, consents);
  // One plan a target, however many hooks name it.
  const stepsOf = memoize((target: Dictionary) => {
    const left = { mode: installMode(deps, target.appId), kept: readKeptChoices(deps, target.appId) };
    return offerForm(deps, { dictionary: target, request: {}, facts, ...left }).steps;
  });
  const count = offered.length + countOptionalQuestions(dictionary, mode) + rows.length;
  return {
    ...common,
    consents: offered,
    ...(rows.length > 0 && { linksTitle: LINKS_TITLE }),
    links: await listFormLinks(deps, rows, {
      stepsOf,
      consentsOf: (target) => findTargetChoices(links ?? [], target)?.consents ?? {},
    }),
    ...(rows.length > 0 && { button: `Customize Install (${count} option${count === 1 ? "" : "s"} available)` }),
    collapsed: firing.map(({ title, hookId, runsOnAppId, targets }) => ({ hookId, runsOnAppId, title, targets })),
    request: {
      ...(chosen.consents !== undefined && { consents }),
      revision: reviseInstall(deps, appId, facts),
      links: firing.map(({ title: _, ...link }) => link),
    },
    problems: [...problems, ...listLinkProblems(links, dialog)],
  };
}

/** The questions, what they show kept for the task that may follow, and what is wrong with the consents. */
function offerForm(
  deps: MethodDeps,
  input: PlanInput,
): ResolvedPlan["form"] & Pick<ResolvedPlan, "problems" | "plan" | "answerDifferences"> {
  const { form, randoms, problems, plan, answerDifferences } = draftPlan(deps, input);
  const shown = Object.entries(randoms).filter(([place]) => input.kept?.randoms[place] === undefined);
  keepOffer(deps, input.dictionary.appId, Object.fromEntries(shown));
  const ofConsents = problems.filter(({ path }) => path[0] === "consents");
  return { ...form, problems: ofConsents, plan, answerDifferences };
}

function countOptionalQuestions({ questions }: Dictionary, mode: PlanMode): number {
  return questions.filter((question) => !question.required && isAsked(question, mode)).length;
}

/** A gate that is closed is no fault yet: the row says it. */
function listLinkProblems(links: Parameters<typeof checkLinks>[0] | null, dialog: Parameters<typeof checkLinks>[1]) {
  return checkLinks(links ?? [], dialog)
    .filter(({ code }) => code !== "PAIRING_LINK_GATED")
    .map(({ code, message, path }) => createRequestProblem(code, message, path));
}
