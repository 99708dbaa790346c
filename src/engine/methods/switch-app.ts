import type { StartInput } from "../../../machines/start/types.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { TaskView } from "../api.ts";
import { toAppClaim } from "../runtime/claims.ts";
import type { ChangeDeps } from "./deps.ts";
import { freezeInstalled } from "./freeze-installed.ts";
import { freeClaims, refuseConflict } from "./request/request.ts";

/**
 * Starts the start, stop or restart of an installed app, whether the catalog has a script of it or not. Throws
 * `TASK_APP_NOT_INSTALLED`, and `TASK_APP_UNKNOWN` where the catalog does not know it either.
 */
export async function switchApp(
  deps: ChangeDeps,
  appId: string,
  kind: "start" | "stop" | "restart",
): Promise<TaskView> {
  refuseConflict(deps, appId);
  const { title, plan } = await freezeInstalled(deps, appId, await deps.host.apps());
  const input: StartInput = { appId, title, marks: [], runningDeadlineMs: deps.timing.runningDeadline };
  freeClaims(deps, [toAppClaim(appId)]);
  return deps.runtime.start(
    {
      machine: kind,
      input: toJsonObject(input),
      kind,
      appId,
      claim: toAppClaim(appId),
      plan: toJsonObject(plan),
    },
    deps.deed,
  );
}
