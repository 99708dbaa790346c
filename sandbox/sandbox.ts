/** The sandbox as a whole: health, compile, run, close (contract.ts). */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Problem } from "../src/core/codes/problems.ts";
import type { SandboxChild } from "./child/child-process.ts";
import type { ChildProgram } from "./child/child-program.ts";
import { startChild } from "./child/child-ready.ts";
import { WarmChild } from "./child/warm-child.ts";
import { createCompiler } from "./compile/bundle.ts";
import { createChildFiles } from "./compile/bundle-child.ts";
import { stopEsbuild } from "./compile/bundle-service.ts";
import type { BundlerProgram } from "./compile/bundler/files.ts";
import type { JournalPlayer, Sandbox, SandboxHealth, ScriptIo } from "./contract.ts";
import { startPlay } from "./desk/play.ts";
import { getLimits, type RunLimits } from "./limits.ts";
import { findIsolation } from "./process/find-isolation.ts";
import { addLayer, describeMissingLayers, readHealth, reportNoChild } from "./process/health.ts";
import type { Isolation } from "./process/isolation.ts";
import { startRun } from "./run/run-script.ts";
import { Slot, Slots } from "./run/slots.ts";

export interface SandboxOptions {
  /** Performs what scripts ask for. */
  readonly scriptIo: ScriptIo;
  /** Most runs of a kind at once; others wait. Runs that wait for a person do not count. Default 16 and 4. */
  readonly concurrency?: { readonly hook: number; readonly widget: number };
  /** Wall clock of scripts, ms since 1970; default the system's. */
  readonly now?: () => number;
  /** Limits of each kind of run; default those of limits.ts. */
  readonly limits?: (kind: "hook" | "widget") => RunLimits;
  /**
   * Scripts may run where their processes have no user of their own or see the host's network: for development, and for
   * whoever has isolated them by other means. Default: they are refused there.
   */
  readonly allowWeakSandbox?: boolean;
  /** Called once scripts are allowed in a weak sandbox, with the layers that production would demand, in words. */
  readonly onWeakSandbox?: (missing: string) => void;
  /** A child is started ahead of the next run while one runs. Default; a program that runs one script has no use for it. */
  readonly keepWarmChild?: boolean;
  /** Every outcome of a run with a journal is delivered into a fresh isolate: for tests of what goes on where it was. */
  readonly alwaysReplay?: boolean;
  /** Ms a run with a journal that only waits for persons keeps its child; default 30,000. */
  readonly parkMs?: number;
  /** Isolation to try, best first; default those this machine was found to give. */
  readonly isolation?: readonly Isolation[];
  /** Starts another program than the real child: tests of a compromised one. */
  readonly program?: ChildProgram;
  /** Starts another program than the real bundler: tests of a compromised one. */
  readonly bundler?: BundlerProgram;
}

const CONCURRENCY = { hook: 16, widget: 4 };
/** Long enough for a person who sits before the screen. */
const PARK_MS = 30_000;

/** Makes a sandbox. Nothing is started before the first run, compilation or look at its health. */
export function createSandbox(options: SandboxOptions): Sandbox & JournalPlayer {
  const compiler = createCompiler({
    allowWeak: options.allowWeakSandbox ?? false,
    ...(options.bundler !== undefined && { program: options.bundler }),
    ...(options.isolation !== undefined && { isolation: options.isolation }),
  });
  const slots = new Slots(options.concurrency ?? CONCURRENCY);
  const reading = new Slot(1);
  const runs = new Set<Stoppable>();
  const children = new Set<SandboxChild>();
  const made = { guest: "", node: process.versions.node.split(".")[0] ?? "" };
  let booted: Promise<Booted> | null = null;
  let closed = false;

  const boot = (): Promise<Booted> => {
    if (booted !== null) return booted;
    const made = bootChildren(options, children);
    booted = made;
    // what kept every child from starting (no room, no process id) may pass: the next one to ask tries again
    void made.then(({ started }) => {
      if (!started && booted === made) booted = null;
    });
    return made;
  };
  const takeChild = async (atWork: Promise<void>): Promise<SandboxChild> => {
    const { health, warmChild, guest } = await boot();
    made.guest = guest;
    if (closed) throw new Error("the sandbox is closed");
    if (!health.usable) throw new Error(describeUnavailable(health));
    return warmChild.take(atWork);
  };

  const attend = <T extends Stoppable>(run: T): T => {
    runs.add(run);
    void run.outcome.then(() => runs.delete(run));
    return run;
  };

  return {
    health: async () => {
      const [{ started, health }, layer] = await Promise.all([boot(), compiler.layer()]);
      return started ? addLayer(health, layer) : health;
    },
    compile: async (request) => {
      // the first one waits for a child and for the bundler, which start side by side
      if (booted === null) compiler.prepare(request.app);
      const { started, health } = await boot();
      // one that did not start may do so later, and says then why not
      if (started && !health.usable) return { ok: false, problems: [createRefusal(health)] };
      return compiler.compile(request);
    },
    run: (request, scriptHost) =>
      attend(
        startRun(request, scriptHost, {
          scriptIo: options.scriptIo,
          takeChild,
          limits: (options.limits ?? getLimits)(request.kind),
          now: options.now ?? Date.now,
          slot: slots.of(request.kind),
          reading,
          made: () => made,
          alwaysReplay: options.alwaysReplay ?? false,
          parkMs: options.parkMs ?? PARK_MS,
        }),
      ),
    load: () => ({ children: children.size, waiting: slots.countWaiting() }),
    play: (request, listener) =>
      attend(
        startPlay(request, listener, {
          takeChild: () => takeChild(Promise.resolve()),
          limits: (options.limits ?? getLimits)("hook"),
        }),
      ),
    close: async () => {
      closed = true;
      for (const run of runs) run.stop();
      await Promise.all([...runs].map(({ outcome }) => outcome));
      await Promise.all([closeChildren(booted), compiler.close()]);
      await stopEsbuild();
    },
  };
}

/** A run, or a journal that is played. */
interface Stoppable {
  readonly outcome: Promise<unknown>;
  stop(): void;
}

async function closeChildren(booted: Promise<Booted> | null): Promise<void> {
  if (booted === null) return;
  const { warmChild, remove } = await booted;
  await warmChild.close();
  await remove();
}

interface Booted {
  /** A child has been ready, however well isolated. */
  readonly started: boolean;
  readonly health: SandboxHealth;
  readonly warmChild: WarmChild;
  /** SHA-256 of the child's program with the guest inside, hex. */
  readonly guest: string;
  readonly remove: () => Promise<void>;
}

/** Bundles the child and finds the best isolation it starts in; that child is the first warm one. `alive` holds all that run. */
async function bootChildren(options: SandboxOptions, alive: Set<SandboxChild>): Promise<Booted> {
  const { program, isolation: given, allowWeakSandbox = false, keepWarmChild = true } = options;
  const made = createChildFiles(program);
  const remove = () => made.remove();
  // made while the isolation is looked for; whoever asks for them again is told what is wrong
  void made.files().catch(() => undefined);
  const start = async (isolation: Isolation): ReturnType<typeof startChild> => {
    const started = await startChild(await made.files(), isolation);
    alive.add(started.child);
    void started.child.exited.then(() => alive.delete(started.child));
    return started;
  };
  let failure: unknown = new Error("no process can be started in isolation");
  const candidates = await (given === undefined ? findIsolation() : Promise.resolve(given)).catch((error: unknown) => {
    failure = error;
    return [];
  });
  for (const isolation of candidates) {
    try {
      const { child, ready } = await start(isolation);
      const warmChild = new WarmChild(async () => (await start(isolation)).child, keepWarmChild);
      const health = readHealth(child.pid ?? 0, ready, isolation, allowWeakSandbox);
      const missing = describeMissingLayers(readHealth(child.pid ?? 0, ready, isolation, false));
      if (health.usable && missing !== "") options.onWeakSandbox?.(missing);
      await warmChild.put(child);
      return { started: true, health, warmChild, remove, guest: await hashFile((await made.files()).program.path) };
    } catch (error) {
      failure = error;
    }
  }
  await remove();
  return {
    started: false,
    health: reportNoChild(failure),
    warmChild: new WarmChild(() => Promise.reject(failure)),
    remove,
    guest: "",
  };
}

async function hashFile(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

function describeUnavailable(health: SandboxHealth): string {
  return `the sandbox is unavailable on this machine: ${describeMissingLayers(health)}`;
}

function createRefusal(health: SandboxHealth): Problem {
  const message = describeUnavailable(health);
  return { code: "SANDBOX_UNAVAILABLE", severity: "error", message, path: [], line: 1, column: 1, length: 0 };
}
