/** Whom or what a task waits for, and what exactly: type aliases, so that each is JSON. */
import type { Failure } from "../codes/problems.ts";
import type { JsonObject } from "../json/json.ts";

/** How far the authorization of an OAuth input is. `url` is what the user opens; `expiresAt` is ISO 8601 UTC. */
export type Authorization =
  | { readonly status: "open"; readonly url: string; readonly code: string; readonly expiresAt: string }
  | { readonly status: "failed"; readonly failure: Failure };

/** An input a person is asked for: its declaration, never a value. */
export type AskedInput = JsonObject & {
  readonly id: string;
  readonly type: "oauth" | "question";
  /** Of an OAuth input whose sign-in has begun. */
  readonly authorization?: Authorization;
};

/** A part of the task asks: its detail says what. */
export type ChildAsks = { readonly child: string };

/** A hook asks for values. */
export type InputAsked = {
  readonly choices: readonly ["input", "skip", "cancel"];
  readonly inputs: readonly AskedInput[];
};

/** A request that may have arrived. `at` is when it left, ISO 8601 UTC. */
export type RequestAsked = { readonly method: string; readonly url: string; readonly at: string };

/** A hook failed, or can't go on by itself, and asks what to do about it: the whole run, unless it says where it stands. */
export type DecisionAsked = {
  /** Decisions without values; `commands` of the task has all it takes. */
  readonly choices: readonly ["retry", "skip", "cancel"];
  /** Where its script waits. */
  readonly checkpoint?: string;
  /** The request its script may have sent before the engine died: Retry sends it again, Skip has the script see an error. */
  readonly request?: RequestAsked;
  /** Questions that can be answered once more, each `isSet`: what is left out keeps its value. */
  readonly inputs?: readonly AskedInput[];
  readonly warning?: string;
};

/** The app is waited for until it runs; `state` is the one it was last seen in. */
export type AppStarts = { readonly state: string };

/** A link waits for these apps, for these reasons. */
export type AppsPending = { readonly apps: readonly string[]; readonly reasons: readonly string[] };

/**
 * A wait. `person`: somebody is asked; `app`: containers start; `host`: a job of the host; `network`: the host can't be
 * asked; `time`: a pause.
 */
export type Waiting =
  | { readonly kind: "person"; readonly detail: ChildAsks | InputAsked | DecisionAsked }
  | { readonly kind: "app"; readonly detail?: AppStarts | AppsPending }
  | { readonly kind: "host" | "network" | "time"; readonly detail?: never };

/** The request a person decides about; undefined where none is asked about. */
export function findAskedRequest(waiting: Waiting | undefined): RequestAsked | undefined {
  return waiting?.kind === "person" && "request" in waiting.detail ? waiting.detail.request : undefined;
}

/** The checkpoint a person decides about; undefined where none is asked about. */
export function findAskedCheckpoint(waiting: Waiting | undefined): string | undefined {
  if (waiting?.kind !== "person" || !("checkpoint" in waiting.detail)) return undefined;
  const { checkpoint } = waiting.detail;
  return typeof checkpoint === "string" ? checkpoint : undefined;
}
