import type { AuditEntry } from "../api.ts";
import type { Store } from "../ports/store.ts";
import type { AuditRange } from "../requests.ts";
import { type NameOf, nameApp } from "../surfaces/name-apps.ts";

/** Entries of a page where its request does not say how many. */
const PAGE = 100;

/** Lists who changed what, newest first. */
export function readAudit(
  store: Pick<Store, "audit">,
  { limit = PAGE, ...filter }: AuditRange,
  nameOf?: NameOf,
): readonly AuditEntry[] {
  return store.audit({ ...filter, limit }).map(({ number, at, actor, method, appId, taskId, refused }) => ({
    number,
    at: new Date(at).toISOString(),
    actor,
    method,
    ...(appId !== null && nameApp({ appId }, nameOf)),
    ...(taskId !== null && { taskId }),
    ...(refused !== null && { refused }),
  }));
}
