import type { CompiledScript } from "../../../sandbox/contract.ts";
import { EngineError, type Problem } from "../../core/codes/problems.ts";
import { type InputDefaults, listGeneratedInputs, offerDefaults } from "../../core/hooks/input-defaults.ts";
import type { Dictionary, Hook } from "../../core/script/dictionary.ts";
import { type StoredHook, toHookKey } from "../stored-plan.ts";
import type { MethodDeps } from "./deps.ts";

export interface CompiledHooks {
  /** By `toHookKey`. */
  readonly hooks: Readonly<Record<string, StoredHook>>;
  readonly scripts: readonly CompiledScript[];
  /** Hooks whose script can't be compiled: each is dropped alone (docs/install-scripts.md, "What is tolerated"). */
  readonly dropped: readonly { readonly hookId: string; readonly problems: readonly Problem[] }[];
}

/**
 * Compiles the scripts of some hooks of one app, so that the task keeps them as they are now, with what the macros in the
 * `defaults` of their inputs came to.
 */
export async function compileHooks(
  { sandbox, catalog, logger }: Pick<MethodDeps, "sandbox" | "catalog" | "logger">,
  dictionary: Dictionary,
  hooks: readonly Hook[],
  defaults: InputDefaults = {},
): Promise<CompiledHooks> {
  const { appId, custom, requirements } = dictionary;
  const required = new Set(dictionary.hooks.flatMap(({ requiresHooks }) => requiresHooks));
  const compiled: Record<string, StoredHook> = {};
  const scripts = new Map<string, CompiledScript>();
  const dropped: { hookId: string; problems: readonly Problem[] }[] = [];
  for (const hook of hooks) {
    const { source, entrypoint } = hook;
    const result = await sandbox.compile({
      app: appId,
      root: catalog.root,
      source,
      entrypoint,
      label: `${appId}.json#${hook.id}`,
    });
    if (result.ok) {
      const { sha256 } = result.script;
      const generated = listGeneratedInputs(hook, defaults);
      scripts.set(sha256, result.script);
      compiled[toHookKey(appId, hook.id)] = {
        appId,
        hook: offerDefaults(hook, defaults),
        sha256,
        custom,
        ports: requirements.ports,
        ...(required.has(hook.id) && { handsOver: true }),
        ...(generated.length > 0 && { generated }),
      };
    } else {
      logger.warn({ appId, hook: hook.id, problems: result.problems }, "hook dropped: its script does not compile");
      dropped.push({ hookId: hook.id, problems: result.problems });
    }
  }
  return { hooks: compiled, scripts: [...scripts.values()], dropped };
}

/** One mark per hook that the catalog or the compiler dropped. */
export function listDroppedMarks(
  { dropped: declared }: Pick<Dictionary, "dropped">,
  { dropped: uncompiled }: Pick<CompiledHooks, "dropped">,
): readonly string[] {
  const ids = [...(declared?.hooks ?? []).map(({ id }) => id), ...uncompiled.map(({ hookId }) => hookId)];
  return [...new Set(ids)].map((id) => `hookDropped: ${id}`);
}

/** The problems of hooks that do not compile, each at its hook. */
export function listCompileFaults({ dropped }: Pick<CompiledHooks, "dropped">): readonly Problem[] {
  return dropped.flatMap(({ hookId, problems }) =>
    problems.map((problem) => ({ ...problem, path: ["hooks", hookId] })),
  );
}

/**
 * Throws `SANDBOX_UNAVAILABLE {hookIds}` if this machine runs no script and a hook is not optional: that is no fault of
 * the script, so the hook is not dropped.
 */
export function refuseUnrunnable(
  { appId, hooks }: Pick<Dictionary, "appId" | "hooks">,
  { dropped }: Pick<CompiledHooks, "dropped">,
): void {
  const optional = new Set(hooks.flatMap((hook) => (hook.optional ? [hook.id] : [])));
  const unavailable = dropped.flatMap(({ hookId, problems }) => {
    const problem = problems.find(({ code }) => code === "SANDBOX_UNAVAILABLE");
    return problem === undefined || optional.has(hookId) ? [] : [{ hookId, message: problem.message }];
  });
  const [first] = unavailable;
  if (first === undefined) return;
  const hookIds = unavailable.map(({ hookId }) => hookId);
  throw new EngineError("SANDBOX_UNAVAILABLE", first.message, { appId, hookIds });
}
