/** The attack table: hostile scripts by class, each with the ends it may come to. Run by attacks.test.ts and the bench. */
import type { RunOutcome, RunReason, Sandbox } from "../../../sandbox/contract.ts";
import { getLimits, type RunLimits } from "../../../sandbox/limits.ts";
import type { Attack } from "./attack.ts";
import { CPU_ATTACKS } from "./attacks-cpu.ts";
import { ESCAPE_ATTACKS } from "./attacks-escape.ts";
import { FLOOD_ATTACKS } from "./attacks-flood.ts";
import { MEMORY_ATTACKS } from "./attacks-memory.ts";
import { OUTSIDE_ATTACKS } from "./attacks-outside.ts";
import type { Target } from "./attacks-target.ts";
import { VALUE_ATTACKS } from "./attacks-values.ts";

export const ATTACKS: readonly Attack[] = [
  ...CPU_ATTACKS,
  ...MEMORY_ATTACKS,
  ...VALUE_ATTACKS,
  ...ESCAPE_ATTACKS,
  ...FLOOD_ATTACKS,
  ...OUTSIDE_ATTACKS,
];

/** What an attack came to. */
export interface AttackReport {
  readonly outcome: RunOutcome;
  /** From the start of the run to its settled outcome, ms. */
  readonly tookMs: number;
  /** Within which it had to end, ms: 1 s behind the slice, the total or the wall limit of its class. */
  readonly allowedMs: number;
}

/** Wall limit of attacks of class `wall`, ms; the others get time to reach the limit they are after. */
const WALL_MS = 1_500;
const OTHER_WALL_MS = 20_000;

/** Runs one attack against a target; `limits` are the sandbox's own. */
export async function attack(
  sandbox: Sandbox,
  row: Attack,
  target: Target,
  limits: (kind: "hook" | "widget") => RunLimits = getLimits,
): Promise<AttackReport> {
  const kind = row.kind ?? "widget";
  const content = `import * as fs from "node:fs";\nimport { Database } from "bun:sqlite";\nvoid fs; void Database;\nexport async function run(ctx) { ${row.body} }`;
  const compiled = await sandbox.compile({
    app: "app",
    root: null,
    source: { kind: "inline", content },
    entrypoint: "run",
    label: "attack.ts",
  });
  if (!compiled.ok) throw new Error(`"${row.name}" does not compile: ${compiled.problems[0]?.message}`);
  const wallMs = row.class === "wall" ? WALL_MS : OTHER_WALL_MS;
  const began = performance.now();
  const { outcome } = sandbox.run(
    {
      runId: row.name,
      kind,
      script: compiled.script,
      entrypoint: "run",
      context: target.context,
      secrets: [],
      wallMs,
      network: { ...target.network, readOnly: kind === "widget" },
      mounts: target.mounts,
      seed: row.name,
    },
    { call: async () => null, log: () => {}, audit: () => {} },
  );
  const settled = await outcome;
  return {
    outcome: settled,
    tookMs: performance.now() - began,
    allowedMs: allowedMs(row, settled, wallMs, limits(kind)),
  };
}

function allowedMs(row: Attack, outcome: RunOutcome, wallMs: number, { sliceMs, cpuMs }: RunLimits): number {
  if (outcome.status === "failed" && outcome.reason === "timeout_wall") return wallMs + 1_000;
  // short slices end by the total; memory is taken within one slice or by the total
  return (row.name === "many short slices" || row.class === "flood" ? cpuMs : sliceMs) + 1_000;
}

/** The end of an outcome as the table names it. */
export function endOf(outcome: RunOutcome): "completed" | RunReason {
  return outcome.status === "completed" ? "completed" : outcome.reason;
}
