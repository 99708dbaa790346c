/** Whether the links of a request are sound (docs/decisions.md, section 7). */
import type { JsonPath } from "../json/json.ts";
import { type DialogContext, LINK_LIMIT, type LinkRow, listLinkRows, type SelectedLink } from "./install-links.ts";

/** Checks all links of a request; each fault names its place in it. */
export interface LinkFault {
  readonly code:
    | "PAIRING_LINK_LIMIT"
    | "PAIRING_LINK_UNKNOWN"
    | "PAIRING_TARGET_UNKNOWN"
    | "PAIRING_TARGET_LIMIT"
    | "PAIRING_TARGET_NOT_INSTALLABLE"
    | "PAIRING_LINK_GATED"
    | "PAIRING_REPEATED";
  readonly message: string;
  readonly path: JsonPath;
}

/**
 * Every fault of a request's links; any one rejects the request whole (docs/decisions.md, section 7). A link of a dropped
 * hook has no effect and no fault. Of too many links, or too many targets of one, no more is said: what is said grows
 * with what is asked otherwise.
 */
export function checkLinks(links: readonly SelectedLink[], dialog: Omit<DialogContext, "links">): readonly LinkFault[] {
  if (links.length > LINK_LIMIT) {
    const message = `${links.length} links are selected, at most ${LINK_LIMIT} are allowed`;
    return [{ code: "PAIRING_LINK_LIMIT", message, path: ["links"] }];
  }
  const context = { ...dialog, links };
  const faults: LinkFault[] = [];
  const rows = listLinkRows(context);
  links.forEach((link, at) => {
    if (
      links.slice(0, at).some(({ hookId, runsOnAppId }) => hookId === link.hookId && runsOnAppId === link.runsOnAppId)
    ) {
      const message = `"${link.hookId}" of "${link.runsOnAppId}" is selected twice, one run links all of its targets`;
      faults.push({ code: "PAIRING_REPEATED", message, path: ["links", at, "hookId"] });
    }
    faults.push(...checkLink(link, ["links", at], rows, context));
  });
  return faults;
}

function checkLink(
  link: SelectedLink,
  path: JsonPath,
  rows: readonly LinkRow[],
  context: DialogContext,
): readonly LinkFault[] {
  const own = rows.filter(({ row }) => row.pairing.hook.id === link.hookId && row.pairing.appId === link.runsOnAppId);
  const [first] = own;
  if (first === undefined) {
    const dropped = context.dictionary(link.runsOnAppId)?.dropped?.hooks ?? [];
    if (dropped.some(({ id }) => id === link.hookId)) return [];
    const message = `"${link.hookId}" of "${link.runsOnAppId}" is not a pairing of "${context.appId}"`;
    return [{ code: "PAIRING_LINK_UNKNOWN", message, path: [...path, "hookId"] }];
  }
  if (link.targets.length === 0 || link.targets.length > LINK_LIMIT) {
    const message = `"${link.hookId}" names ${link.targets.length} targets, 1 to ${LINK_LIMIT} are allowed`;
    return [{ code: "PAIRING_TARGET_LIMIT", message, path: [...path, "targets"] }];
  }
  const faults: LinkFault[] = [];
  if (!first.open) {
    const message = `"${link.hookId}" needs the consent of ${first.gates.map((gate) => `"${gate}"`).join(", ")}`;
    faults.push({ code: "PAIRING_LINK_GATED", message, path: [...path, "hookId"] });
  }
  link.targets.forEach((target, at) => {
    const row = own.find((candidate) => candidate.target === target);
    if (row === undefined) {
      const message = `"${link.hookId}" does not link "${target}", its targets are ${own.map((r) => `"${r.target}"`).join(", ")}`;
      faults.push({ code: "PAIRING_TARGET_UNKNOWN", message, path: [...path, "targets", at] });
    } else if (link.targets.indexOf(target) < at) {
      const message = `"${target}" is selected twice`;
      faults.push({ code: "PAIRING_REPEATED", message, path: [...path, "targets", at] });
    } else if (!row.installed && !row.installable) {
      const message = `"${target}" is not installed and in no catalog`;
      faults.push({ code: "PAIRING_TARGET_NOT_INSTALLABLE", message, path: [...path, "targets", at] });
    }
  });
  for (const target of Object.keys(link.install ?? {})) {
    if (link.targets.includes(target)) continue;
    const message = `"${target}" is to be installed but is not a target of this link`;
    faults.push({ code: "PAIRING_TARGET_UNKNOWN", message, path: [...path, "install", target] });
  }
  return faults;
}
