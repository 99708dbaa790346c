/** A process with an engine that dies at a named point, is killed from outside, or ends. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Death, Measure } from "./stage.ts";

/** What a program tells its driver; `done` is the last. */
type Message =
  | { readonly kind: "opening" }
  | { readonly kind: "ready" }
  | { readonly kind: "begun" }
  | { readonly kind: "done"; readonly passings: Measure["passings"] }
  | Decided;

/** Every other word of the program. */
export type Told = { readonly kind: "opening" } | Decided;

interface Decided {
  readonly kind: "decided";
  readonly method: string;
  readonly name: string;
  readonly choice: "retry" | "skip";
}

export interface EngineProgram {
  readonly path: string;
  readonly args: readonly string[];
  /** Folder of compiled code, for all processes of a stage: their start is most of what a run takes. */
  readonly compileCache: string;
  readonly told?: (message: Told) => void;
}

/** One process of the engine; null when it was killed. Throws when it failed. */
export async function runEngineProcess(program: EngineProgram, death: Death | null): Promise<Measure | null> {
  const point = death !== null && "point" in death ? `${death.point}:${death.n}` : "count";
  const child = fork(program.path, program.args, {
    execArgv: [],
    env: { ...process.env, SLIPWAY_CRASH_AT: point, NODE_COMPILE_CACHE: program.compileCache },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  let passings: Measure["passings"] | null = null;
  let worksSince = 0;
  let doneAt = 0;
  child.on("message", (message: Message) => {
    if (message.kind === "ready" || message.kind === "begun") worksSince = performance.now();
    else if (message.kind === "done") {
      passings = message.passings;
      doneAt = performance.now();
    } else program.told?.(message);
    if (death !== null && "after" in death && message.kind === death.after) void killLater(child, death.ms);
  });
  // what it said last may be read after its end was seen
  const [[code, signal]] = await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  if (signal === "SIGKILL") return null;
  if (passings === null) throw new Error(`the engine's process ended with ${code ?? signal}: ${errors}`);
  return { passings, workMs: doneAt - worksSince };
}

async function killLater(child: ChildProcess, ms: number): Promise<void> {
  await delay(ms);
  child.kill("SIGKILL");
}
