import { showControlCharacters } from "../../core/report/plain-text.ts";
import type { AuditEntry } from "../../engine/api.ts";

/** An entry of the audit list as one line: when, who, what, and why it was refused. */
export function renderAuditLine({ at, actor, method, appId, taskId, refused }: AuditEntry): string {
  const about = [appId, taskId].filter((part) => part !== undefined).join(" ");
  const outcome = refused === undefined ? "" : `  refused: ${refused}`;
  const who = `${actor.name} (${actor.how}, ${actor.id})`;
  return showControlCharacters(`${at}  ${who}  ${method}${about === "" ? "" : ` ${about}`}${outcome}`);
}
