import type { Findings } from "../findings.ts";
import type { AskedRequest } from "../world/faked-io.ts";
import { nameFake } from "../world/read-fake.ts";
import { RequestLog } from "./request-log.ts";

/** Finds every request its app's fake has no row for, and offers one; the fake of `usual` has those outside of the host. */
export function judgeRequests(requests: readonly AskedRequest[], usual: string, findings: Findings): void {
  for (const [appId, asked] of Map.groupBy(requests, (request) => request.appId ?? usual)) {
    for (const { method, path } of new RequestLog(asked).listUnanswered()) {
      const row = JSON.stringify({ method, path, status: 200, body: {} });
      const message = `${method} ${path} has no row in the fake`;
      findings.addOf(nameFake(appId), "CHECK_REQUEST_UNANSWERED", message, `add ${row} to its answers`);
    }
  }
}
