/** The sandbox as a whole: health, compile, run, close (contract.ts). */

import { createCompiler } from "./bundle.ts";
import { type ChildProgram, createChildFiles } from "./bundle-child.ts";
import { stopEsbuild } from "./bundle-service.ts";
import type { BundlerProgram } from "./bundler/files.ts";
import type { SandboxChild } from "./child-process.ts";
import { startChild } from "./child-ready.ts";
import type { Outside, Run, Sandbox, SandboxHealth } from "./contract.ts";
import { noChild, readHealth } from "./health.ts";
import { limitsOf, type RunLimits } from "./limits.ts";
import { findWalls } from "./process/find-walls.ts";
import { startRun } from "./runner.ts";
import { Slots } from "./runner-slots.ts";
import { Spare } from "./spare.ts";

/** What a sandbox is made of. */
export interface SandboxOptions {
  /** Performs what scripts ask for. */
  readonly outside: Outside;
  /** Most runs of a kind at once; others wait. Runs that wait for a person do not count. Default 16 and 4. */
  readonly concurrency?: { readonly hook: number; readonly widget: number };
  /** Wall clock of scripts, ms since 1970; default the system's. */
  readonly now?: () => number;
  /** Limits of each kind of run; default those of limits.ts. */
  readonly limits?: (kind: "hook" | "widget") => RunLimits;
  /** Starts another program than the real child: tests of a compromised one. */
  readonly program?: ChildProgram;
  /** Starts another program than the real bundler: tests of a compromised one. */
  readonly bundler?: BundlerProgram;
}

const CONCURRENCY = { hook: 16, widget: 4 };

/** Makes a sandbox. Nothing is started before the first run, compilation or look at its health. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const compiler = createCompiler(options.bundler);
  const slots = new Slots(options.concurrency ?? CONCURRENCY);
  const runs = new Set<Run>();
  let booted: Promise<Booted> | null = null;
  let closed = false;

  const boot = (): Promise<Booted> => {
    if (booted !== null) return booted;
    const made = bootChildren(options.program);
    booted = made;
    // what kept every child from starting (no room, no process id) may pass: the next one to ask tries again
    void made.then(({ started }) => {
      if (!started && booted === made) booted = null;
    });
    return made;
  };
  const takeChild = async (): Promise<SandboxChild> => {
    const { health, spare } = await boot();
    if (closed) throw new Error("the sandbox is closed");
    if (!health.usable) throw new Error(`the sandbox is unavailable on this machine: ${missing(health)}`);
    return spare.take();
  };

  return {
    health: async () => (await boot()).health,
    compile: (request) => compiler.compile(request),
    run: (request, door) => {
      const run = startRun(request, door, {
        outside: options.outside,
        takeChild,
        limits: (options.limits ?? limitsOf)(request.kind),
        now: options.now ?? Date.now,
        slot: slots.of(request.kind),
      });
      runs.add(run);
      void run.outcome.then(() => runs.delete(run));
      return run;
    },
    close: async () => {
      closed = true;
      for (const run of runs) run.stop();
      await Promise.all([...runs].map(({ outcome }) => outcome));
      if (booted !== null) {
        const { spare, remove } = await booted;
        await spare.close();
        await remove();
      }
      await compiler.close();
      await stopEsbuild();
    },
  };
}

interface Booted {
  /** A child has been ready, whatever its walls. */
  readonly started: boolean;
  readonly health: SandboxHealth;
  readonly spare: Spare;
  readonly remove: () => Promise<void>;
}

/** Bundles the child and finds the best walls it starts behind; that child is the first spare. */
async function bootChildren(given: ChildProgram | undefined): Promise<Booted> {
  const { files, remove } = createChildFiles(given);
  let fault: unknown = null;
  const candidates = await findWalls().catch((error: unknown) => {
    fault = error;
    return [];
  });
  for (const walls of candidates) {
    try {
      const { child, ready } = await startChild(await files(), walls);
      const spare = new Spare(async () => (await startChild(await files(), walls)).child);
      const health = readHealth(child.pid ?? 0, ready, walls);
      await spare.put(child);
      return { started: true, health, spare, remove };
    } catch (error) {
      fault = error;
    }
  }
  await remove();
  return {
    started: false,
    health: noChild(fault),
    spare: new Spare(() => Promise.reject(fault)),
    remove,
  };
}

function missing(health: SandboxHealth): string {
  return health.layers
    .filter(({ mandatory, active }) => mandatory && !active)
    .map(({ name, detail }) => `${name} (${detail})`)
    .join(", ");
}
