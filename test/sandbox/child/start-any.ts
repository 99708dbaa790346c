import type { SandboxChild } from "../../../sandbox/child/child-process.ts";
import type { ChildFiles } from "../../../sandbox/child/child-program.ts";
import { startChild } from "../../../sandbox/child/child-ready.ts";
import { findIsolation } from "../../../sandbox/process/find-isolation.ts";

/** A child behind the first isolation this machine can give. */
export async function startAny(files: ChildFiles): Promise<SandboxChild> {
  for (const isolation of await findIsolation()) {
    const started = await startChild(files, isolation).catch(() => null);
    if (started !== null) return started.child;
  }
  throw new Error("no process can be started");
}
