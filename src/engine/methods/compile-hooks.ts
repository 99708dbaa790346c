import type { CompiledScript } from "../../../sandbox/contract.ts";
import type { Problem } from "../../core/codes/problems.ts";
import { type InputDefaults, listGeneratedInputs, offerDefaults } from "../../core/hooks/input-defaults.ts";
import type { Dictionary, Hook } from "../../core/script/dictionary.ts";
import type { CatalogEntry } from "../ports/catalog.ts";
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

/** How hooks that were dropped, by the catalog or by the compiler, are shown on their task. */
export function listDroppedMarks(
  { file, problems }: Pick<CatalogEntry, "file" | "problems">,
  { dropped }: Pick<CompiledHooks, "dropped">,
): readonly string[] {
  const declared = problems.filter(({ severity, path }) => severity === "error" && path[0] === "hooks");
  return [
    ...declared.map((problem) => `hookDropped: ${describePlaced(problem, file)}`),
    ...dropped.map(({ hookId, problems: [first] }) => {
      const reason = first === undefined ? "unknown fault" : describePlaced(first, file);
      return `hookDropped: ${hookId}: ${reason}`;
    }),
  ];
}

/** A problem with the author's file, line and column; `script` is the install script's. */
export function describePlaced({ file, line, column, message }: Problem, script: string): string {
  return `${file ?? script}:${line}:${column}: ${message}`;
}
