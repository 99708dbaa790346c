/** Health and readiness: host, database, sandbox, tasks. */

import type { SandboxHealth } from "../../../sandbox/contract.ts";
import type { Code } from "../../core/codes/code.ts";
import type { DrainStanding } from "./drains.ts";

export interface EngineHealth {
  readonly ok: boolean;
  /** It takes no new work any more (`Engine.drain`). */
  readonly draining?: DrainStanding;
  readonly sandbox: SandboxHealth;
  readonly host: HostHealth;
  readonly store: StoreHealth;
  readonly tasks: {
    /** Root tasks that have not ended. */
    readonly unfinished: number;
    /** Tasks that are held up because they, or a checkpoint of theirs, can't be run (`TASK_QUARANTINED`). */
    readonly quarantined: number;
  };
}

/** How the host stands, from what is known without waiting for it. Times are ISO 8601 UTC. */
export interface HostHealth {
  /** It has answered, and nothing says that it does not any more. */
  readonly reachable: boolean;
  /** State of its apps service when last asked. */
  readonly appsService?: string;
  /** Why it is not reached, e.g. `HOST_UNREACHABLE`, `HOST_AUTH_FAILED`, `HOST_TIMEOUT` of one that is frozen. */
  readonly code?: Code;
  readonly detail?: string;
  /** Since when it is not reached. */
  readonly since?: string;
  readonly lastAttempt?: string;
  readonly lastAnswer?: string;
}

/** How the database stands. */
export interface StoreHealth {
  /** A turn can be committed. */
  readonly writable: boolean;
  /** Why not, e.g. `STORE_FULL`. */
  readonly code?: Code;
  readonly detail?: string;
  /** How the run of the engine before this one left it: `unclean` after a kill, a power cut or a full disk. */
  readonly after: "new" | "clean" | "unclean";
  /** It is an older copy than the one last worked on: what happened since is unknown, and left to a person. */
  readonly rolledBack: boolean;
  /** Bytes of what it holds, and those at which ended tasks are pruned earlier (`kept.bytes`); none of a database only looked at. */
  readonly size?: { readonly used: number; readonly most: number };
}

/** Whether the engine takes requests now. */
export interface Readiness {
  readonly ready: boolean;
  /** Why not, a sentence each; empty when ready. */
  readonly reasons: readonly string[];
}
