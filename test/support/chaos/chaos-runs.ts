/** The scripts that run under chaos: each does nothing but what the steps have it do. */
import type { ContextCall, ScriptHost } from "../../../sandbox/contract.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { Script } from "../engine/scripted-sandbox.ts";
import type { ScriptSays } from "./chaos-steps.ts";

/** The signal of a run that does not end. */
const NEVER = new AbortController().signal;

interface OpenRun {
  readonly scriptHost: ScriptHost;
  /** What the script could tell. */
  readonly secrets: readonly string[];
  readonly end: (end: "completed" | "failed") => void;
}

export class ChaosRuns {
  #open: OpenRun[] = [];

  /** What runs for every hook. */
  readonly script: Script = (scriptHost, stopped, { secrets }) =>
    new Promise((resolve) => {
      const run = { scriptHost, secrets, end: resolve };
      this.#open.push(run);
      stopped.addEventListener("abort", () => this.#forget(run));
    });

  /** Has one of the open runs do something; nothing where there is none. */
  say(index: number, says: ScriptSays): void {
    const run = this.#open[index % Math.max(1, this.#open.length)];
    if (run !== undefined) this.#say(run, says);
  }

  /** Ends every open run as its author would have it. */
  completeAll(): void {
    for (const run of this.#open) this.#say(run, "completes");
  }

  #say(run: OpenRun, says: ScriptSays): void {
    if (says === "completes" || says === "fails") {
      this.#forget(run);
      run.end(says === "completes" ? "completed" : "failed");
    } else {
      // A script does not wait for its answers here: what it is told is of no use to it.
      run.scriptHost.call(listCalls(run)[says], NEVER).catch(passRefusal);
    }
  }

  #forget(run: OpenRun): void {
    this.#open = this.#open.filter((other) => other !== run);
  }
}

/** What a decision, a request or a call may be answered with; anything else is a bug. */
export function passRefusal(error: unknown): void {
  if (!(error instanceof EngineError)) throw error;
}

function listCalls({ secrets }: OpenRun): Readonly<Record<Exclude<ScriptSays, "completes" | "fails">, ContextCall>> {
  return {
    registers: { kind: "registerCheckpoints", checkpoints: ["one", "two"].map((id) => ({ id, message: id })) },
    emits: { kind: "emitCheckpoint", id: "one", message: `did it with ${secrets.join()}` },
    skips: { kind: "skipCheckpoint", id: "two" },
    progress: { kind: "setProgress", percent: 30 },
    asks: { kind: "awaitCheckpointRetry", id: "two", error: "not yet", context: [] },
  };
}
