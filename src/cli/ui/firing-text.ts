/** Hooks, consents with their terms and links of an install, as text. Pure: every fact is the engine's. */
import type {
  ChangelogEntry,
  Form,
  FormConsent,
  FormLinkTarget,
  Preview,
  PreviewedApp,
  PreviewedLink,
  UpgradeAllPreview,
  UpgradePreview,
} from "../../engine/api.ts";

type Problem = Preview["problems"][number];

const PHASES = {
  onBeforeInstall: "before the install",
  onAfterInstall: "after the install",
  onBeforeUpgrade: "before the upgrade",
  onAfterUpgrade: "after the upgrade",
} as const;

/** The lines a person reads before confirming; none where nothing fires and nothing is wrong. */
export function renderFiring(form: Form, preview: Preview): readonly string[] {
  const { hooks, links, advice, problems } = preview;
  const consents = new Map(form.consents.map((consent) => [consent.hookId, consent]));
  const firing = hooks
    .filter(({ fires }) => fires)
    .flatMap((hook) => [renderHook(hook), ...renderTerms(consents.get(hook.id))]);
  const inline = new Map(
    form.links.flatMap(({ targets }) => targets.map(({ appId, consents }) => [appId, consents ?? []] as const)),
  );
  const rows = new Map(links.flatMap((link) => link.rows.map((row) => [row.appId, row] as const)));
  const installs = [...rows.values()].flatMap((row) => renderInstall(row, inline.get(row.appId) ?? []));
  const missing = [preview, ...preview.installs].flatMap(renderMissing);
  return [
    ...(firing.length === 0 ? [] : ["What will run", ...firing]),
    ...(links.length === 0 ? [] : [form.linksTitle ?? "", ...installs, ...links.map(renderLinked)]),
    ...renderAdvice(advice),
    ...missing,
    ...new Set([...problems, ...form.problems].flatMap(renderError)),
  ];
}

/** What the host has against a request without refusing it. */
export function renderAdvice(advice: Preview["advice"]): readonly string[] {
  return advice.map(({ message, hint }) => `note: ${message}; ${hint}`);
}

/** The lines a person reads before an upgrade: where it leads, what is written about it, and what runs. */
export function renderUpgrade({ from = UNKNOWN, to, changelog, hooks }: UpgradePreview): readonly string[] {
  return [`From ${from} to ${to}`, ...changelog.flatMap(renderNotes), ...hooks.map(renderHook)];
}

/** The lines that list the versions an app can be upgraded to, with what is written about them. */
export function renderVersions({ from = UNKNOWN, versions, changelog }: UpgradePreview): readonly string[] {
  const notes = changelog.flatMap(renderNotes);
  return [`Installed is ${from}, there are ${versions.join(", ")}`, ...notes];
}

/** The lines that list the upgrades of all apps in their order, and what is left out. */
export function renderUpgrades({ upgrades, leftOut }: UpgradeAllPreview): readonly string[] {
  return [
    upgrades.length === 0 ? "No app can be upgraded" : "What will be upgraded",
    ...upgrades.map(({ name, from = UNKNOWN, to }) => `  ${name}: ${from} to ${to}`),
    ...leftOut.map(({ appId, message }) => `  left out: ${appId}: ${message}`),
  ];
}

const UNKNOWN = "an unknown version";

function renderNotes({ version, scriptVersion, notes }: ChangelogEntry): readonly string[] {
  if (notes === undefined) return [];
  const [first, ...more] = notes.split(/\r?\n/);
  return [`  ${version ?? `script ${scriptVersion}`}: ${first}`, ...more.map((line) => `    ${line}`)];
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

function renderInstall(
  { installed, label }: Pick<FormLinkTarget, "installed" | "label">,
  consents: readonly FormConsent[],
): readonly string[] {
  if (installed) return [];
  const given = consents.filter(({ checked, available }) => checked && available);
  return [`  ${label}`, ...given.map((consent) => `    ${renderConsent(consent)}`)];
}

/** One whose script is missing or faulty is named too: it was chosen. */
function renderLinked({ title, rows, fires }: PreviewedLink): string {
  const line = `  ${title}: ${rows.map(({ name }) => name).join(", ")}`;
  return fires ? line : `${line} (does not run: its script is missing or faulty)`;
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

/** What is left out of an app's script. */
function renderMissing({ name, missing }: PreviewedApp): readonly string[] {
  if (missing === undefined) return [];
  const parts = PARTS.filter(([part]) => missing[part] > 0).map(([part, word]) =>
    missing[part] === 1 ? `1 ${word}` : `${missing[part]} ${word}s`,
  );
  return [`note: ${name} comes without ${parts.join(", ")}: its script has mistakes that its author has to correct`];
}

const PARTS = [
  ["steps", "step"],
  ["connections", "connection"],
  ["widgets", "widget"],
] as const;

function renderError({ severity, code, message }: Problem): readonly string[] {
  return severity === "error" ? [`  error ${code}: ${message}`] : [];
}
