/** The picker of the links, with the questions and consents of targets to be installed. */
import { checkbox } from "@inquirer/prompts";
import { showControlCharacters } from "../../../core/report/plain-text.ts";
import type { Engine, Form, FormLink, FormLinkTarget, InstallRequest, LinkRequest } from "../../../engine/api.ts";
import type { Terminal } from "../terminal.ts";
import { askForm } from "./ask.ts";
import { askConsents } from "./ask-consents.ts";

/** The part of the engine that knows the dialog. */
export type Dialog = Pick<Engine, "form" | "preview">;
type TargetChoices = NonNullable<LinkRequest["install"]>[string];

/** The picker of the links, and after it the questions and consents of the targets to be installed. */
export async function askLinks(
  engine: Dialog,
  appId: string,
  request: InstallRequest,
  terminal: Terminal,
): Promise<InstallRequest> {
  const form = await engine.form(appId, undefined, request);
  const rows = form.links.flatMap((link) => link.targets.map((target) => ({ link, target })));
  const picked = await checkbox(
    {
      message: showControlCharacters(form.linksTitle ?? ""),
      choices: rows.map((row) => {
        const closed = explainClosed(row.link, row.target);
        return {
          name: showControlCharacters(`${row.link.title}: ${row.target.label}`),
          value: row,
          checked: row.target.checked && closed === null,
          disabled: closed === null ? false : showControlCharacters(`(${closed})`),
        };
      }),
    },
    { signal: terminal.signal },
  );
  const links = form.links.flatMap((link): readonly LinkRequest[] => {
    const targets = picked.flatMap((row) => (row.link === link ? [row.target.appId] : []));
    return targets.length === 0 ? [] : [keepLink(request, link, targets)];
  });
  let chosen: InstallRequest = { ...request, links };
  const missing = new Set(picked.flatMap(({ target }) => (target.installed ? [] : [target.appId])));
  for (const target of missing) chosen = await askTarget(engine, appId, target, chosen, terminal);
  return chosen;
}

/** Why a row can't be taken, as the form says it; null where it can. */
function explainClosed({ available, reason, requiresConsents }: FormLink, target: FormLinkTarget): string | null {
  if (reason !== undefined) return reason;
  if (!available) return `needs the consent of ${requiresConsents.join(", ")}`;
  return target.installed || target.installable ? null : "not installed, and in no catalog";
}

/** A link with the choices made for those of its targets that stay. */
function keepLink(request: InstallRequest, { hookId, runsOnAppId }: FormLink, targets: readonly string[]): LinkRequest {
  const before = listLinks(request).find((link) => link.hookId === hookId && link.runsOnAppId === runsOnAppId);
  const install = Object.entries(before?.install ?? {}).filter(([appId]) => targets.includes(appId));
  return {
    hookId,
    runsOnAppId,
    targets,
    ...(before?.inputs !== undefined && { inputs: before.inputs }),
    ...(install.length > 0 && { install: Object.fromEntries(install) }),
  };
}

/** Asks what the install of a missing target asks. */
async function askTarget(
  engine: Dialog,
  appId: string,
  target: string,
  request: InstallRequest,
  terminal: Terminal,
): Promise<InstallRequest> {
  const given = listLinks(request).find(({ install }) => install?.[target] !== undefined)?.install?.[target] ?? {};
  const read = async (choices: TargetChoices) =>
    findTargetRow(await engine.form(appId, undefined, withChoices(request, target, choices)), target);
  const row = await read(given);
  terminal.stdout.write(`${row?.label ?? target}\n`);
  const answers = await askForm({ steps: row?.steps ?? [] }, given.answers ?? {}, terminal);
  const consents = await askConsents(
    async (touched) => (await read({ ...given, consents: touched }))?.consents ?? [],
    given.consents ?? {},
    terminal,
    true,
  );
  return withChoices(request, target, { answers, consents });
}

function findTargetRow({ links }: Pick<Form, "links">, target: string): FormLinkTarget | undefined {
  return links.flatMap(({ targets }) => targets).find(({ appId, installable }) => appId === target && installable);
}

/** The choices for a missing target stand in the first link that names it. */
function withChoices(request: InstallRequest, target: string, choices: TargetChoices): InstallRequest {
  const links = listLinks(request);
  const first = links.find(({ targets }) => targets.includes(target));
  return {
    ...request,
    links: links.map((link) => (link === first ? { ...link, install: { ...link.install, [target]: choices } } : link)),
  };
}

function listLinks({ links }: InstallRequest): readonly LinkRequest[] {
  return links === undefined || links === "default" ? [] : links;
}
