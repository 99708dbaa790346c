/** Refuses an install whose hooks were dropped, by the catalog or by the compiler, unless that is accepted. */
import { EngineError } from "../../core/codes/problems.ts";
import { fires, selectDueHooks } from "../../core/hooks/hook-selection.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { CatalogEntry } from "../ports/catalog.ts";
import type { InstallRequest } from "../requests.ts";
import { type CompiledHooks, describePlaced } from "./compile-hooks.ts";
import { createRequestProblem, refuseProblems } from "./request/request.ts";

/** The events of an install, in order. */
export const INSTALL_EVENTS = ["onBeforeInstall", "onAfterInstall"] as const;

/**
 * Refuses an install that lacks a hook it would have run and waited for, unless the request accepts that by id. Throws
 * `TASK_HOOK_DROPPED {hookIds, problems}`, `SANDBOX_UNAVAILABLE {hookIds}` where this machine runs no script, or `TASK_HOOK_UNKNOWN` where it accepts a hook the app does not have.
 */
export function refuseMissedHooks(
  { entry, dictionary }: { readonly entry: CatalogEntry; readonly dictionary: Dictionary },
  { dropped }: Pick<CompiledHooks, "dropped">,
  { consents = {}, acceptDropped = [] }: Pick<InstallRequest, "consents" | "acceptDropped">,
): void {
  const { appId } = dictionary;
  const declared = entry.declared ?? dictionary;
  const sound = new Set(dictionary.hooks.map(({ id }) => id));
  const due = INSTALL_EVENTS.flatMap((event) => selectDueHooks(declared.hooks, { event, consents }).filter(fires))
    .filter(({ hook }) => !hook.optional && !sound.has(hook.id))
    .map(({ hook }) => hook.id);
  const uncompiled = dropped.filter(({ hookId }) =>
    dictionary.hooks.some(({ id, optional }) => id === hookId && !optional),
  );
  const missed = [...(declared.missedHooks ?? []), ...due, ...uncompiled.map(({ hookId }) => hookId)];
  const known = new Set([...declared.hooks.map(({ id }) => id), ...missed]);
  const unknown = acceptDropped.flatMap((id, at) =>
    known.has(id)
      ? []
      : [createRequestProblem("TASK_HOOK_UNKNOWN", `"${appId}" has no hook "${id}"`, ["acceptDropped", at])],
  );
  refuseProblems(appId, unknown);
  const hookIds = [...new Set(missed)].filter((id) => !acceptDropped.includes(id));
  if (hookIds.length === 0) return;
  const inScript = entry.problems.filter(({ severity, path }) => severity === "error" && path[0] === "hooks");
  const problems = [...inScript, ...uncompiled.flatMap((hook) => hook.problems)];
  const unavailable = uncompiled.flatMap((hook) => hook.problems).find(({ code }) => code === "SANDBOX_UNAVAILABLE");
  // no fault of the author: the machine refuses every script
  if (unavailable !== undefined) throw new EngineError("SANDBOX_UNAVAILABLE", unavailable.message, { appId, hookIds });
  const named = hookIds.map((id) => `"${id}"`).join(", ");
  const reasons = problems.map((problem) => describePlaced(problem, entry.file)).join("; ");
  throw new EngineError("TASK_HOOK_DROPPED", `the install needs ${named}, which was dropped: ${reasons}`, {
    appId,
    hookIds,
    problems,
  });
}
