/** Whether a request names only what there is; a fault rejects it whole, with the place (docs/decisions.md, section 7). */

import type { Code } from "../../../core/codes/code.ts";
import { createAppUnknownError, createClaimHeldError } from "../../../core/codes/common-errors.ts";
import { EngineError, type Problem } from "../../../core/codes/problems.ts";
import { type InputDefaults, offerDefaults } from "../../../core/hooks/input-defaults.ts";
import { isJsonObject, type Json, type JsonPath } from "../../../core/json/json.ts";
import { checkGivenAnswer } from "../../../core/plan/answers.ts";
import { hasOptionMacro } from "../../../core/plan/resolve-options.ts";
import type { Dictionary, HookInput } from "../../../core/script/dictionary.ts";
import type { InstallRequest } from "../../api.ts";
import { createOwnDeed } from "../../audit/deed.ts";
import { oauthValue } from "../../effects/hook/pin-flow.ts";
import type { CatalogEntry } from "../../ports/catalog.ts";
import { findChange, findLifecycle, isAbandonedChild } from "../../runtime/claims.ts";
import { toGivenName, toVaultEntry } from "../../vault/secrets.ts";
import type { MethodDeps } from "../deps.ts";

/** An app with its script. */
export interface Usable {
  readonly entry: CatalogEntry;
  readonly dictionary: Dictionary;
}

/**
 * A usable app of the catalog, by its last readable script if need be; in production an internal one is unknown. Throws
 * `TASK_APP_UNKNOWN` or `TASK_SCRIPT_REFUSED {problems}`.
 */
export function requireUsableApp({ view }: Pick<MethodDeps, "view">, appId: string): Usable {
  const entry = view().apps.get(appId);
  if (entry === undefined) throw createAppUnknownError(appId);
  const { dictionary } = entry;
  if (dictionary === null) throw createRefusedError(entry);
  return { entry, dictionary };
}

/**
 * A usable app whose newest script can be read: the last readable one serves an installed app only. Throws as
 * `requireUsableApp`.
 */
export function requireInstallableApp(deps: Pick<MethodDeps, "view">, appId: string): Usable {
  const usable = requireUsableApp(deps, appId);
  if (usable.entry.servesLast === true) throw createRefusedError(usable.entry);
  return usable;
}

function createRefusedError({ appId, file, problems }: CatalogEntry): EngineError {
  return new EngineError("TASK_SCRIPT_REFUSED", `the install script of "${appId}" has errors`, {
    appId,
    file,
    problems,
  });
}

/** Throws `TASK_CONFLICT {taskId}` while a lifecycle runs on the app. */
export function refuseConflict({ store }: Pick<MethodDeps, "store">, appId: string): void {
  const taskId = findLifecycle(store, appId);
  if (taskId !== null) throw createClaimHeldError(taskId, appId);
}

/** Throws `TASK_CONFLICT {taskId}` while somebody starts, stops, changes or removes the app: no hook of it begins then. */
export function refuseChange({ store }: Pick<MethodDeps, "store">, appId: string): void {
  const taskId = findChange(store, appId);
  if (taskId !== null) throw createClaimHeldError(taskId, appId);
}

/**
 * Cancels the abandoned children that hold one of these claims, so that what a person starts now is not kept from it. A start
 * that frees more than the claim it takes refuses its own conflict first: a refused request cancels nothing. Throws
 * as `Runtime.requireWork`.
 */
export function freeClaims({ store, runtime }: Pick<MethodDeps, "store" | "runtime">, claims: readonly string[]): void {
  runtime.requireWork();
  for (const claim of claims) {
    const taskId = store.holder(claim);
    if (taskId !== null && isAbandonedChild(store, taskId)) {
      runtime.send(taskId, { type: "user.cancel" }, { deed: createOwnDeed("cancel") });
    }
  }
}

/** The claim a pressed or linked hook holds: one unfinished run per app, hook and target (docs/decisions.md, section 3). */
export function toHookClaim(appId: string, hookId: string, target: string | null): string {
  return `hook:${appId}:${hookId}:${target ?? ""}`;
}

/** Rejects with the first error's code and every problem. */
export function refuseProblems(appId: string, problems: readonly Problem[]): void {
  const [first, ...more] = problems.filter(({ severity }) => severity === "error");
  if (first === undefined) return;
  const message = more.length === 0 ? first.message : `${first.message} (and ${more.length} more)`;
  throw new EngineError(first.code, message, { appId, problems });
}

/** A rejection with its problems' places below another: what a part of a request is told, said of the whole request. */
export function placeBelow(place: JsonPath, error: unknown): unknown {
  if (!(error instanceof EngineError)) return error;
  const details: Readonly<Record<string, unknown>> = error.details;
  const { problems } = details;
  if (!isProblemList(problems)) return error;
  const moved = problems.map((problem) =>
    REQUEST_PARTS.includes(problem.path[0] ?? "") ? { ...problem, path: [...place, ...problem.path] } : problem,
  );
  return new EngineError(error.code, error.message, { ...details, problems: moved }, error);
}

/** Where a place in a request begins; other problems stand in a file. */
const REQUEST_PARTS: JsonPath = ["answers", "consents", "inputs"];

function isProblemList(value: unknown): value is readonly Problem[] {
  return Array.isArray(value);
}

/** Inputs given with a request, and where the request holds those of a hook. */
interface GivenInputs {
  readonly inputs?: InstallRequest["inputs"];
  /** Default: below `inputs`. */
  readonly placeOf?: (hookId: string) => JsonPath;
}

/**
 * The vault entries of inputs given with a request, by their names in the vault, but for those of dropped hooks. `defaults`
 * hold the resolved options. Throws with the place of every fault.
 */
export function readGivenInputs(
  dictionary: Dictionary,
  defaults: InputDefaults,
  given: GivenInputs,
): Readonly<Record<string, Json>> {
  const hooks = dictionary.hooks.map((hook) => offerDefaults(hook, defaults));
  const { entries, problems } = checkInputs({ ...dictionary, hooks }, given, checkInput);
  refuseProblems(dictionary.appId, problems);
  return entries;
}

/** The faults of such inputs before macros are resolved: a question with macros in its options takes any answer. */
export function listInputProblems(dictionary: Dictionary, given: GivenInputs): readonly Problem[] {
  return checkInputs(dictionary, given, checkUnresolvedInput).problems;
}

function checkInputs(
  dictionary: Dictionary,
  { inputs, placeOf = (hookId) => ["inputs", hookId] }: GivenInputs,
  check: typeof checkInput,
): { readonly entries: Readonly<Record<string, Json>>; readonly problems: readonly Problem[] } {
  const entries: Record<string, Json> = {};
  const problems: Problem[] = [];
  for (const [hookId, values] of Object.entries(inputs ?? {})) {
    const hook = dictionary.hooks.find(({ id }) => id === hookId);
    if (hook === undefined) {
      if (isDropped(dictionary, hookId)) continue;
      problems.push(
        createRequestProblem("TASK_HOOK_UNKNOWN", `"${dictionary.appId}" has no hook "${hookId}"`, placeOf(hookId)),
      );
      continue;
    }
    for (const [inputId, value] of Object.entries(values)) {
      const checked = check(hook.inputs, inputId, value);
      if ("fault" in checked) {
        problems.push(createRequestProblem(checked.code, checked.fault, [...placeOf(hookId), inputId]));
      } else if (checked.entry !== null) {
        entries[toGivenName(dictionary.appId, hookId, inputId)] = checked.entry;
      }
    }
  }
  return { entries, problems };
}

/** A value as the vault keeps it, null if nothing was answered, or its fault. */
type CheckedInput = { readonly entry: Json } | { readonly code: Code; readonly fault: string };

/** Checks a value given for an input whose options are resolved. */
export function checkInput(inputs: readonly HookInput[], inputId: string, value: Json): CheckedInput {
  const input = inputs.find(({ id }) => id === inputId);
  if (input === undefined) {
    const known = inputs.map(({ id }) => `"${id}"`).join(", ") || "none";
    return { code: "TASK_INPUT_UNKNOWN", fault: `the hook declares no input "${inputId}"; declared are ${known}` };
  }
  if (input.type === "oauth") {
    if (typeof value === "string" && value !== "") return { entry: toVaultEntry(oauthValue(input.flow, value), true) };
    if (isJsonObject(value)) return { entry: toVaultEntry(value, true) };
    return { code: "TASK_INPUT_INVALID", fault: `the input "${inputId}" takes a token, or an object with "authToken"` };
  }
  const fault = checkGivenAnswer(input.question, value);
  if (fault !== null) return { code: fault.code, fault: fault.message };
  if (value === null) return { entry: null };
  return { entry: toVaultEntry(value, input.question.type === "password") };
}

function checkUnresolvedInput(inputs: readonly HookInput[], inputId: string, value: Json): CheckedInput {
  const input = inputs.find(({ id }) => id === inputId);
  const isOpen = input?.type === "question" && hasOptionMacro(input.question);
  return isOpen ? { entry: null } : checkInput(inputs, inputId, value);
}

/** Whether an error drops the hook: what a request says of it has no effect. */
export function isDropped({ dropped }: Pick<Dictionary, "dropped">, hookId: string): boolean {
  return dropped?.hooks.some(({ id }) => id === hookId) ?? false;
}

/** A fault of a request: it stands in no file, so its place is the path in the request. */
export function createRequestProblem(code: Code, message: string, path: JsonPath): Problem {
  return { code, severity: "error", message, path, line: 1, column: 1, length: 0 };
}
