/** A script of the workbench, bundled, in a sandbox that ends with it. */
import type { CompiledScript, JournalPlayer, Sandbox, ScriptIo } from "../../../sandbox/contract.ts";
import { describeMissingLayers } from "../../../sandbox/process/health.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { createNotCompiled, type RunHookResult } from "./run-result.ts";
import type { Subject } from "./subject.ts";

/** Does something with the bundled script in a sandbox of its own. Throws `SANDBOX_UNAVAILABLE`. */
export async function withScript(
  scriptIo: ScriptIo,
  { place: { root, label }, source, entrypoint }: Subject,
  act: (sandbox: Sandbox & JournalPlayer, script: CompiledScript) => Promise<RunHookResult>,
): Promise<RunHookResult> {
  const sandbox = createSandbox({ scriptIo, allowWeakSandbox: true, keepWarmChild: false });
  try {
    const compiled = await sandbox.compile({ app: label, root, source, entrypoint, label });
    // after it, when the processes to look at have been started for it
    await requireUsable(sandbox);
    return compiled.ok ? await act(sandbox, compiled.script) : createNotCompiled(compiled.problems);
  } finally {
    await sandbox.close();
  }
}

async function requireUsable(sandbox: Sandbox): Promise<void> {
  const health = await sandbox.health();
  if (health.usable) return;
  const message = `the sandbox is unavailable on this machine: ${describeMissingLayers(health)}`;
  throw new EngineError("SANDBOX_UNAVAILABLE", message, { layers: health.layers });
}
