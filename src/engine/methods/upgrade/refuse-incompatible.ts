import { EngineError } from "../../../core/codes/problems.ts";
import type { Dictionary } from "../../../core/script/dictionary.ts";
import { admitsUpdate, isOlder } from "../../../core/script/update-compatibility.ts";

/**
 * Refuses to have a script take over what an app was set up with by another version of it: throws
 * `TASK_UPDATE_INCOMPATIBLE` where it is older, or does not admit that version.
 */
export function refuseIncompatible({ appId, script }: Dictionary, installed: string): void {
  if (admitsUpdate(script, installed)) return;
  const { version, updateCompatibility = "the same major version" } = script;
  const reason = isOlder(script, installed)
    ? `is older than the installed ${installed}`
    : `updates ${updateCompatibility} only, installed is ${installed}`;
  const message = `script ${version} of "${appId}" ${reason}`;
  throw new EngineError("TASK_UPDATE_INCOMPATIBLE", message, { appId, installed, version });
}
