import { collapsedLinks, type LinkRow, linkRows } from "../../core/hooks/install-links.ts";
import { isAsked } from "../../core/plan/form.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { PlanMode } from "../../core/plan/plan.ts";
import type { ResolvedPlan } from "../../core/plan/resolve-plan.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Form, FormConsent, FormLink, FormLinkTarget, FormStep } from "../api.ts";
import { keepOffer } from "../vault/offers.ts";
import type { MethodDeps } from "./deps.ts";
import { draftPlan, keptChoices, type PlanInput } from "./plan-app.ts";
import { liveConfig } from "./preview.ts";
import { usableApp } from "./request.ts";

/** The install dialog as data: questions in steps, consents, and the links that can be selected (docs/install-scripts.md, "The install dialog"). */
export async function form(deps: MethodDeps, appId: string, mode: PlanMode): Promise<Form> {
  const { dictionary } = usableApp(deps, appId);
  const facts = await deps.host.facts();
  const live = mode === "options" ? await liveConfig(deps, appId) : null;
  const kept = mode === "install" || mode === "custom" ? null : keptChoices(deps, appId);
  const input = { dictionary, request: {}, facts, mode, kept, ...(live !== null && { live }) };
  const { steps } = offeredForm(deps, input);
  if (mode === "options") return { appId, mode, steps, consents: [], links: [], collapsed: [] };
  const rows = linkRows({
    appId,
    index: deps.view().index,
    installed: (id) => Object.hasOwn(facts.apps, id),
    dictionary: (id) => deps.view().apps.get(id)?.dictionary ?? null,
    consents: {},
    targetConsents: () => ({}),
  });
  const consents = consentsOf(dictionary);
  const optional = dictionary.questions.filter((question) => !question.required && isAsked(question, mode));
  const options = rows.length + consents.length + optional.length;
  return {
    appId,
    mode,
    steps,
    consents,
    links: await formLinks(deps, rows, facts),
    ...(rows.length > 0 && { button: `Customize Install (${options} option${options === 1 ? "" : "s"} available)` }),
    collapsed: firingLinks(rows),
  };
}

/** The questions, what they show kept for the task that may follow. */
function offeredForm(deps: MethodDeps, input: PlanInput): ResolvedPlan["form"] {
  const { form, randoms } = draftPlan(deps, input);
  const shown = Object.entries(randoms).filter(([place]) => input.kept?.randoms[place] === undefined);
  keepOffer(deps, input.dictionary.appId, Object.fromEntries(shown));
  return form;
}

/** The links that fire while the picker stays collapsed, one entry per hook (rule 3). */
function firingLinks(rows: readonly LinkRow[]): Form["collapsed"] {
  const groups = Map.groupBy(collapsedLinks(rows), ({ row }) => row.pairing);
  return [...groups].map(([{ appId, hook }, members]) => ({
    hookId: hook.id,
    runsOnAppId: appId,
    title: hook.title,
    targets: members.map(({ target }) => target),
  }));
}

/** The consent checkboxes of an install (docs/install-scripts.md, "Consents"). */
function consentsOf({ hooks }: Dictionary): readonly FormConsent[] {
  return hooks.flatMap((hook): readonly FormConsent[] => {
    const asked = hook.userOptional;
    if (asked === undefined) return [];
    const { label, description, default: on, link } = asked;
    return [
      {
        hookId: hook.id,
        label,
        ...(description !== undefined && { description }),
        default: on,
        ...(link !== undefined && { link }),
      },
    ];
  });
}

/** One entry per hook and direction, its targets as rows. */
async function formLinks(deps: MethodDeps, rows: readonly LinkRow[], facts: HostFacts): Promise<readonly FormLink[]> {
  const groups = Map.groupBy(rows, ({ row }) => row);
  return Promise.all(
    [...groups].map(async ([{ direction, pairing }, members]): Promise<FormLink> => {
      const { hook } = pairing;
      return {
        hookId: hook.id,
        runsOnAppId: pairing.appId,
        direction,
        title: hook.title,
        ...(hook.description !== undefined && { description: hook.description }),
        ...(hook.kind !== undefined && { kind: hook.kind }),
        targets: await Promise.all(members.map((member) => formTarget(deps, member, facts))),
        requiresConsents: members[0]?.gates ?? [],
        available: members.every(({ open, never }) => open && never === null),
        ...(typeof members[0]?.never === "string" && { reason: members[0].never }),
      };
    }),
  );
}

/** A target that can be installed from the picker brings its own questions and consents (rule 4). */
async function formTarget(deps: MethodDeps, row: LinkRow, facts: HostFacts): Promise<FormLinkTarget> {
  const { name, icon } = await deps.labels.of(row.target, deps.view());
  const dictionary = row.installable ? deps.view().apps.get(row.target)?.dictionary : null;
  const common = {
    appId: row.target,
    name,
    icon,
    installed: row.installed,
    default: row.checked,
    installable: row.installable,
  };
  if (!dictionary) return common;
  const { steps } = offeredForm(deps, { dictionary, request: {}, facts, mode: "install", kept: null });
  return { ...common, steps: steps satisfies readonly FormStep[], consents: consentsOf(dictionary) };
}
