import type { Mask } from "../../../src/core/report/mask.ts";
import type { RunJournal, RunRequest } from "../../contract.ts";
import type { Calls } from "../calls.ts";
import type { Databases } from "../databases.ts";
import type { Quotas } from "../quotas.ts";
import type { Slot } from "../slots.ts";
import type { RunClock } from "../time/clock.ts";

/** The guest and Node that run scripts: a change of them is no divergence, but may bring one. */
export interface Made {
  /** SHA-256 of the guest with its shims. */
  readonly guest: string;
  /** Node's major version. */
  readonly node: string;
}

/** What a run lends its continuity. */
export interface ContinuityPorts {
  readonly request: RunRequest;
  readonly journal: RunJournal;
  made(): Made;
  readonly clock: RunClock;
  readonly quotas: Quotas;
  readonly databases: Databases;
  readonly mask: Mask;
  /** One run at a time reads its journal: much of it is in memory twice meanwhile. */
  readonly reading: Slot;
  /** The run has ended. */
  readonly ended: AbortSignal;
  /** Wall clock, ms since 1970. */
  now(): number;
  calls(): Calls;
  /** The run can't be gone on with: it does not do what it did. */
  diverged(message: string): void;
  log(line: string): void;
  /** The journal can't be written: the run is over. */
  failed(error: unknown): void;
}
