/** Drift: what the host has otherwise than the engine left it. */
import type { Code } from "../../core/codes/code.ts";
import type { DriftFinding } from "../../core/drift/drift-types.ts";
import type { Named } from "../surfaces/name-apps.ts";

export type { DriftFinding, DriftProposal } from "../../core/drift/drift-types.ts";

/** The findings of the looks so far, by app id. Nothing of it is repaired by itself. */
export interface Drift {
  readonly findings: readonly Named<DriftFinding>[];
  /** End of the last look that came to one, ISO 8601 UTC; null before the first. */
  readonly lookedAt: string | null;
  /**
   * Apps the last look left out, with what it found before: `TASK_CONFLICT` where a task is at work on one, else why the
   * host did not tell.
   */
  readonly skipped: readonly Named<{ readonly appId: string; readonly code: Code }>[];
  /** Why a look since then came to no end; the findings are older. */
  readonly failed?: { readonly at: string; readonly code: Code; readonly hint: string };
}
