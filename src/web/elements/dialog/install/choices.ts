/** The choices of a dialog so far, and the requests that carry them: all judgement of them is the engine's. */
import type { Form, FormConsent, FormLink, InstallRequest } from "../../../api/types.ts";
import { type Answers, listQuestions, toRequestAnswers } from "../questions/answers.ts";

type Consents = NonNullable<InstallRequest["consents"]>;
type SelectedLink = Exclude<NonNullable<InstallRequest["links"]>, "default">[number];

/** What is chosen for one app: of answers and consents only those somebody touched. */
export interface AppChoices {
  readonly answers: Answers;
  readonly consents: Consents;
}

export interface Choices extends AppChoices {
  /** Checked targets by link; null where nobody touched one. */
  readonly targets: Readonly<Record<string, readonly string[]>> | null;
  /** Choices for the targets that are installed with it, kept while one is unchecked. */
  readonly installs: Readonly<Record<string, AppChoices>>;
}

const NO_APP_CHOICES: AppChoices = { answers: {}, consents: {} };

/** Nobody touched anything. */
export const NO_CHOICES: Choices = { ...NO_APP_CHOICES, targets: null, installs: {} };

/** A link by its hook and the app it runs on. */
export function nameLink({ runsOnAppId, hookId }: Pick<FormLink, "runsOnAppId" | "hookId">): string {
  return JSON.stringify([runsOnAppId, hookId]);
}

/** Whether a consent's box is checked: as touched, else as the engine has it. */
export function isConsented({ hookId, checked }: FormConsent, consents: Consents): boolean {
  return Object.hasOwn(consents, hookId) ? consents[hookId] === true : checked;
}

/** The targets of a link that are checked, behind a closed gate too. */
export function listChecked(link: FormLink, { targets }: Pick<Choices, "targets">): readonly string[] {
  if (targets !== null) return targets[nameLink(link)] ?? [];
  return link.targets.filter(({ checked }) => checked).map(({ appId }) => appId);
}

/** Choices with one target checked or not: from then on every link is as it stands here. */
export function setTarget(form: Form, choices: Choices, link: FormLink, appId: string, isChecked: boolean): Choices {
  const all = form.links.map((other) => [nameLink(other), listChecked(other, choices)] as const);
  const others = listChecked(link, choices).filter((other) => other !== appId);
  const checked = new Set(isChecked ? [...others, appId] : others);
  const targets = link.targets.map((target) => target.appId).filter((id) => checked.has(id));
  return { ...choices, targets: { ...Object.fromEntries(all), [nameLink(link)]: targets } };
}

/** The choices for a target; nothing where nobody made one. */
export function readTarget({ installs }: Choices, appId: string): AppChoices {
  return (Object.hasOwn(installs, appId) ? installs[appId] : undefined) ?? NO_APP_CHOICES;
}

/** The body of `POST form`: its toggles, and links once somebody touched one, or made a choice for what they install. */
export function toFormRequest(form: Form | undefined, choices: Choices): InstallRequest {
  const { consents, installs, targets } = choices;
  const isTouched = targets !== null || Object.keys(installs).length > 0;
  return {
    ...(Object.keys(consents).length > 0 && { consents }),
    ...(form !== undefined && isTouched && { links: listLinks(form, choices) }),
  };
}

/** The request of the dialog as the engine says it stands (`form.request`), with the answers. */
export function toRequest(form: Form, { answers }: Choices): InstallRequest {
  const given = toRequestAnswers(listQuestions(form.steps), answers);
  return { ...form.request, ...(Object.keys(given).length > 0 && { answers: given }) };
}

/** What is chosen for a target stands in the first link that names it. */
function listLinks(form: Form, choices: Choices): readonly SelectedLink[] {
  const placed = new Set<string>();
  return form.links.flatMap((link): readonly SelectedLink[] => {
    const targets = listChecked(link, choices);
    if (targets.length === 0) return [];
    const install = link.targets.flatMap(({ appId, steps }) => {
      const chosen = readTarget(choices, appId);
      if (!targets.includes(appId) || steps === undefined || placed.has(appId)) return [];
      placed.add(appId);
      const answers = toRequestAnswers(listQuestions(steps), chosen.answers);
      return [[appId, { answers, consents: chosen.consents }] as const];
    });
    const { hookId, runsOnAppId } = link;
    return [{ hookId, runsOnAppId, targets, ...(install.length > 0 && { install: Object.fromEntries(install) }) }];
  });
}
