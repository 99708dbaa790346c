import type { RunOutcome, RunRequest, Sandbox, ScriptHost } from "../../../sandbox/contract.ts";

const USAGE = { wallMs: 1, cpuMs: 1, peakMb: 1, fetches: 0 };

/** What a run does besides ending: talks to its task through its script host, until it is stopped. */
export type Script = (scriptHost: ScriptHost, stopped: AbortSignal, request: RunRequest) => Promise<ScriptedEnd>;

/** How a run ends; `diverged`: played back, it did something else. */
export type ScriptedEnd = "completed" | "failed" | "diverged";

/**
 * A sandbox whose runs are functions of the test: for the chaos tests, where thousands of runs have to begin, wait and be
 * stopped in any order. What a real child does is tested in test/sandbox.
 */
export function createScriptedSandbox(script: Script): Sandbox {
  return {
    health: async () => ({ usable: true, layers: [] }),
    compile: async ({ label }) => ({ ok: true, script: { sha256: `sha-${label}`, code: "", sourceMap: "{}" } }),
    run: (request, scriptHost) => {
      const stopped = Promise.withResolvers<RunOutcome>();
      const stop = new AbortController();
      const failed = (reason: "script_error" | "replay_diverged" | "stopped"): RunOutcome => ({
        status: "failed",
        reason,
        message: reason,
        context: [],
        usage: USAGE,
      });
      const ended = script(scriptHost, stop.signal, request).then(
        (end): RunOutcome =>
          end === "completed"
            ? { status: "completed", result: null, usage: USAGE }
            : failed(end === "failed" ? "script_error" : "replay_diverged"),
      );
      return {
        begun: Promise.resolve(true),
        outcome: Promise.race([ended, stopped.promise]),
        stop() {
          stop.abort();
          stopped.resolve(failed("stopped"));
        },
        suspend() {
          this.stop();
        },
        ranMs: () => 1,
      };
    },
    load: () => ({ children: 0, waiting: { hook: 0, widget: 0 } }),
    close: async () => {},
  };
}
