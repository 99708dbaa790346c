/** Hooks, consents with their terms and links of an install, as text. Pure: every fact is the engine's. */
import type { Form, FormConsent, FormLinkTarget, Preview } from "../../engine/api.ts";

const PHASES = {
  onBeforeInstall: "before the install",
  onAfterInstall: "after the install",
  onBeforeUpgrade: "before the upgrade",
  onAfterUpgrade: "after the upgrade",
} as const;

/** The lines a person reads before confirming; none where nothing fires and nothing is wrong. */
export function renderFiring(form: Form, { hooks, problems }: Preview): readonly string[] {
  const consents = new Map(form.consents.map((consent) => [consent.hookId, consent]));
  const firing = hooks
    .filter(({ fires }) => fires)
    .flatMap((hook) => [renderHook(hook), ...renderTerms(consents.get(hook.id))]);
  const targets = new Map(
    form.links.flatMap(({ targets }) => targets.map((target) => [target.appId, target] as const)),
  );
  const fired = new Set(form.collapsed.flatMap((link) => link.targets));
  const installs = [...fired].flatMap((appId) => renderInstall(targets.get(appId)));
  const links = form.collapsed.map(({ title, targets: ids }) => {
    return `  ${title}: ${ids.map((appId) => targets.get(appId)?.name ?? appId).join(", ")}`;
  });
  const wrong = [...new Set([...problems, ...form.problems].flatMap(renderError))];
  return [
    ...(firing.length === 0 ? [] : ["What will run", ...firing]),
    ...(links.length === 0 ? [] : [form.linksTitle ?? "", ...installs, ...links]),
    ...wrong,
  ];
}

/** A hook that runs: when, and what it is called. */
export function renderHook({ event, title }: Pick<Preview["hooks"][number], "event" | "title">): string {
  return `  ${PHASES[event]}: ${title}`;
}

/** A consent as it is asked for: its label with the terms it stands for. */
export function renderConsent({ label, description, link }: FormConsent): string {
  const terms = [
    ...(description === undefined ? [] : [description]),
    ...(link === undefined ? [] : [renderLink(link)]),
  ];
  return terms.length === 0 ? label : `${label} (${terms.join(" ")})`;
}

function renderInstall(target: FormLinkTarget | undefined): readonly string[] {
  if (target === undefined || target.installed) return [];
  const consents = (target.consents ?? []).filter(({ checked, available }) => checked && available);
  return [`  ${target.label}`, ...consents.map((consent) => `    ${renderConsent(consent)}`)];
}

function renderTerms(consent: FormConsent | undefined): readonly string[] {
  if (consent === undefined) return [];
  const { description, link } = consent;
  return [
    ...(description === undefined ? [] : [`    ${description}`]),
    ...(link === undefined ? [] : [`    ${renderLink(link)}`]),
  ];
}

function renderLink({ label, url }: NonNullable<FormConsent["link"]>): string {
  return `${label}: ${url}`;
}

function renderError({ severity, code, message }: Preview["problems"][number]): readonly string[] {
  return severity === "error" ? [`  error ${code}: ${message}`] : [];
}
