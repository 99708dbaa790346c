/** A script of the workbench, bundled, in a sandbox that ends with it. */
import type { CompiledScript, JournalPlayer, Sandbox, ScriptIo } from "../../../sandbox/contract.ts";
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
  const { usable, layers } = await sandbox.health();
  if (usable) return;
  const missing = layers.filter(({ mandatory, active }) => mandatory && !active).map(({ name }) => name);
  throw new EngineError("SANDBOX_UNAVAILABLE", `the sandbox lacks ${missing.join(", ")} on this machine`, { layers });
}
