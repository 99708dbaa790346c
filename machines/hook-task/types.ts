import type { Failure } from "../../src/core/codes/problems.ts";
import type { JsonObject } from "../../src/core/json/json.ts";
import type { LifecycleEvent } from "../../src/core/script/dictionary.ts";
import type { UncertainRequest } from "../../src/core/task/uncertain-request.ts";
import type { Authorization } from "../../src/core/task/waiting.ts";

/** JSON without secrets: it is kept in the event log. */
export type HookTaskInput = {
  readonly appId: string;
  readonly hookId: string;
  readonly event: LifecycleEvent | "userAction";
  /** Label at rest. */
  readonly title: string;
  /** Label while it runs: the description where there is one. */
  readonly runningTitle: string;
  /** `install` children wait for their turn; a pressed button starts at once. */
  readonly waitsForTurn: boolean;
  readonly kind: "hook" | "link";
  /** It has conditions, which are judged when its turn comes. */
  readonly conditional: boolean;
  readonly onFailure: "ask" | "skip" | "fail";
  readonly onInputTimeout: "skip" | "stay";
  /** Skipping it leaves the mark `skippedRequired`. */
  readonly requiredBefore: boolean;
  /** Automatic retries after the first attempt. */
  readonly retries: number;
  /** Running time of one attempt, in ms. */
  readonly timeoutMs: number;
  /** How long a person has for the inputs, in ms. */
  readonly inputDeadlineMs: number;
  /** Links only: what they wait for and tell of. */
  readonly link?: {
    /** Apps whose containers must run first, beside what the hook's conditions say. */
    readonly apps: readonly string[];
    /** The targets selected. */
    readonly targets: readonly string[];
    /** How long the apps may take, in ms. */
    readonly startDeadlineMs: number;
  };
};

/** An input a person still has to give: its declaration, never a value. */
export type MissingInput = { readonly id: string; readonly type: "oauth" | "question"; readonly declared: JsonObject };

/** The hook's questions, if it has any. */
type Correctable = { readonly corrections?: readonly MissingInput[] };

/** JSON without secrets: it is kept in the task's row. */
export interface HookTaskContext {
  readonly input: HookTaskInput;
  readonly attempt: number;
  readonly leftMs: number;
  readonly missing: readonly MissingInput[];
  readonly authorizations: Readonly<Record<string, Authorization>>;
  /** The questions a person can answer once more after a failure; absent where there are none. */
  readonly corrections?: readonly MissingInput[];
  readonly registered: readonly string[];
  readonly ended: readonly string[];
  /** The checkpoint a person decides about. */
  readonly failedCheckpoint: string | null;
  /** The request a person decides about. */
  readonly request: UncertainRequest | null;
  readonly percent: number | null;
  /** The conditions were found to hold; they are judged once. */
  readonly admitted: boolean;
  /** Why a link can't start yet. */
  readonly pending: readonly string[];
  readonly failure: Failure | null;
  readonly marks: readonly string[];
}

export type ScriptReport = { readonly checkpoint: string; readonly message: string | null };

/** The notification of a target that was linked. */
export type LinkNotice = {
  readonly type: "pairing.linked";
  readonly runsOnAppId: string;
  readonly hookId: string;
  readonly target: string;
};

export type HookTaskEvent =
  | { readonly type: "parent.start" }
  | { readonly type: "parent.cancel" }
  | { readonly type: "user.input"; readonly given: readonly string[] }
  | { readonly type: "user.retry" }
  | { readonly type: "user.skip" }
  | { readonly type: "user.cancel" }
  | { readonly type: "user.dismiss" }
  | ({ readonly type: "inputs.complete" } & Correctable)
  | ({ readonly type: "inputs.missing"; readonly missing: readonly MissingInput[] } & Correctable)
  | { readonly type: "oauth.opened"; readonly input: string; readonly authorization: Authorization }
  | { readonly type: "oauth.granted"; readonly input: string }
  | { readonly type: "oauth.failed"; readonly input: string; readonly authorization: Authorization }
  | { readonly type: "oauth.ended" }
  | { readonly type: "conditions.met" }
  | { readonly type: "conditions.unmet"; readonly failure: Failure }
  | { readonly type: "host.apps.pending"; readonly reasons: readonly string[] }
  | { readonly type: "host.apps.running" }
  | { readonly type: "host.apps.never"; readonly failure: Failure }
  | { readonly type: "notify.done" }
  /** The run begins, or goes on, after a restart: nothing of it runs yet. */
  | { readonly type: "run.delayed" }
  | { readonly type: "run.started" }
  /** Played back, the script stands where it was; `ranMs` is the running time of all its lives so far. */
  | { readonly type: "run.resumed"; readonly ranMs: number }
  /** A request had left when the engine died, and must not be sent again in silence. */
  | { readonly type: "run.uncertain"; readonly request: UncertainRequest; readonly ranMs: number }
  /** Played back, the script called something else than is recorded. */
  | { readonly type: "run.diverged"; readonly failure: Failure }
  /** The run is longer than what is recorded of one; `reason` says in what. */
  | { readonly type: "run.notResumable"; readonly reason: string }
  | { readonly type: "run.completed" }
  | { readonly type: "run.failed"; readonly failure: Failure }
  | { readonly type: "run.answered" }
  | ({ readonly type: "script.registered" } & ScriptReport)
  | ({ readonly type: "script.message" } & ScriptReport)
  | ({ readonly type: "script.completed"; readonly percent: number | null } & ScriptReport)
  | ({ readonly type: "script.skipped" } & ScriptReport)
  | ({ readonly type: "script.failed"; readonly failure: Failure; readonly ranMs: number } & ScriptReport)
  | { readonly type: "script.progress"; readonly percent: number }
  | { readonly type: "engine.failed"; readonly failure: Failure };
