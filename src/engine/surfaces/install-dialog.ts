import { collapsedLinks, type LinkRow, linkRows } from "../../core/install-links.ts";
import type { Form, FormLink, FormLinkTarget } from "../api.ts";
import type { AppLabels } from "./app-labels.ts";
import type { CatalogView } from "./catalog-view.ts";

/** The part of a form that concerns one app alone. */
export type OwnForm = Pick<Form, "steps" | "consents">;

export interface DialogOptions {
  readonly appId: string;
  readonly view: CatalogView;
  readonly labels: AppLabels;
  readonly installed: (appId: string) => boolean;
  /** Questions and consents of a target that would be installed with the app. */
  readonly formOf: (appId: string) => Promise<OwnForm>;
  readonly own: OwnForm;
}

/** The picker of the install dialog: links in both directions, and what fires when it stays collapsed (specification, "Install dialog"). */
export async function installDialog(options: DialogOptions): Promise<Pick<Form, "links" | "button" | "collapsed">> {
  const rows = linkRows({
    appId: options.appId,
    index: options.view.index,
    installed: options.installed,
    dictionary: (id) => options.view.apps.get(id)?.dictionary ?? null,
    consents: {},
  });
  if (rows.length === 0) return { links: [], collapsed: [] };
  const links = await Promise.all(
    [...Map.groupBy(rows, ({ row }) => row).values()].map((group) => linkOf(group, options)),
  );
  const available = rows.length + options.own.consents.length + optionalQuestions(options.own);
  const firing = collapsedLinks(rows);
  return {
    links,
    button: `Customize Install (${available} options available)`,
    collapsed: [...new Set(firing.map(({ row }) => row.pairing.hook.title))],
  };
}

async function linkOf(rows: readonly LinkRow[], options: DialogOptions): Promise<FormLink> {
  const [first] = rows;
  if (first === undefined) throw new Error("a pairing without a target is no row");
  const { direction, pairing } = first.row;
  const { hook } = pairing;
  return {
    hookId: hook.id,
    runsOnAppId: pairing.appId,
    direction,
    title: hook.title,
    ...(hook.description !== undefined && { description: hook.description }),
    ...(hook.kind !== undefined && { kind: hook.kind }),
    targets: await Promise.all(rows.map((row) => targetOf(row, options))),
    requiresConsents: first.gates,
    available: first.open,
  };
}

async function targetOf(row: LinkRow, { labels, view, formOf }: DialogOptions): Promise<FormLinkTarget> {
  return {
    ...(await labels.of(row.target, view)),
    installed: row.installed,
    default: row.checked,
    installable: row.installable,
    ...(row.installable && (await formOf(row.target))),
  };
}

function optionalQuestions({ steps }: OwnForm): number {
  return steps
    .flatMap(({ sections }) => sections.flatMap(({ questions }) => questions))
    .filter(({ required }) => !required).length;
}
