import type { Sandbox } from "../../../sandbox/contract.ts";
import type { Problem } from "../../core/codes/problems.ts";

const MESSAGE = "the engine was created without a sandbox, so no script can run";

const PROBLEM: Problem = {
  code: "SANDBOX_UNAVAILABLE",
  severity: "error",
  message: MESSAGE,
  path: [],
  line: 1,
  column: 1,
  length: 0,
};

/** Stands where the embedder gave no sandbox: it refuses every script and says so. */
export const NO_SANDBOX: Sandbox = {
  health: async () => ({ usable: false, layers: [] }),
  compile: async () => ({ ok: false, problems: [PROBLEM] }),
  run: () => ({
    begun: Promise.resolve(false),
    outcome: Promise.resolve({
      status: "failed",
      reason: "sandbox_crash",
      message: MESSAGE,
      context: [],
      usage: { wallMs: 0, cpuMs: 0, peakMb: 0, fetches: 0 },
    }),
    stop: () => {},
    suspend: () => {},
    ranMs: () => 0,
  }),
  load: () => ({ children: 0, waiting: { hook: 0, widget: 0 } }),
  close: async () => {},
};
